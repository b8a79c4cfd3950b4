/** A way in which a vendor wants the schemas of tools. */
export type DialectTarget = 'openai-strict' | 'anthropic-strict' | 'gemini' | 'mcp'

/** How much a vendor takes. */
export interface DialectLimits {
  /** Objects inside objects. Deeper ones become JSON text. */
  readonly depth: number
  readonly properties: number
  /** Values of all enums together. */
  readonly enumValues: number
  /** Characters of one enum of more than 250 values. */
  readonly longEnum: number
  /** Characters of all names, enums and constants together. */
  readonly characters: number
  /** Optional properties. */
  readonly optionals: number
  /** Unions. */
  readonly unions: number
  /** Strict tools of one request. */
  readonly tools: number
  /** How often a recursive schema is written out where there are no references. */
  readonly unrolled: number
}

/** What a vendor takes, as public material told it on a day. No vendor was asked. */
export interface DialectRules {
  readonly asOf: string
  /** Objects say `additionalProperties: false`. */
  readonly closes: boolean
  /** How an optional property is written: left out, or null in its place. */
  readonly absent: 'left out' | 'null'
  /** How null is written: as a type of its own, or by the word `nullable`. */
  readonly nulls: 'type' | 'nullable'
  /** The rules for values that may stay; all others move into the description. */
  readonly keywords: ReadonlySet<string>
  readonly formats: ReadonlySet<string>
  /** The most that `minItems` may say. */
  readonly mostMinItems: number
  readonly names: RegExp
  /** Recursive schemas are written with `$ref`. */
  readonly references: boolean
  /** Enums have texts only, and there is no `const`. */
  readonly textEnums: boolean
  /** Objects without properties are taken. */
  readonly emptyObjects: boolean
  /** A description may stand beside `anyOf`. */
  readonly describesUnions: boolean
  readonly limits: DialectLimits
}

const FORMATS = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']
const NUMBERS = ['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']

/** The usual limits of a target that names none. */
export const UNLIMITED: DialectLimits = {
  ...{ depth: 32, properties: 1000, enumValues: Infinity, longEnum: Infinity, characters: Infinity },
  ...{ optionals: Infinity, unions: Infinity, tools: Infinity, unrolled: 2 },
}

/** The rules of the targets that are rewritten. Where material contradicts itself, the narrower reading is here. */
export const DIALECT_RULES: Readonly<Record<Exclude<DialectTarget, 'mcp'>, DialectRules>> = {
  'openai-strict': {
    asOf: '2026-11',
    closes: true,
    absent: 'null',
    nulls: 'type',
    keywords: new Set(['pattern', 'format', ...NUMBERS, 'minItems', 'maxItems']),
    formats: new Set(FORMATS),
    mostMinItems: Infinity,
    names: /^[a-zA-Z0-9_.-]{1,64}$/,
    references: true,
    textEnums: false,
    emptyObjects: true,
    describesUnions: true,
    limits: { ...UNLIMITED, depth: 10, properties: 5000, enumValues: 1000, longEnum: 15_000, characters: 120_000 },
  },
  'anthropic-strict': {
    asOf: '2026-11',
    closes: true,
    absent: 'left out',
    nulls: 'type',
    keywords: new Set(['format', 'minItems']),
    formats: new Set([...FORMATS, 'uri']),
    mostMinItems: 1,
    names: /^[a-zA-Z0-9_.-]{1,64}$/,
    references: false,
    textEnums: false,
    emptyObjects: true,
    describesUnions: true,
    limits: { ...UNLIMITED, optionals: 24, unions: 16, tools: 20 },
  },
  gemini: {
    asOf: '2026-11',
    closes: false,
    absent: 'left out',
    nulls: 'nullable',
    keywords: new Set(['pattern', 'format', 'minimum', 'maximum', 'minItems', 'maxItems', 'minLength', 'maxLength']),
    formats: new Set(['date-time']),
    mostMinItems: Infinity,
    names: /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/,
    references: false,
    textEnums: true,
    emptyObjects: false,
    describesUnions: false,
    limits: UNLIMITED,
  },
}

/** All targets, for messages. */
export const DIALECT_TARGETS: readonly DialectTarget[] = ['openai-strict', 'anthropic-strict', 'gemini', 'mcp']

/** Whether a text names a target. */
export function isDialectTarget(value: unknown): value is DialectTarget {
  return (DIALECT_TARGETS as readonly unknown[]).includes(value)
}
