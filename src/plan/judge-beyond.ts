import type { Excess } from '../schema/excess.ts'
import { areRelated } from '../schema/field-path.ts'
import { type Fit, unsure } from '../schema/subsumes/fit.ts'
import type { Edge } from './judge-edge.ts'

/** A library may ask for more than its JSON Schema shows, or take more: then neither a fit nor a misfit is certain. */
export function judgeBeyond(fit: Fit, { to, given, place }: Edge): Fit {
  if (fit.answer === 'cannot tell') return fit
  const { excess, excess: asked = [] } = place.behaviour.input
  if (excess?.length === 0) return fit
  if (fit.answer === 'does not fit') {
    const lenient = asked.find((each) => each.takes && areRelated(each.path, fit.path))
    return lenient === undefined ? fit : unsure(`${fit.why}, but the schema of ${to} has ${lenient.what}, and may take it`, fit.path)
  }
  const promised = given.promised()
  const open = asked.find((each) => each.refuses && !isAmong(each, promised))
  if (open !== undefined) return unsure(`the schema of ${to} has ${open.what}${at(open)}, which JSON Schema does not show`, open.path)
  const loose = promised.find((each) => each.takes && !isAmong(each, asked))
  return loose === undefined
    ? fit
    : unsure(`the schema of ${given.from} has ${loose.what}${at(loose)}, which JSON Schema does not show`, loose.path)
}

function at({ path }: Excess): string {
  return path === '' ? '' : ` at '${path}'`
}

function isAmong({ path, identity }: Excess, list: readonly Excess[]): boolean {
  return list.some((each) => each.path === path && each.identity === identity)
}
