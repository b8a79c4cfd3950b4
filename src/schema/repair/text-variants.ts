import type { FieldKind } from './field-kind.ts'

const SEPARATORS = ['-', '_', ' ', '.', '/', ':'] as const

/** A negative number, a fraction, two small numbers: their separators are part of the value. A year and a month are no fraction. */
const SIGNED = /^[+-]\d+(?:[.,]\d+)?$/
const FRACTION = /^(?!\d{4}\.\d\d$)\d+\.\d+$/
const SPACED = /^\d+\s\d{1,2}$/
const QUOTIENT = /^\d+[./]\d+$/
const RANGE = /^\d{1,6}[-\s]\d{1,6}$/

/** Another notation of a text. */
export interface TextVariant {
  readonly text: string
  readonly rule: string
  readonly cost: number
}

/** The dots and slashes of `U.S.A.` say nothing; those of `BRK.B` and `a/b.ts` set parts apart. */
function hasParts(text: string): boolean {
  const parts = text.split(/[./]/)
  return parts.length > 1 && /\p{L}/u.test(text) && parts.some((part) => part.length > 1)
}

interface PatternEvidence {
  readonly kind: FieldKind
  /** The pattern takes texts of one length only: `123-4567` can then not be a range. */
  readonly isFixed: boolean
}

/**
 * Notations of a text that a pattern may ask for: its case, its separators, and at last no separators. Letters and digits stay. Groups by cost:
 * separators are left out only where no other one fits.
 */
export function patternVariants(text: string, { kind, isFixed }: PatternEvidence): readonly (readonly TextVariant[])[] {
  if (kind === 'path' || text.length > 200) return []
  const cased = [text, text.toLowerCase(), text.toUpperCase()]
  const keeps = SIGNED.test(text) || FRACTION.test(text)
  const swapped =
    keeps || SPACED.test(text) ? [] : cased.flatMap((each) => SEPARATORS.map((separator) => each.replace(/[\s_\-./:]+/g, separator)))
  const bare =
    keeps || QUOTIENT.test(text) || hasParts(text) || (!isFixed && RANGE.test(text))
      ? []
      : cased.map((each) => each.replace(/[\s_\-./()]+/g, ''))
  return [
    cased.map((each) => ({ text: each, rule: 'case', cost: 1 })),
    swapped.map((each) => ({ text: each, rule: 'separators', cost: 2 })),
    bare.map((each) => ({ text: each, rule: 'separators', cost: 3 })),
  ]
}

/** Notations of addresses, links and ids: `mailto:`, `Ann <ann@example.org>`, `[text](link)`, braces and dashes of a UUID. */
export function formatVariants(text: string, format: string): readonly TextVariant[] {
  const found = VARIANTS[format]?.(text)
  return found === undefined || found === text ? [] : [{ text: found, rule: `${format} notation`, cost: 2 }]
}

const VARIANTS: Readonly<Record<string, (text: string) => string | undefined>> = {
  email: mail,
  uri: link,
  url: link,
  uuid: (text) => {
    const digits = text
      .replace(/^urn:uuid:/i, '')
      .replace(/^[{(]|[)}]$/g, '')
      .replace(/-/g, '')
    return /^[0-9a-f]{32}$/i.test(digits) ? digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5').toLowerCase() : undefined
  },
}

function mail(text: string): string | undefined {
  if (text.length > 320) return undefined
  const [, label = '', target] = /^\[([^\]]*)\]\(mailto:([^()\s]+)\)$/i.exec(text) ?? []
  // A label with another address: it is open which of the two is meant.
  if (target !== undefined && label.includes('@') && label.trim() !== target) return undefined
  const linked = target
  const named = /^[^<>@]*<([^<>\s]+)>$/.exec(text)?.[1] ?? linked ?? text
  return named.replace(/^mailto:/i, '')
}

function link(text: string): string | undefined {
  if (text.length > 8000) return undefined
  const [, label = '', target] = /^\[([^\]]*)\]\((\S+?)(?:\s+"[^"]*")?\)$/.exec(text) ?? []
  if (target !== undefined && label.includes('://') && label.trim() !== target) return undefined
  const inside = target ?? /^<([^<>\s]+)>$/.exec(text)?.[1] ?? text
  const isWritten = /^[a-z][a-z0-9+.-]*:\/\//i.test(inside)
  // Spaces and letters of other scripts inside a link have one encoding.
  return isWritten && /[^\x21-\x7e]/.test(inside) && !/[\r\n\t]|\s{2}|%/.test(inside) ? encodeURI(inside) : inside
}
