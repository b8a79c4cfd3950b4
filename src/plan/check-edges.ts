import { stringInput } from '../tool/input/string-input.ts'
import type { JsonSchema } from '../tool/schema/json-schema.ts'
import type { Finding } from './finding.ts'
import { givenInput } from './given-input.ts'
import { subsumes } from './subsumes.ts'
import { partPath, type Place, type PlacedPart, type Survey } from './survey.ts'
import { saysNothing, takesAnyText, takesText } from './text-schema.ts'

/** Compares what every part is given with what it takes. What nobody can tell is said, not guessed. A layer has the input of the tool inside. */
export function checkEdges({ places }: Survey): readonly Finding[] {
  return places.flatMap((whole) => whole.parts.flatMap((_part, index) => checkEdge(whole, index)))
}

function checkEdge(whole: Place, index: number): readonly Finding[] {
  const { part, place } = whole.parts[index] as PlacedPart
  if (place === undefined) return []
  const { input } = place.behaviour
  if (input === stringInput || (input === whole.behaviour.input && part.takes === 'input' && part.adapter === undefined)) return []
  const given = givenInput(whole, index)
  if (given === undefined || saysNothing(input.schema) || (given.asText && takesAnyText(input.schema))) return []
  const edge: Edge = { path: partPath(whole, part), to: `'${part.label}'`, from: given.from }
  if (given.schema === undefined) return [unknownEdge(edge, given.unknown, given.hint)]
  return given.asText && takesText(input.schema) !== takesText(given.schema)
    ? [textEdge(edge, input.schema)]
    : judge(edge, given.schema, { takes: input.schema, asText: given.asText })
}

interface Edge {
  readonly path: string
  readonly from: string
  readonly to: string
}

interface Consumer {
  readonly takes: JsonSchema
  readonly asText: boolean
}

/** What a text says may differ from the value: where texts are handed on, a misfit is not certain. */
function judge(edge: Edge, gives: JsonSchema, { takes, asText }: Consumer): readonly Finding[] {
  const verdict = subsumes(gives, takes)
  if (verdict.answer === 'fits') return []
  const { why } = verdict
  const field = verdict.path === '' ? undefined : verdict.path
  if (verdict.answer === 'cannot tell' || (asText && takesText(takes)))
    return [{ ...unknownEdge(edge, why, 'Say more in the schemas, or put an adapter with an outputSchema in between.'), field }]
  return [
    {
      severity: 'error',
      code: 'edge_does_not_fit',
      path: edge.path,
      field,
      message: `${edge.to} does not take what ${edge.from} gives: ${why}.`,
      hint: 'Put an adapter in between, or change one of the schemas.',
    },
  ]
}

function textEdge(edge: Edge, takes: JsonSchema): Finding {
  if (takesText(takes)) return unknownEdge(edge, `${edge.to} takes only some texts`, 'Put an adapter with an outputSchema in between.')
  return unknownEdge(
    edge,
    `${edge.from} gives a text, which is read as JSON when it runs`,
    'Put an adapter with an outputSchema in between.',
  )
}

function unknownEdge({ path, to }: Edge, why: string, hint: string): Finding {
  return { severity: 'note', code: 'edge_unknown', path, message: `Nobody can tell whether ${to} takes what it is given: ${why}.`, hint }
}
