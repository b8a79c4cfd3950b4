/** More of them beside each other would take long for lines that do not fit. */
const MOST_REPEATED = 2
const LONGEST = 200

export interface TextPattern {
  test(text: string): boolean
}

/**
 * A pattern out of the simple parts of regular expressions: `.*`, `.`, `\d`, `\w`, `\s`, `[0-9]`, `+`, `^`, `$` and `|`. Everything else means itself.
 * What stands between two `.*` is looked for behind what was found before it, and repetitions are bounded: no pattern runs for long.
 */
export function patternOf(written: string): TextPattern {
  const ways = written
    .slice(0, LONGEST)
    .split('|')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => each.split(/\.[*+]\??/).map((part, at, all) => new RegExp(sourceOf(part, at === 0, at === all.length - 1), 'giu')))
  return { test: (text) => ways.some((parts) => standInOrder(parts, text)) }
}

function standInOrder(parts: readonly RegExp[], text: string): boolean {
  let from = 0
  return parts.every((part) => {
    part.lastIndex = from
    if (!part.test(text)) return false
    from = part.lastIndex
    return true
  })
}

/** Whether a text has parts of a pattern, not only marks that may be meant. */
export function looksLikePattern(written: string): boolean {
  // What may be one or the other inside of a pattern is not read.
  if (/\([^)]*\|/.test(written)) return false
  return /\.[*+]|\\[dws]|\[0-9\]|\S\s?\|\s?\S|^\^\w|\w\$$/.test(written)
}

const PART = /\\[dwsb]\+?|\[0-9\]\+?|\\.|\(\?:|[()^$.]|[^]/gu

function sourceOf(written: string, isFirst: boolean, isLast: boolean): string {
  let repeated = 0
  const bounded = (one: string, isMany: boolean): string => (isMany && repeated++ < MOST_REPEATED ? `${one}{1,12}?` : one)
  const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
  return written.replace(PART, (part, at: number) => {
    if (part.startsWith('\\b') || part === '(' || part === ')' || part === '(?:') return ''
    if (/^\\[dws]/.test(part)) return bounded(part.slice(0, 2), part.endsWith('+'))
    if (part.startsWith('[0-9]')) return bounded(String.raw`\d`, part.endsWith('+'))
    if (part === '^' && at === 0 && isFirst) return '^'
    if (part === '$' && at === written.length - 1 && isLast) return '$'
    if (part === '.') return '.'
    return literal(part.length > 1 ? part.slice(1) : part)
  })
}
