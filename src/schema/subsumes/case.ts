import { isDeepStrictEqual } from 'node:util'
import { dereference, type JsonSchema } from '../json-schema.ts'
import { isScalar, type Judge } from './judge.ts'
import { ALL_TYPES, isAnything, NOTHING, NULL, schemaOf, schemasIn, typeOf, typesNamed } from './keywords.ts'

interface Draft extends Pick<Case, 'parts' | 'choices' | 'excluded' | 'unread'> {
  /** It says itself that it takes nothing. */
  readonly isNever?: boolean | undefined
}

/** An option that was chosen, and the list of options that it was chosen from. */
interface Choice {
  readonly from: unknown
  readonly option: JsonSchema
}

type Traits = Pick<Case, 'types' | 'typed' | 'values'>

/** One way to satisfy a schema: references followed, and one option chosen of every union. A value satisfies the schema if it satisfies a case. */
export class Case {
  /** Must all hold. Their references and unions are those that were followed and chosen from. */
  readonly parts: readonly JsonSchema[]
  /** From the outermost union inwards. */
  readonly choices: readonly Choice[]
  /** The options of `oneOf` that were not chosen: they must not hold. */
  readonly excluded: readonly JsonSchema[]
  /** Why not all is known that must hold. */
  readonly unread: string | undefined
  /** Of these types; all of them where the schema does not say, none where nothing can satisfy the case. */
  readonly types: number
  readonly typed: boolean
  /** One of these, where `const` or `enum` list them. */
  readonly values: readonly unknown[] | undefined
  /** An engine that follows the schema may not come back. */
  get isEndless(): boolean {
    return this.unread === ENDLESS
  }

  constructor({ parts, choices, excluded, unread }: Draft, { types, typed, values }: Traits) {
    this.parts = parts
    this.choices = choices
    this.excluded = excluded
    this.unread = unread
    this.types = types
    this.typed = typed
    this.values = values
  }

  /** The same, where more must hold. */
  with(part: JsonSchema): Case {
    return new Case({ ...this, parts: [...this.parts, part] }, this)
  }
}

/** A schema may be a product of unions: more cases than this are not worth a comparison. */
const MAX_CASES = 256

/** So many references and unions may stand inside each other. */
const MAX_HOPS = 64

/** An engine may find no end to such a schema, whichever option is chosen. */
const ENDLESS = 'refers to itself without an end'

/** Takes schemas of one root apart. */
export class CaseReader {
  readonly #root: JsonSchema
  readonly #judge: Judge

  constructor(root: JsonSchema, judge: Judge) {
    this.#root = root
    this.#judge = judge
  }

