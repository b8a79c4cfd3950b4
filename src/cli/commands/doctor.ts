import type { Command, CommonOptions } from '../command-request.ts'
import type { DatabaseFlags } from '../database-flags.ts'
import { type Examination, examine } from '../examination.ts'
import { EXIT } from '../exit-code.ts'
import type { Format } from '../output.ts'
import { textTable } from '../text-table.ts'

const FORMATS: Readonly<Record<Examination['status'], Format>> = { ok: 'green', missing: 'yellow', problem: 'red' }

/** `toolwright doctor`: what this machine has, and what is missing. What is optional may be missing. */
export const doctor: Command<CommonOptions & DatabaseFlags> = async ({ options, output }) => {
  const found = await examine(options)
  const healthy = found.every(({ status }) => status !== 'problem')
  if (output.json) output.printJson({ healthy, checks: found })
  else {
    const rows = found.map(({ status, name, value, hint }) => [status, name, hint === undefined ? value : `${value}. ${hint}`])
    const paint = (text: string, { row, column }: { readonly row: number; readonly column: number }): string =>
      column === 0 ? output.paint(FORMATS[found[row]?.status ?? 'ok'], text) : text
    output.print(textTable(rows, { paint }))
  }
  return healthy ? EXIT.ok : EXIT.failed
}
