import type { McpFindingCode } from '../bridges/mcp/index.ts'
import { type Finding, type FindingCode, SEVERITIES, type Severity } from '../plan/finding.ts'
import { printable } from '../tool/printable.ts'
import type { Format, Output } from './output.ts'

/** A finding of `check` about a tool, or about an MCP server. */
interface ShownFinding extends Omit<Finding, 'code'> {
  readonly code: FindingCode | McpFindingCode
}

/** What `check` found in one tool, or in the MCP servers. */
export interface CheckedTool {
  readonly tool: string
  readonly sound: boolean
  readonly findings: readonly ShownFinding[]
}

/** How many findings of each severity there are. */
export type Counts = Readonly<Record<`${Severity}s`, number>>

export function countsOf(checked: readonly CheckedTool[]): Counts {
  const all = checked.flatMap(({ findings }) => findings)
  const count = (severity: Severity): number => all.filter((each) => each.severity === severity).length
  return { errors: count('error'), warnings: count('warning'), notes: count('note') }
}

const FORMATS: Readonly<Record<Severity, Format>> = { error: 'red', warning: 'yellow', note: 'cyan' }
const SEVERITY_WIDTH = 9
const INDENT = ' '.repeat(SEVERITY_WIDTH)

/** `warning  `, in its colour. */
export function severityText(severity: Severity, output: Output): string {
  return output.paint(FORMATS[severity], severity.padEnd(SEVERITY_WIDTH))
}

/**
 * Findings for a person: severity and place, then what it is and what to do, then how many there are. Notes of several tools that ask for the
 * same are one block; those of a single tool are told one by one.
 */
export function findingsText(checked: readonly CheckedTool[], output: Output): string {
  const all = checked.flatMap(({ findings }) => findings)
  const blocks = SEVERITIES.flatMap((severity) => {
    const found = all.filter((each) => each.severity === severity)
    const groups = severity === 'note' && checked.length > 1 ? grouped(found) : found.map((each) => [each])
    return groups.map((group) => blockOf(group, output))
  })
  const { errors, warnings, notes } = countsOf(checked)
  const total = `${counted(checked.length, 'tool')} checked: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}, ${counted(notes, 'note')}.`
  return [...blocks, total].join('\n\n')
}

export function counted(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

/** Findings of one code with one hint, in the order in which they were found first. */
function grouped(findings: readonly ShownFinding[]): readonly (readonly ShownFinding[])[] {
  const groups = new Map<string, ShownFinding[]>()
  for (const each of findings) {
    const key = `${each.code}\n${each.hint}`
    groups.set(key, [...(groups.get(key) ?? []), each])
  }
  return [...groups.values()]
}

/** What the notes of a group have in common. */
const GISTS: Partial<Record<ShownFinding['code'], string>> = {
  edge_unknown: 'Nobody can tell whether they take what they are given. Check a tool by its name to see why.',
  order_unseen: 'Their code decides when their parts take effect, and on which input: neither can be checked before a run.',
  unknown_estimates: 'Latency or reliability is not known of them, or of steps inside: sums leave these out.',
}

const MOST_NAMED = 20

function blockOf(group: readonly ShownFinding[], output: Output): string {
  const [first] = group
  if (first === undefined) return ''
  const { severity, code, message, hint } = first
  const head = `${severityText(severity, output)}${output.paint('bold', printable(placesOf(group)))}  ${output.paint('dim', code)}`
  const what = group.length === 1 ? message : (GISTS[code] ?? message)
  return [head, `${INDENT}${printable(what)}`, `${INDENT}${printable(hint)}`].join('\n')
}

/** `12 tools: add, base64, ...`; of one finding, its place. */
function placesOf(group: readonly ShownFinding[]): string {
  const places = group.map(({ path, field }) => (field === undefined ? path : `${path} (${field})`))
  if (places.length === 1) return places.join('')
  const what = group.every(({ path }) => !path.includes('/')) ? 'tools' : 'places'
  const more = places.length - MOST_NAMED
  return `${places.length} ${what}: ${places.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
