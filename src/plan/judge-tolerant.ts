import type { Finding } from './finding.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { subsumes } from '../schema/subsumes/subsumes.ts'
import type { Edge } from './judge-edge.ts'
import { coreOf } from './survey.ts'

/** A tool that can do without some of its parts works where only those do not take what is given. Undefined where that is not so. */
export function judgeTolerant({ path, to, given, place }: Edge, gives: JsonSchema): readonly Finding[] | undefined {
  const { plan, parts, behaviour } = coreOf(place)
  if (plan.needs === undefined || plan.needs >= parts.length || !behaviour.forwardsInput) return undefined
  const misfits = parts.flatMap(({ part, place: inner }) => {
    if (part.takes !== 'input' || part.adapter !== undefined || inner === undefined) return []
    const fit = subsumes(gives, inner.behaviour.input.schema)
    return fit.answer === 'does not fit' ? [{ label: part.label, fit }] : []
  })
  const [first] = misfits
  if (first === undefined || parts.length - misfits.length < plan.needs) return undefined
  const { label, fit } = first
  return [
    {
      severity: 'warning',
      code: 'edge_does_not_fit',
      path: `${path}/${label}`,
      field: fit.path === '' ? undefined : fit.path,
      message: `'${label}' in ${to} does not take what ${given.from} gives, and will fail: ${fit.why}.`,
      hint: `${to} can do without it. Leave it out, or give it an input of its own.`,
    },
  ]
}
