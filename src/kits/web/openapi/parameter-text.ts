import { isRecord } from '../../../schema/json-schema.ts'
import { ToolError } from '../../../tool/errors/tool-error.ts'
import { EncodedText, plainText } from '../url-template.ts'

/** How a parameter is written: its place, its style, and whether its parts are parameters of their own. */
export interface ParameterForm {
  readonly name: string
  /** The field of the input, for messages. */
  readonly field: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly style: string
  readonly explode: boolean
  /** The value is written as JSON. */
  readonly isJson: boolean
}

type Pairs = readonly (readonly [name: string, value: string])[]

/** The parameters of a query or a form that a value becomes. */
export function queryPairs(form: ParameterForm, value: unknown): Pairs {
  const { name, style, explode, isJson } = form
  if (value === undefined) return []
  if (isJson) return [[name, JSON.stringify(value)]]
  if (style === 'deepObject') return deepPairs(form, name, value)
  if (Array.isArray(value)) {
    const items = value.map((each) => partText(form, each))
    return explode
      ? items.map((item) => [name, item] as const)
      : value.length === 0
        ? []
        : [[name, joined(form, items, DELIMITERS[style] ?? ',')]]
  }
  if (!isRecord(value)) return [[name, partText(form, value)]]
  const entries = entriesOf(form, value)
  if (explode) return entries.flatMap(([key, each]) => queryPairs({ ...form, name: key }, each))
  const parts = entries.flatMap(([key, each]) => [key, partText(form, each)])
  return parts.length === 0 ? [] : [[name, joined(form, parts, DELIMITERS[style] ?? ',')]]
}

const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' }

/** `filter[price][from]=1`; items of lists are numbered. */
function deepPairs(form: ParameterForm, name: string, value: unknown): Pairs {
  if (value === undefined) return []
  if (Array.isArray(value)) return value.flatMap((each, index) => deepPairs(form, `${name}[${index}]`, each))
  if (isRecord(value)) return entriesOf(form, value, /[[\]]/).flatMap(([key, each]) => deepPairs(form, `${name}[${key}]`, each))
  return [[name, partText(form, value)]]
}

/** The text of a header or a cookie; undefined where the value is missing. */
export function plainParameter(form: ParameterForm, value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (form.isJson) return JSON.stringify(value)
  if (!Array.isArray(value) && !isRecord(value)) return partText(form, value)
  return joined(form, partsOf(form, value), ',')
}

/** The text of a parameter in the path, encoded. */
export function pathParameter(form: ParameterForm, value: unknown): EncodedText {
  const { style, explode, name, isJson } = form
  if (isJson) return new EncodedText(encodeURIComponent(JSON.stringify(value)))
  const isPlain = !Array.isArray(value) && !isRecord(value)
  const parts = Array.isArray(value) || isRecord(value) ? encodedParts(form, value) : [encode(form, partText(form, value))]
  if (parts.length === 0 || (isPlain && parts[0] === '')) throw unfit(`'${form.field}' is empty: it is a part of the path of the URL.`)
  // A dot is the one delimiter that no encoding changes.
  if (style === 'label') return new EncodedText(`.${explode && !isPlain ? joined(form, parts, '.') : parts.join(',')}`)
  if (style !== 'matrix') return new EncodedText(parts.join(','))
  const key = encodeURIComponent(name)
  if (!explode || isPlain) return new EncodedText(`;${key}=${parts.join(',')}`)
  return new EncodedText(parts.map((part) => (isRecord(value) ? `;${part}` : `;${key}=${part}`)).join(''))
}

function encodedParts(form: ParameterForm, value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map((each) => encode(form, partText(form, each)))
  const entries = entriesOf(form, value as object).map(([key, each]) => [encode(form, key), encode(form, partText(form, each))] as const)
  return form.explode ? entries.map(([key, each]) => `${key}=${each}`) : entries.flat()
}

function encode({ field }: ParameterForm, text: string): string {
  if (/\p{Cc}/u.test(text)) throw unfit(`'${field}' holds a control character, and it is a part of the URL.`)
  return encodeURIComponent(text)
}

function partsOf(form: ParameterForm, value: object): readonly string[] {
  if (Array.isArray(value)) return value.map((each) => partText(form, each))
  return form.explode
    ? entriesOf(form, value, /=/).map(([key, each]) => `${key}=${partText(form, each)}`)
    : entriesOf(form, value).flatMap(([key, each]) => [key, partText(form, each)])
}

/** The fields of an object that are given. A name that holds what stands between names would arrive as another one. */
function entriesOf(form: ParameterForm, value: object, forbidden?: RegExp): readonly (readonly [key: string, value: unknown])[] {
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  for (const [key] of entries) {
    partText(form, key)
    const [found] = forbidden?.exec(key) ?? []
    if (found !== undefined) throw unfit(`A name in '${form.field}' holds '${found}', which ends a name here.`)
  }
  return entries
}

/** A part that holds the delimiter would arrive as two, also if it is the only one. */
function joined({ field }: ParameterForm, parts: readonly string[], delimiter: string): string {
  if (parts.some((part) => part.includes(delimiter)))
    throw unfit(`An item of '${field}' holds '${delimiter}', which stands between items here.`)
  return parts.join(delimiter)
}

function partText({ field }: ParameterForm, value: unknown): string {
  const text = value === null ? '' : plainText(value)
  if (text === undefined) throw unfit(`'${field}' holds a value that is nested too deeply to be a parameter.`)
  if (!text.isWellFormed()) throw unfit(`'${field}' holds half of a surrogate pair, which a request cannot hold.`)
  return text
}

function unfit(message: string): ToolError {
  return new ToolError(message, { code: 'invalid_input', outcome: 'not_started' })
}