  /** The cases of a schema, and those that nothing can satisfy too: a typed tool may take them for options all the same. */
  read(schema: JsonSchema): readonly Case[] {
    if (isAlone(schema)) return [this.#finish(draftOf(schema))]
    const drafts = this.#expand(schema, [])
    const isEndless = drafts.some((draft) => draft.unread === ENDLESS)
    return drafts.map((draft) => this.#finish(isEndless ? { ...draft, unread: ENDLESS } : draft))
  }

  #expand(schema: JsonSchema, within: readonly JsonSchema[]): readonly Draft[] {
    const { $ref, $dynamicRef, $recursiveRef, $id, allOf, anyOf, oneOf, not } = schema
    if (schema === NOTHING) return []
    if (not !== undefined && isAnything(schemaOf(not))) return [{ ...draftOf(schema), isNever: true }]
    let drafts: readonly Draft[] = [draftOf(schema)]
    if ($dynamicRef !== undefined || $recursiveRef !== undefined || ($id !== undefined && schema !== this.#root)) {
      drafts = product(drafts, unreadable('has references that depend on where they stand'))
    }
    if (($ref ?? allOf ?? anyOf ?? oneOf) === undefined) return drafts
    if (within.includes(schema)) return unreadable(ENDLESS)
    if (within.length > MAX_HOPS) return unreadable('refers to others too often')
    const here = [...within, schema]
    if ($ref !== undefined) drafts = product(drafts, this.#follow($ref, here))
    for (const each of schemasIn(allOf)) drafts = product(drafts, this.#expand(each, here))
    if (anyOf !== undefined) {
      const options = schemasIn(anyOf).flatMap((option) => this.#choose(option, { from: anyOf, within: here }))
      drafts = product(drafts, options)
    }
    return oneOf === undefined ? drafts : product(drafts, this.#chooseOne(oneOf, here))
  }

  #choose(option: JsonSchema, { from, within }: { from: unknown; within: readonly JsonSchema[] }): readonly Draft[] {
    return this.#expand(option, within).map((draft) => ({ ...draft, choices: [{ from, option }, ...draft.choices] }))
  }

  #chooseOne(from: unknown, within: readonly JsonSchema[]): readonly Draft[] {
    const options = schemasIn(from)
    return options.flatMap((option, chosen) => {
      const others = options.filter((_, index) => index !== chosen)
      return this.#choose(option, { from, within }).map((draft) => ({ ...draft, excluded: [...draft.excluded, ...others] }))
    })
  }

  #follow($ref: unknown, within: readonly JsonSchema[]): readonly Draft[] {
    const target = dereference($ref, this.#root)
    return target === undefined ? unreadable('refers to a schema that is not at hand') : this.#expand(target, within)
  }

  #finish(draft: Draft): Case {
    let types = draft.isNever === true ? 0 : ALL_TYPES
    let typed = false
    let values: readonly unknown[] | undefined
    for (const part of draft.parts) {
      if (part['type'] !== undefined) {
        types &= typesNamed(part['type']) | (part['nullable'] === true ? NULL : 0)
        typed = true
      }
      if ('const' in part) values = common(values, [part['const']])
      if (Array.isArray(part['enum'])) values = common(values, part['enum'])
    }
    if (values !== undefined) {
      values = values.filter((value) => (typeOf(value) & types) !== 0 && this.#mayHold(value, draft.parts))
      types = values.reduce<number>((all, value) => all | typeOf(value), 0)
      typed = true
    }
    return new Case(draft, { types, typed, values })
  }

  #mayHold(value: unknown, parts: readonly JsonSchema[]): boolean {
    return !isScalar(value) || parts.every((part) => this.#judge.judgeAlone(value, part) !== 'no')
  }
}

const APPLIED = ['$ref', '$dynamicRef', '$recursiveRef', '$id', 'allOf', 'anyOf', 'oneOf', 'not']

/** Nothing applies but its own keywords. */
function isAlone(schema: JsonSchema): boolean {
  return !APPLIED.some((keyword) => schema[keyword] !== undefined)
}

function draftOf(schema: JsonSchema): Draft {
  return { parts: isAnything(schema) ? [] : [schema], choices: [], excluded: [], unread: undefined }
}

function unreadable(why: string): readonly Draft[] {
  return [{ parts: [], choices: [], excluded: [], unread: why }]
}

function product(some: readonly Draft[], others: readonly Draft[]): readonly Draft[] {
  if (some.length * others.length > MAX_CASES) return some.map((one) => ({ ...one, unread: one.unread ?? 'has too many options' }))
  return some.flatMap((one) =>
    others.map((other) => ({
      parts: [...one.parts, ...other.parts.filter((part) => !one.parts.includes(part))],
      choices: [...one.choices, ...other.choices],
      excluded: [...one.excluded, ...other.excluded],
      unread: one.unread ?? other.unread,
      isNever: one.isNever === true || other.isNever === true,
    })),
  )
}

function common(known: readonly unknown[] | undefined, listed: readonly unknown[]): readonly unknown[] {
  return known === undefined ? listed : known.filter((value) => listed.some((each) => isDeepStrictEqual(each, value)))
}
