import { haveNothingInCommon } from '../schema/subsumes/subsumes.ts'
import { stringInput } from '../tool/input/string-input.ts'
import type { Finding } from './finding.ts'
import { givenAgain, givenInput } from './given-input.ts'
import { judgeEdge } from './judge-edge.ts'
import { judgeMapping } from './judge-mapping.ts'
import { partPath, type Place, type PlacedPart, type Survey } from './survey.ts'

/** Compares the value that every part gets with its input schema. Where the schemas do not decide, a note says so. A layer has the input of the tool inside. */
export function checkEdges({ places }: Survey): readonly Finding[] {
  return places.flatMap((whole) =>
    whole.parts.flatMap(({ part }, index) =>
      part.again === undefined ? checkEdge(whole, index) : [...checkEdge(whole, index), ...checkBackEdge(whole, index)],
    ),
  )
}

function checkEdge(whole: Place, index: number): readonly Finding[] {
  const { part, place } = whole.parts[index] as PlacedPart
  if (place === undefined) return []
  const { input } = place.behaviour
  if (part.adapter?.mapping !== undefined) return judgeMapping(whole, index, part.adapter.mapping)
  if (input === stringInput || (input === whole.behaviour.input && part.takes === 'input' && part.adapter === undefined)) return []
  const given = givenInput(whole, index)
  return given === undefined ? [] : judgeEdge({ path: partPath(whole, part), to: `'${part.label}'`, given, place })
}

/** The edge from the output of a turn to the next turn. A value that does not fit may be the one that ends the loop. */
function checkBackEdge(whole: Place, index: number): readonly Finding[] {
  const { part, place } = whole.parts[index] as PlacedPart
  if (place === undefined || place.behaviour.input === stringInput) return []
  const given = givenAgain(whole, index)
  if (given === undefined) return []
  const { schema } = given
  const findings = judgeEdge({ path: partPath(whole, part), to: `'${part.label}'`, given, place })
  return findings.map((finding) => {
    if (finding.severity !== 'error') return finding
    const hint = "Make the next input with a 'next' function, or change one of the schemas."
    if (schema === undefined || haveNothingInCommon(schema, place.behaviour.input.schema)) return { ...finding, hint }
    return { ...finding, severity: 'warning', message: `Unless 'until' ends it before: ${finding.message}`, hint }
  })
}
