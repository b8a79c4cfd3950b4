import type { Finding } from './finding.ts'
import type { Survey } from './survey.ts'

/** A tool that is a part of itself would never end. */
export function checkCycles({ cycles }: Survey): readonly Finding[] {
  return cycles.map(({ path, tool }) => ({
    severity: 'error',
    code: 'cycle',
    path,
    message: `'${tool.name}' is a part of itself.`,
    hint: 'Repeat a tool with a bounded loop.',
  }))
}
