import { fromDraft07, isDraft07 } from '../from-draft-07.ts'
import { frozen } from '../frozen.ts'
import { isRecord, type JsonSchema } from '../json-schema.ts'
import { SchemaError } from '../schema-error.ts'
import { oddName } from '../odd-name.ts'
import { quote } from '../quote.ts'
import { Builder, type Built } from './build-codec.ts'
import type { DialectCost, LostPart, MovedRule, NarrowedPart } from './building.ts'
import { type Keys, Trail } from './codec.ts'
import { compatibleTuples } from './compatible-tuples.ts'
import {
  DIALECT_RULES,
  DIALECT_TARGETS,
  type DialectLimits,
  type DialectRules,
  type DialectTarget,
  isDialectTarget,
  UNLIMITED,
} from './dialect-rules.ts'

/** What may be said otherwise than the target's rules do. */
export interface DialectOptions {
  /** Instead of the limits that the vendor was known for. */
  readonly limits?: Partial<DialectLimits> | undefined
  /** How Gemini gets null: `nullable` in its own `parameters`, `type` in `parametersJsonSchema`. */
  readonly nulls?: DialectRules['nulls'] | undefined
}

const OPTIONS = Object.keys({ limits: true, nulls: true } satisfies Record<keyof DialectOptions, true>)
const LIMITS = Object.keys(UNLIMITED)

/** A value of a model in the original shape, with the way back for the places that errors name. */
export interface DecodedValue {
  readonly value: unknown
  readonly toDialect: (keys: Keys) => Keys
}

/** A schema as a vendor takes it, and the ways between its values and those of the original. */
export interface Dialect {
  readonly target: DialectTarget
  /** For the vendor. Undefined where it wants none: a Gemini function without parameters. */
  readonly schema: JsonSchema | undefined
  /** The value in the original shape, not yet validated. Throws `Refused` for what has no meaning, such as a key that is given twice. */
  readonly decode: (value: unknown) => unknown
  /** The same, and the places of its parts in what the model sent. */
  readonly read: (value: unknown) => DecodedValue
  /** A valid value as a model would send it: for examples, and for earlier calls in a transcript. */
  readonly encode: (value: unknown) => unknown
  /** Rules that now stand in a description. Our own validation still holds them. */
  readonly moved: readonly MovedRule[]
  /** Parts that are sent as JSON text, or not at all. */
  readonly lost: readonly LostPart[]
  /** Valid values that a model can no longer send. */
  readonly narrowed: readonly NarrowedPart[]
  /** The share of the vendor's limits. */
  readonly cost: DialectCost
}

/**
 * Rewrites a JSON Schema for a vendor's strict mode. Values are decoded to the original shape, and validated by the original schema: nothing
 * is allowed that was not.
 * @example
 * const { schema, decode } = dialect({ type: 'object', properties: { city: { type: 'string' } } }, 'openai-strict')
 * console.log(schema?.['required'], decode({ city: null })) // [ 'city' ] {}
 */
export function dialect(schema: JsonSchema, target: DialectTarget, options: DialectOptions = {}): Dialect {
  if (!isDialectTarget(target))
    throw new SchemaError('invalid_schema', `There is no dialect ${quote(target)}. Use one of: ${DIALECT_TARGETS.join(', ')}.`)
  const problem =
    oddName(options, OPTIONS, 'The options of dialect') ?? oddName(options.limits ?? {}, LIMITS, "The options of 'limits' of dialect")
  if (problem !== undefined) throw new SchemaError('invalid_option', problem)
  if (!isRecord(schema)) throw new SchemaError('invalid_schema', `A dialect needs a JSON Schema, not ${quote(schema)}.`)
  const { $schema: line, ...bare } = schema
  const root = isDraft07(line) ? fromDraft07(bare) : bare
  if (target === 'mcp') return unchanged(compatibleTuples(root))
  const known = DIALECT_RULES[target]
  const rules = { ...known, nulls: options.nulls ?? known.nulls, limits: { ...known.limits, ...options.limits } }
  return dialectOf(withinLimits(root, rules), { target, rules })
}

function unchanged(schema: JsonSchema): Dialect {
  return Object.freeze<Dialect>({
    target: 'mcp',
    schema: frozen(schema),
    decode: (value) => value,
    read: (value) => ({ value, toDialect: (keys) => keys }),
    encode: (value) => value,
    moved: [],
    lost: [],
    narrowed: [],
    cost: { optionals: 0, unions: 0, characters: JSON.stringify(schema).length },
  })
}

/** The unions of the schema itself come first; null for optional properties takes the rest. How many they are shows the first try. */
function withinLimits(root: JsonSchema, rules: DialectRules): Built {
  const { optionals, unions } = rules.limits
  const first = new Builder(root, rules, { optionals, nulls: Infinity, unions: Infinity }).buildRoot()
  if (first.report.unions <= unions) return first
  const own = first.report.unions - first.report.nulls
  return new Builder(root, rules, { optionals, nulls: Math.max(0, unions - own), unions }).buildRoot()
}

const WRAPPER = 'value'

function dialectOf(
  { codec, definitions, report }: Built,
  { target, rules }: { readonly target: DialectTarget; readonly rules: DialectRules },
): Dialect {
  const isWrapped = codec.schema['type'] !== 'object'
  const root = isWrapped
    ? {
        type: 'object',
        properties: { [WRAPPER]: codec.schema },
        required: [WRAPPER],
        ...(rules.closes ? { additionalProperties: false } : {}),
      }
    : codec.schema
  const isEmpty = !rules.emptyObjects && isRecord(root['properties']) && Object.keys(root['properties']).length === 0
  const whole = Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions }
  const read = (value: unknown): DecodedValue => {
    const trail = new Trail()
    const inside = isWrapped && isRecord(value) && Object.hasOwn(value, WRAPPER)
    const decoded = inside ? codec.decode(value[WRAPPER], trail.step([WRAPPER], [])) : codec.decode(value, trail)
    return { value: decoded, toDialect: (keys) => trail.toDialect(keys) }
  }
  return Object.freeze<Dialect>({
    target,
    schema: isEmpty ? undefined : frozen(whole),
    read,
    decode: (value) => read(value).value,
    encode: (value) => (isWrapped ? { [WRAPPER]: codec.encode(value) } : codec.encode(value)),
    moved: frozen(report.moved),
    lost: frozen(report.lost),
    narrowed: frozen(report.narrowed),
    cost: Object.freeze({ optionals: report.optionals, unions: report.unions, characters: JSON.stringify(whole).length }),
  })
}
