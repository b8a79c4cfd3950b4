import { dereference, isRecord, type JsonSchema } from '../schema/json-schema.ts'
import type { ToolSpecification } from '../tool/agent-tool.ts'
import { didYouMean } from '../schema/did-you-mean.ts'
import { nearestNames } from '../schema/nearest-names.ts'
import { shellWord } from '../tool/shell-word.ts'
import { CliError } from './cli-error.ts'

type Fields = Record<string, unknown>

const PAIR = /^([A-Za-z_$][\w$-]*(?:\.[\w$-]+)*)=([\s\S]*)$/

/**
 * The arguments that words on the command line stand for: `key=value` pairs, typed by the schema, with `a.b=1` for a field inside. A tool that takes one text
 * takes all the words as that text; where exactly one field is required, a word without a key is its value.
 */
export function pairsToArguments(words: readonly string[], { name, parameters }: ToolSpecification): Fields {
  const choices = choicesOf(parameters, parameters)
  const fields = fieldNames(choices)
  if (isOneText(choices, fields)) return { input: words.join(' ').replace(/^input=/, '') }
  const given: Fields = Object.create(null) as Fields
  for (const word of words) {
    const pair = PAIR.exec(word)
    if (pair === null) checkBare(word, words, choices)
    const [path, text] = pair === null ? [soleField(word, choices, name), word] : [pair[1] ?? '', pair[2] ?? '']
    put(given, { path: fields.includes(path) ? [path] : path.split('.'), text }, { name, parameters })
  }
  return given
}

