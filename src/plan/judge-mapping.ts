import type { Excess } from '../schema/excess.ts'
import { fieldStep, joinPath } from '../schema/field-path.ts'
import { fieldSchema } from '../schema/field-schema.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { embedSchemas } from '../schema/nest-schema.ts'
import type { Mapping, MappingField } from '../tool/given/fitting-mapping.ts'
import { fieldsOfReference, isReference, leadsToText, type Reference, stepOfReference } from '../tool/given/reference.ts'
import { stringInput } from '../tool/input/string-input.ts'
import type { Finding } from './finding.ts'
import { type Given, givenByPart, givenByWhole } from './given-input.ts'
import { judgeEdge } from './judge-edge.ts'
import { partPath, type Place, type PlacedPart } from './survey.ts'

/** Compares every field of a mapping with its origin: a field that is not there, one that nobody can tell, and the input that they make. */
export function judgeMapping(whole: Place, index: number, mapping: Mapping): readonly Finding[] {
  const { part, place } = whole.parts[index] as PlacedPart
  if (place === undefined) return []
  const reading = new MappingReading(whole, index, place.behaviour.input.schema)
  const made = reading.read(mapping, [])
  const from = `the mapping ${part.adapter?.name ?? ''}`
  const given: Given = { from, asText: isReference(mapping), promised: () => reading.promised, schema: made?.schema ?? {} }
  // A step that takes a text takes the text of anything.
  if (place.behaviour.input === stringInput) return reading.findings.filter(({ severity }) => severity === 'error')
  if (made === undefined) return reading.findings
  return [...reading.findings, ...judgeEdge({ path: partPath(whole, part), to: `'${part.label}'`, given, place })]
}

interface Made {
  readonly schema: JsonSchema
  readonly isOptional: boolean
}

class MappingReading {
  readonly findings: Finding[] = []
  readonly promised: Excess[] = []
  readonly #whole: Place
  readonly #index: number
  readonly #takes: JsonSchema

  constructor(whole: Place, index: number, takes: JsonSchema) {
    this.#whole = whole
    this.#index = index
    this.#takes = takes
  }

  /** The schema of the value at a place in the input. Undefined where it is unknown and the step does not say what it takes there either. */
  read(field: MappingField, at: readonly string[]): Made | undefined {
    if (isReference(field)) return this.#origin(field, at) ?? this.#asTaken(at)
    if (typeof field !== 'object' || field === null) return { schema: { const: field }, isOptional: false }
    return Array.isArray(field) ? this.#list(field, at) : this.#record(field as Readonly<Record<string, MappingField>>, at)
  }

  #record(fields: Readonly<Record<string, MappingField>>, at: readonly string[]): Made {
    const read = Object.entries(fields).map(([key, each]) => ({ key, made: this.read(each, [...at, key]) ?? ANYTHING }))
    const { schemas, root } = embedSchemas(read.map(({ made }) => made.schema))
    const properties = Object.fromEntries(read.map(({ key }, position) => [key, schemas[position]]))
    const required = read.filter(({ made }) => !made.isOptional).map(({ key }) => key)
    return { schema: { type: 'object', properties, required, additionalProperties: false, ...root }, isOptional: false }
  }

  /** An item that is not there is null. */
  #list(items: readonly MappingField[], at: readonly string[]): Made {
    const read = items.map((each, position) => this.read(each, [...at, String(position)]) ?? ANYTHING)
    const { schemas, root } = embedSchemas(
      read.map(({ schema, isOptional }) => (isOptional ? { anyOf: [schema, { type: 'null' }] } : schema)),
    )
    return { schema: { type: 'array', prefixItems: schemas, items: false, minItems: items.length, ...root }, isOptional: false }
  }

  /** Undefined where the origin does not say. */
  #origin(reference: Reference, at: readonly string[]): Made | undefined {
    if (leadsToText(reference)) return { schema: { type: 'string' }, isOptional: false }
    const given = this.#givenBy(reference)
    if (given?.schema === undefined) {
      this.#add(at, 'unknown', given === undefined ? 'only the run decides it' : given.unknown, given?.hint)
      return undefined
    }
    const path = fieldsOfReference(reference)
    const found = fieldSchema(given.schema, path)
    if (found === 'missing') this.#add(at, 'missing', `${given.from} has no field '${path.join('.')}'`)
    if (found === 'unknown') this.#add(at, 'unknown', `the schema of ${given.from} does not say what '${path.join('.')}' is`)
    if (typeof found === 'string') return undefined
    this.promised.push(...movedTo(at, path, given.promised()))
    return found
  }

  #givenBy(reference: Reference): Given | undefined {
    const { parts } = this.#whole
    const step = stepOfReference(reference)
    if (step !== undefined) return givenByPart(parts.find(({ part }) => part.label === step))
    if (reference.path[0] === 'input' || this.#index === 0) return givenByWhole(this.#whole)
    return givenByPart(parts[this.#index - 1])
  }

  /** In place of a value that is not known: what the step takes there, so that the other fields can be judged. */
  #asTaken(at: readonly string[]): Made | undefined {
    const found = fieldSchema(this.#takes, at)
    return typeof found === 'string' ? undefined : { ...found, isOptional: false }
  }

  #add(at: readonly string[], kind: 'missing' | 'unknown', why: string, hint?: string): void {
    const { part } = this.#whole.parts[this.#index] as PlacedPart
    const field = fieldPath(at)
    const path = partPath(this.#whole, part)
    const what = field === '' ? `the input of '${part.label}'` : `'${field}' of '${part.label}'`
    this.findings.push(
      kind === 'missing'
        ? {
            severity: 'error',
            code: 'edge_does_not_fit',
            path,
            field,
            message: `Nothing can fill ${what}: ${why}.`,
            hint: 'Correct the path in from(...).',
          }
        : {
            ...{ severity: 'note', code: 'edge_unknown', path, field },
            message: `Nobody can tell whether ${what} takes what it is given: ${why}.`,
            hint: hint ?? 'Say more in the schema of the origin.',
          },
    )
  }
}

const ANYTHING: Made = { schema: {}, isOptional: false }

function fieldPath(at: readonly string[]): string {
  return at.reduceRight((path, key) => joinPath(fieldStep(key), path), '')
}

/** Checks beyond the schema, of the field at `path`, as checks of the input at `at`. */
function movedTo(at: readonly string[], path: readonly (string | number)[], promised: readonly Excess[]): readonly Excess[] {
  const origin = path.reduceRight<string>((rest, key) => joinPath(typeof key === 'number' ? '[]' : fieldStep(key), rest), '')
  const target = fieldPath(at)
  return promised.flatMap((each) => {
    if (each.path === origin) return [{ ...each, path: target }]
    if (origin === '') return [{ ...each, path: joinPath(target, each.path) }]
    const rest = each.path.startsWith(`${origin}.`)
      ? each.path.slice(origin.length + 1)
      : each.path.startsWith(`${origin}[`)
        ? each.path.slice(origin.length)
        : undefined
    return rest === undefined ? [] : [{ ...each, path: joinPath(target, rest) }]
  })
}
