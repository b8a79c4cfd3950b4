import type { Finding, Severity } from '../plan/finding.ts'
import { printable } from '../tool/printable.ts'
import type { Format, Output } from './output.ts'

/** What `check` found in one tool. */
export interface CheckedTool {
  readonly tool: string
  readonly sound: boolean
  readonly findings: readonly Finding[]
}

const FORMATS: Readonly<Record<Severity, Format>> = { error: 'red', warning: 'yellow', note: 'cyan' }
const SEVERITY_WIDTH = 9

/** Findings for a person: severity and place, then what it is and what to do, then how many there are. */
export function findingsText(checked: readonly CheckedTool[], output: Output): string {
  const all = checked.flatMap(({ findings }) => findings)
  const indent = ' '.repeat(SEVERITY_WIDTH)
  const blocks = all.map(({ severity, path, field, code, message, hint }) => {
    const place = field === undefined ? path : `${path} (${field})`
    const head = `${output.paint(FORMATS[severity], severity.padEnd(SEVERITY_WIDTH))}${output.paint('bold', printable(place))}  ${output.paint('dim', code)}`
    return [head, `${indent}${printable(message)}`, `${indent}${printable(hint)}`].join('\n')
  })
  const count = (severity: Severity): string => counted(all.filter((each) => each.severity === severity).length, severity)
  const total = `${counted(checked.length, 'tool')} checked: ${count('error')}, ${count('warning')}, ${count('note')}.`
  return [...blocks, total].join('\n\n')
}

function counted(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