/** Two ways to write an input that a person expects to work, and that would be taken for something else. */
function checkBare(word: string, words: readonly string[], choices: readonly JsonSchema[]): void {
  const fields = fieldNames(choices)
  const object = /^\s*\{/.test(word) ? json(word, undefined) : undefined
  const keys = isRecord(object) ? Object.keys(object) : []
  if (keys.length > 0 && keys.every((key) => fields.includes(key)))
    throw new CliError('usage', 'An object of JSON is not taken as a word.', {
      hint: `Write: --input ${shellWord(word)}${soleHint(word, choices)}`,
    })
  const bare = words.filter((each) => !PAIR.test(each))
  const [sole] = requiredFields(choices)
  if (sole === undefined || bare.length < 2 || !isText(fieldSchema(choices, sole))) return
  throw new CliError('usage', `'${sole}' is one text, and ${bare.length} words are given.`, {
    hint: `Put it in quotation marks: ${shellWord(bare.join(' '))}`,
  })
}

function soleHint(word: string, choices: readonly JsonSchema[]): string {
  const [sole] = requiredFields(choices)
  return sole !== undefined && isText(fieldSchema(choices, sole))
    ? `\nOr, if it is the text of '${sole}': ${shellWord(`${sole}=${word}`)}`
    : ''
}

function isText(schema: unknown): boolean {
  return [...typesOf(choicesOf(schema, {}))].join() === 'string'
}

/** Whether the tool takes one text, and requires it. */
export function wantsText({ parameters }: ToolSpecification): boolean {
  const choices = choicesOf(parameters, parameters)
  return isOneText(choices, fieldNames(choices)) && requiredFields(choices).includes('input')
}

function isOneText(choices: readonly JsonSchema[], fields: readonly string[]): boolean {
  return fields.length === 1 && fields[0] === 'input' && isText(fieldSchema(choices, 'input'))
}

/** The one required field, for a word without a key. */
function soleField(word: string, choices: readonly JsonSchema[], name: string): string {
  const required = requiredFields(choices)
  const [sole] = required
  if (sole !== undefined && required.length === 1) return sole
  throw new CliError('usage', `'${word}' names no field of '${name}'.`, {
    hint: `Write key=value. The fields are: ${fieldNames(choices).join(', ') || 'none'}.`,
  })
}

function requiredFields(choices: readonly JsonSchema[]): readonly string[] {
  return choices.flatMap((choice) => (Array.isArray(choice['required']) ? choice['required'].map(String) : []))
}

interface Assignment {
  readonly path: readonly string[]
  readonly text: string
}

function put(given: Fields, { path, text }: Assignment, { name, parameters }: Pick<ToolSpecification, 'name' | 'parameters'>): void {
  let place: Fields | unknown[] = given
  let schema: unknown = parameters
  for (const [depth, key] of path.entries()) {
    const choices = choicesOf(schema, parameters)
    const whole = path.slice(0, depth + 1).join('.')
    if (!Array.isArray(place)) checkField(path.slice(0, depth + 1), choices, name)
    else if (!/^\d+$/.test(key)) throw new CliError('usage', `'${whole}' is no item: those of a list are numbered, from 0 on.`)
    schema = fieldSchema(choices, key)
    if (Array.isArray(place) && Number(key) > place.length)
      throw new CliError('usage', `'${whole}' leaves a gap: the items before it are not given.`)
    const there: unknown = read(place, key)
    if (depth === path.length - 1) {
      const value = typedValue(text, schema, parameters)
      if (there === undefined) write(place, key, value)
      else if (Array.isArray(there) && Array.isArray(value)) there.push(...value)
      else throw new CliError('usage', `'${whole}' is given twice.`)
      return
    }
    const isList = /^\d+$/.test(path[depth + 1] ?? '') && typesOf(choicesOf(schema, parameters)).has('array')
    const next: unknown = there ?? (isList ? [] : Object.create(null))
    if (typeof next !== 'object' || next === null)
      throw new CliError('usage', `'${whole}' is given as a value and as something with fields.`)
    if (there === undefined) write(place, key, next)
    place = next as Fields | unknown[]
  }
}

/** A tool drops unknown fields; a person who mistypes a name should get an error. */
function checkField(path: readonly string[], choices: readonly JsonSchema[], name: string): void {
  const fields = fieldNames(choices)
  const key = path.at(-1) ?? ''
  if (fields.includes(key) || takesMoreFields(choices)) return
  const whole = (field: string): string => [...path.slice(0, -1), field].join('.')
  const near = nearestNames(key, fields).map(whole)
  throw new CliError('usage', `'${name}' has no field '${whole(key)}'.`, {
    hint: didYouMean(near, `The fields are: ${fields.map(whole).join(', ') || 'none'}.`),
  })
}

function read(place: Fields | unknown[], key: string): unknown {
  if (Array.isArray(place)) return place[Number(key)]
  return Object.hasOwn(place, key) ? place[key] : undefined
}

/** A place that was given as JSON has a prototype, which `__proto__` must not reach. */
function write(place: Fields | unknown[], key: string, value: unknown): void {
  if (Array.isArray(place)) place[Number(key)] = value
  else Object.defineProperty(place, key, { value, enumerable: true, writable: true, configurable: true })
}

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/

/**
 * The value that a text on the command line stands for. A text stays a text wherever the schema takes one. A text that does not fit stays a text too,
 * and the tool reports the error.
 */
function typedValue(text: string, schema: unknown, root: JsonSchema): unknown {
  const choices = choicesOf(schema, root)
  const types = typesOf(choices)
  if (types.has('string')) return text
  if (types.size === 0) return json(text, text)
  if ((types.has('number') || types.has('integer')) && NUMBER.test(text)) return Number(text)
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if (types.has('null') && text === 'null') return null
  const parsed = /^\s*[[{]/.test(text) ? json(text, undefined) : undefined
  if (Array.isArray(parsed) ? types.has('array') : parsed !== undefined && types.has('object')) return parsed
  return types.has('array') ? [typedValue(text, itemSchema(choices), root)] : text
}

function itemSchema(choices: readonly JsonSchema[]): unknown {
  return choices.find(({ items }) => items !== undefined)?.['items'] ?? { type: 'string' }
}

function json(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return otherwise
  }
}

/** References and choices may form a cycle. */
const MOST_DEPTH = 8

/** The schemas that a value may follow: the schema itself, what it refers to, and its alternatives. */
function choicesOf(schema: unknown, root: JsonSchema, depth = 0): readonly JsonSchema[] {
  if (!isRecord(schema) || depth > MOST_DEPTH) return []
  const target = dereference(schema['$ref'], root)
  const inner = [target, ...['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => listOf(schema[keyword]))]
  return [schema, ...inner.flatMap((each) => choicesOf(each, root, depth + 1))]
}

/** The types that the choices name; empty where they name none, and any type fits. */
function typesOf(choices: readonly JsonSchema[]): ReadonlySet<string> {
  return new Set(
    choices.flatMap(({ type, const: only, enum: several, properties }) => {
      if (type !== undefined) return Array.isArray(type) ? type.map(String) : [String(type)]
      if (properties !== undefined) return ['object']
      return [...(only === undefined ? [] : [only]), ...listOf(several)].map(typeOf)
    }),
  )
}

/** The schema of a field or of an item; undefined where the choices do not describe it. */
function fieldSchema(choices: readonly JsonSchema[], key: string): unknown {
  for (const { properties, items, prefixItems, additionalProperties } of choices) {
    if (isRecord(properties) && Object.hasOwn(properties, key)) return properties[key]
    if (/^\d+$/.test(key)) {
      const item = listOf(prefixItems)[Number(key)] ?? items
      if (isRecord(item)) return item
    }
    if (isRecord(additionalProperties)) return additionalProperties
  }
  return undefined
}

/** The fields that the choices declare. */
function fieldNames(choices: readonly JsonSchema[]): readonly string[] {
  return [...new Set(choices.flatMap(({ properties }) => (isRecord(properties) ? Object.keys(properties) : [])))]
}

/** Whether fields beyond the declared ones are allowed. */
function takesMoreFields(choices: readonly JsonSchema[]): boolean {
  const isDeclared = choices.some(({ properties, additionalProperties }) => isRecord(properties) || additionalProperties === false)
  return !isDeclared || choices.some(isOpen)
}

const COMPOSED = ['$ref', 'anyOf', 'oneOf', 'allOf', 'properties', 'additionalProperties', 'const', 'enum', 'required', 'not']

/** The choice allows more fields, or does not describe fields at all. */
function isOpen(choice: JsonSchema): boolean {
  const { additionalProperties: more, patternProperties, type } = choice
  if (more === true || isRecord(more) || patternProperties !== undefined) return true
  return (type === undefined || type === 'object') && !COMPOSED.some((keyword) => choice[keyword] !== undefined)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
