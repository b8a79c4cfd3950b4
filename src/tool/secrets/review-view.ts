import { types } from 'node:util'
import { isPlainRecord, type JsonSchema } from '../../schema/json-schema.ts'
import type { KnownSecrets } from './known-secrets.ts'
import { maskWords } from './mask-text.ts'
import { SecretFields } from './secret-fields.ts'
import { isCredentialName } from './sensitive-name.ts'
import { ValueView } from './value-view.ts'
import { NotShowable, plainForm } from './walk.ts'

/**
 * A view of an input for the person who decides about it. A mask replaces a field that the schema declares as a secret, or that the schema
 * lists under the name of a credential, and the words in which a secret of the provider stands. Nothing else is hidden: no field can hide
 * another, and a field that the schema does not list is shown whatever its name. Throws `NotShowable` if a part of the value cannot be shown. Nobody can change the view.
 */
export function reviewView(value: unknown, schema: JsonSchema, revealed: KnownSecrets): unknown {
  return new ValueView(new SecretFields(schema, true), {
    text: (text) => maskWords(text, revealed),
    plain: reviewForm,
    check: checkShowable,
    isApart: true,
    isFrozen: true,
    hides: ({ isDeclared }, name, isListed) => isDeclared ?? (isListed && name !== undefined && isCredentialName(name)),
    onStop: (why) => {
      throw new NotShowable(why)
    },
  }).of(value)
}

/** An object as a tool gets it. What an instance says of itself in `toJSON` may be a lie: its own fields are shown, if it has any. */
function reviewForm(value: object): unknown {
  if (types.isAnyArrayBuffer(value)) return new Uint8Array(value)
  if (types.isRegExp(value)) return String(value)
  if (isPlainRecord(value) || value instanceof Date) return value
  const isShownByFields = !(value instanceof Error) && !types.isStringObject(value) && Object.keys(value).length > 0
  const plain = isShownByFields ? { ...value } : plainForm(value)
  if (plain === value) throw new NotShowable(`nobody can see what is in ${nameOf(value)}`)
  return plain
}

function nameOf(value: object): string {
  const { constructor } = value
  return typeof constructor === 'function' && constructor.name !== '' ? `an object of type '${constructor.name}'` : 'one of its objects'
}

/** What no text shows is refused: code, and fields beside the contents of an object that is shown by its contents. */
function checkShowable(value: unknown): void {
  if (typeof value === 'function' || typeof value === 'symbol') throw new NotShowable(`it has a ${typeof value}`)
  if (typeof value !== 'object' || value === null) return
  if (Object.getOwnPropertySymbols(value).some((key) => Object.prototype.propertyIsEnumerable.call(value, key)))
    throw new NotShowable('a field of it is named by a symbol')
  // The other kinds are told apart by slow calls, and most of what is nested is lists.
  if (Array.isArray(value)) return
  const shown = types.isStringObject(value) ? value.length : isContainer(value) ? 0 : undefined
  if (shown !== undefined && Object.keys(value).length > shown) throw new NotShowable(`${nameOf(value)} has fields beside its contents`)
}

function isContainer(value: object): boolean {
  return types.isMap(value) || types.isSet(value) || types.isNumberObject(value) || types.isDate(value) || types.isRegExp(value)
}
