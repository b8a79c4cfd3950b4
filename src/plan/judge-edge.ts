import type { Excess } from '../schema/excess.ts'
import { areRelated } from '../schema/field-path.ts'
import { dereference, type JsonSchema, saysNothing, takesAnyText, takesText } from '../schema/json-schema.ts'
import { type Fit, FITS, unsure } from '../schema/subsumes/fit.ts'
import { subsumes } from '../schema/subsumes/subsumes.ts'
import type { Finding } from './finding.ts'
import type { Given } from './given-input.ts'
import { coreOf, type Place } from './survey.ts'

/** A value at a place in a plan, and the part that takes it. */
interface Edge {
  readonly path: string
  readonly to: string
  readonly given: Given
  readonly place: Place
}

/** The findings about an edge; none where the value fits. */
export function judgeEdge(edge: Edge): readonly Finding[] {
  const { given, place } = edge
  const { schema } = place.behaviour.input
  if (saysNothing(schema) || (given.asText && takesAnyText(schema))) return doubtsOf(edge, FITS)
  if (given.schema === undefined) return [unknownEdge(edge, given.unknown, given.hint)]
  if (given.asText && takesText(schema) !== takesText(given.schema)) return [textEdge(edge)]
  const fit = subsumes(given.schema, schema)
  return (fit.answer === 'does not fit' ? judgeTolerant(edge, given.schema) : undefined) ?? doubtsOf(edge, fit)
}

/** Findings from the JSON Schemas, and from checks that they do not show. */
function doubtsOf(edge: Edge, fit: Fit): readonly Finding[] {
  const beyond = judgeBeyond(fit, edge)
  if (beyond !== fit)
    return findingOf(
      edge,
      beyond,
      'Use the very same schema for what is given, or see to it before. Where the values are right, nothing is wrong.',
    )
  if (fit.answer === 'fits')
    return findingOf(edge, listTooLong(edge.given.schema, coreOf(edge.place)), 'Say maxItems in the schema of the list, or raise maxItems.')
  return findingOf(edge, fit, 'Say more in the schemas, or put an adapter with an outputSchema in between.')
}

/** A text may differ from the value: where texts are passed, a misfit is not certain. */
function findingOf(edge: Edge, fit: Fit, hint: string): readonly Finding[] {
  if (fit.answer === 'fits') return []
  const { given, place, path, to } = edge
  const field = fit.path === '' ? undefined : fit.path
  if (fit.answer === 'cannot tell' || (given.asText && takesText(place.behaviour.input.schema)))
    return [{ ...unknownEdge(edge, fit.why, hint), field }]
  return [
    {
      severity: 'error',
      code: 'edge_does_not_fit',
      path,
      field,
      message: `${to} does not take what ${given.from} gives: ${fit.why}.`,
      hint: 'Put an adapter in between, or change one of the schemas.',
    },
  ]
}

function textEdge(edge: Edge): Finding {
  const { to, given, place } = edge
  const why = takesText(place.behaviour.input.schema)
    ? `${to} takes only some texts`
    : `${given.from} gives a text, which is read as JSON when it runs`
  return unknownEdge(edge, why, 'Put an adapter with an outputSchema in between.')
}

function unknownEdge({ path, to }: Edge, why: string, hint: string): Finding {
  return { severity: 'note', code: 'edge_unknown', path, message: `Nobody can tell whether ${to} takes what it is given: ${why}.`, hint }
}

/** A tool that needs only some of its parts works where enough parts take the value. Undefined where that is not so. */
function judgeTolerant({ path, to, given, place }: Edge, gives: JsonSchema): readonly Finding[] | undefined {
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

/** A library may ask for more than its JSON Schema shows, or take more: then neither a fit nor a misfit is certain. */
function judgeBeyond(fit: Fit, { to, given, place }: Edge): Fit {
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

/** A tool with a limit of items refuses a longer list, though its schema does not show the limit. */
function listTooLong(given: JsonSchema | undefined, { plan }: Place): Fit {
  if (plan.maxItems === undefined || given === undefined) return FITS
  const { maxItems } = dereference(given['$ref'], given) ?? given
  if (typeof maxItems === 'number' && maxItems <= plan.maxItems) return FITS
  return unsure(`the list may have more than ${plan.maxItems} items, and then it is refused`)
}
