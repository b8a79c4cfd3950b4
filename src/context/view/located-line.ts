/** What a compiler, a linter or a search says of a place in a file. */
export interface LocatedLine {
  readonly file: string
  readonly line: string
  readonly column?: string | undefined
  readonly severity?: string | undefined
  /** `TS2345`, `-Wunused-variable`. */
  readonly code?: string | undefined
  readonly text: string
}

const LONGEST_LINE = 2000
const FILE = '((?:[A-Za-z]:)?(?:[\\w.@+~-]*[/\\\\])*[\\w.@+-]+\\.\\w{1,10})'
const COLONS = new RegExp(`^${FILE}:(\\d{1,7})(?::(\\d{1,5}))?:\\s?(.*)$`)
const BRACKETS = new RegExp(`^${FILE}\\((\\d{1,7})(?:,(\\d{1,5}))?\\)\\s?:\\s?(.*)$`)
const SEVERITY = /^((?:fatal )?error|warning|note|info|remark|hint)(?:\s+([A-Z]{1,6}\d{2,6}))?:?\s+/i
const RULE = /\s\[([\w=+/@-]{2,60})\]$/

/** `file:12:5: warning: text [-Wrule]`, `file(12,5): error TS2345: text`; undefined for any other line. */
export function locatedLine(line: string): LocatedLine | undefined {
  const whole = line.slice(0, LONGEST_LINE)
  const [, file, number, column, said = ''] = COLONS.exec(whole) ?? BRACKETS.exec(whole) ?? []
  if (file === undefined || number === undefined) return undefined
  const [head = '', severity, code] = SEVERITY.exec(said) ?? []
  const rule = RULE.exec(said)
  const text = said.slice(head.length, rule === null || severity === undefined ? undefined : -rule[0].length).trim()
  return {
    file,
    line: number,
    column,
    severity: severity?.toLowerCase(),
    code: code ?? (severity === undefined ? undefined : rule?.[1]),
    text,
  }
}
