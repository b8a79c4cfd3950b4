import { didYouMean } from '../schema/did-you-mean.ts'
import { fieldSchema } from '../schema/field-schema.ts'
import { fieldStep, joinPath } from '../schema/field-path.ts'
import { isRecord, type JsonSchema } from '../schema/json-schema.ts'
import { nearestNames } from '../schema/nearest-names.ts'
import type { PlanRead } from '../tool/plan-node.ts'
import type { Finding } from './finding.ts'
import { partPath, type Place, type PlacedPart, type Survey } from './survey.ts'

/** A tool that reads fields of its parts, or of its input: a field that a schema does not have is misspelt, or the wrong part is there. */
export function checkFields({ places }: Survey): readonly Finding[] {
  return places.flatMap((whole) => {
    const { reads = [] } = whole.plan
    if (reads.length === 0) return []
    const ofInput = reads.filter(({ of }) => of === 'input')
    const ofOutput = reads.filter(({ of }) => of === 'output')
    return [
      ...missingIn({ path: whole.path, schema: whole.behaviour.input.schema, what: `The input of '${whole.tool.name}'` }, ofInput),
      ...whole.parts.flatMap((each) =>
        outputFindings(
          whole,
          each,
          ofOutput.filter(({ parts }) => parts?.includes(each.part.label) !== false),
        ),
      ),
    ]
  })
}

function outputFindings(whole: Place, { part, place }: PlacedPart, reads: readonly PlanRead[]): readonly Finding[] {
  if (place === undefined || reads.length === 0) return []
  const { output, describesOutput = output } = place.behaviour
  const path = partPath(whole, part)
  if (describesOutput !== undefined)
    return missingIn({ path, schema: describesOutput.output, what: `The output of '${part.tool.name}'` }, reads)
  const fields = [...new Set(reads.map((each) => `'${pathText(each.path)}'`))]
  return [
    {
      severity: 'note',
      code: 'unknown_field',
      path,
      message: `'${part.tool.name}' has no output schema, so that it is not known whether it gives ${fields.join(', ')}.`,
      hint: 'Give it an outputSchema.',
    },
  ]
}

interface Described {
  readonly path: string
  readonly schema: JsonSchema
  readonly what: string
}

function missingIn({ path, schema, what }: Described, reads: readonly PlanRead[]): readonly Finding[] {
  return reads.flatMap((read): Finding[] => {
    if (fieldSchema(schema, read.path) !== 'missing') return []
    const field = pathText(read.path)
    const near = nearestNames(String(read.path.at(-1)), namesIn(schema, read.path.slice(0, -1)))
    const message = `${what} has no field '${field}', which is read by: ${read.by}.`
    return [{ severity: 'error', code: 'unknown_field', path, field, message, hint: didYouMean(near, 'Name a field of the schema.') }]
  })
}

function namesIn(schema: JsonSchema, path: PlanRead['path']): readonly string[] {
  const around = fieldSchema(schema, path)
  return typeof around === 'object' && isRecord(around.schema['properties']) ? Object.keys(around.schema['properties']) : []
}

function pathText(path: PlanRead['path']): string {
  return path.reduce<string>((text, step) => joinPath(text, typeof step === 'number' ? '[]' : fieldStep(step)), '')
}
