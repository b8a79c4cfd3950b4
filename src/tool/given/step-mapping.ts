import { fieldSchema } from '../../schema/field-schema.ts'
import { isPlainRecord } from '../../schema/json-schema.ts'
import { excerpt, quote } from '../../schema/quote.ts'
import type { AgentTool } from '../agent-tool.ts'
import { behaviourOf } from '../behaviour.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import type { Mapping, MappingField } from './fitting-mapping.ts'
import { fieldsOfReference, isReference, leadsToText, type Reference, stepOfReference } from './reference.ts'
import type { AnyGiven } from './step-given.ts'

/** A mapping is longer than this only in the plan, not in texts. */
const LONGEST_TEXT = 200

/** A mapping of its own: nobody who holds the given one can change it. `place` names it in messages: `The mapping before 'refund'`. */
export function ownMapping(given: unknown, place: string): Mapping {
  if (isReference(given)) return given
  if (!isPlainRecord(given))
    throw invalid(`${place} must be a record of fields, such as { id: from('find_order', 'id') }, not ${quote(given)}.`)
  return ownField(given, place) as Mapping
}

function ownField(given: unknown, place: string): MappingField {
  if (isReference(given) || given === null || typeof given === 'string' || typeof given === 'boolean') return given
  if (typeof given === 'number' && Number.isFinite(given)) return given
  if (Array.isArray(given)) return given.map((each: unknown, index) => ownField(each, `${place}, [${index}],`))
  if (!isPlainRecord(given))
    throw invalid(`${place} has a value that is neither data nor made by from(...): ${quote(given)}. Use an adapter.`)
  return Object.fromEntries(Object.entries(given).map(([key, each]) => [key, ownField(each, `${place}, '${key}',`)]))
}

/** A step before, to which a reference may lead. */
export interface StepBefore {
  readonly label: string
  readonly tool: AgentTool
}

/** Every reference to a step must lead to one of those before it, and to a field that its output schema does not rule out. */
export function checkMapping(mapping: MappingField, before: readonly StepBefore[], place: string): void {
  for (const reference of referencesIn(mapping)) {
    const label = stepOfReference(reference)
    if (label === undefined) continue
    const step = before.find((each) => each.label === label)
    if (step === undefined) {
      const known = before.length === 0 ? 'There is none.' : `There is: ${before.map((each) => each.label).join(', ')}.`
      throw invalid(`${place} takes ${referenceText(reference)}, but no step before it is called ${quote(label)}. ${known}`)
    }
    const { output, describesOutput = output } = behaviourOf(step.tool)
    if (leadsToText(reference) || describesOutput === undefined) continue
    if (fieldSchema(describesOutput.output, fieldsOfReference(reference)) === 'missing') {
      throw invalid(`${place} takes ${referenceText(reference)}, but the output schema of '${label}' has no such field.`)
    }
  }
}

/** All references of a mapping. */
function referencesIn(mapping: MappingField): readonly Reference[] {
  if (isReference(mapping)) return [mapping]
  if (typeof mapping !== 'object' || mapping === null) return []
  return (Array.isArray(mapping) ? mapping : Object.values(mapping)).flatMap(referencesIn)
}

/** It reads the input of the whole. */
export function readsInput(mapping: Mapping): boolean {
  return referencesIn(mapping).some(({ path }) => path[0] === 'input')
}

/** The value that a mapping makes. A field of a record that is not there is left out. */
export function applyMapping(mapping: MappingField, given: AnyGiven): unknown {
  if (isReference(mapping)) return valueAt(mapping, given)
  if (typeof mapping !== 'object' || mapping === null) return mapping
  if (Array.isArray(mapping)) return mapping.map((each: MappingField) => applyMapping(each, given) ?? null)
  const made = Object.entries(mapping).map(([key, each]: [string, MappingField]) => [key, applyMapping(each, given)] as const)
  return Object.fromEntries(made.filter(([, value]) => value !== undefined))
}

function valueAt(reference: Reference, given: AnyGiven): unknown {
  const step = stepOfReference(reference)
  if (step === undefined) return fieldAt(reference.path[0] === 'input' ? given.input : given.value, reference)
  const { results } = given
  const result = Object.hasOwn(results, step) ? results[step] : undefined
  if (result === undefined) throw new Error(`it takes ${referenceText(reference)}, but step '${step}' has no result, because it failed.`)
  return leadsToText(reference) ? result.text : fieldAt(result.value, reference)
}

function fieldAt(value: unknown, reference: Reference): unknown {
  let at = value
  for (const key of fieldsOfReference(reference)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Record<string | number, unknown>)[key]
  }
  return at
}

/** A mapping as people read it: `{ orderId: find_order.id, email: input.email, reason: "late" }`. */
export function mappingText(mapping: Mapping): string {
  return excerpt(fieldText(mapping), LONGEST_TEXT)
}

function fieldText(field: MappingField): string {
  if (isReference(field)) return referenceText(field)
  if (Array.isArray(field)) return `[${field.map(fieldText).join(', ')}]`
  if (typeof field !== 'object' || field === null) return JSON.stringify(field)
  const fields = Object.entries(field).map(([key, each]: [string, MappingField]) => `${key}: ${fieldText(each)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

/** `find_order.latest.id`, `input.email`. */
function referenceText(reference: Reference): string {
  const source = stepOfReference(reference) ?? String(reference.path[0])
  if (leadsToText(reference)) return `the text of ${source}`
  return [source, ...fieldsOfReference(reference)].join('.')
}

function invalid(message: string): ConfigurationError {
  return new ConfigurationError('invalid_definition', message)
}
