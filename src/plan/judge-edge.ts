import { saysNothing, takesAnyText, takesText } from '../schema/json-schema.ts'
import { type Fit, FITS } from '../schema/subsumes/fit.ts'
import { subsumes } from '../schema/subsumes/subsumes.ts'
import type { Finding } from './finding.ts'
import type { Given } from './given-input.ts'
import { judgeBeyond } from './judge-beyond.ts'
import { judgeTolerant } from './judge-tolerant.ts'
import { listTooLong } from './list-too-long.ts'
import { coreOf, type Place } from './survey.ts'

/** What is given at a place in a plan, and who takes it. */
export interface Edge {
  readonly path: string
  readonly to: string
  readonly given: Given
  readonly place: Place
}

/** What there is to say of an edge; nothing where everything fits. */
export function judgeEdge(edge: Edge): readonly Finding[] {
  const { given, place } = edge
  const { schema } = place.behaviour.input
  if (saysNothing(schema) || (given.asText && takesAnyText(schema))) return doubtsOf(edge, FITS)
  if (given.schema === undefined) return [unknownEdge(edge, given.unknown, given.hint)]
  if (given.asText && takesText(schema) !== takesText(given.schema)) return [textEdge(edge)]
  const fit = subsumes(given.schema, schema)
  return (fit.answer === 'does not fit' ? judgeTolerant(edge, given.schema) : undefined) ?? doubtsOf(edge, fit)
}

/** What was found by the JSON Schemas, and what they do not show. */
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

/** What a text says may differ from the value: where texts are handed on, a misfit is not certain. */
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
