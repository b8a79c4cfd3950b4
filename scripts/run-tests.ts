import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareTests } from './prepare-tests.ts'
import { runProgram } from './run-program.ts'

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly {
    readonly status: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

const flags = process.argv.slice(2)
const full = flags.includes('--full')
const folder = await mkdtemp(join(tmpdir(), 'toolwright-tests-'))
const reportFile = join(folder, 'report.json')
const prepared = await prepareTests(folder)
const { code } = await runProgram(
  'vitest',
  ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`, ...flags.filter((flag) => flag !== '--full')],
  // Many tests start programs: what one of them compiled, the next ones find.
  { show: true, env: { ...prepared, NODE_COMPILE_CACHE: join(folder, 'compiled'), ...(full ? { TOOLWRIGHT_TESTS: 'full' } : {}) } },
)
const report = await readReport(reportFile)
await rm(folder, { recursive: true, force: true })

const passed = report?.numPassedTests ?? 0
const skipped = report === undefined ? 0 : report.numPendingTests + report.numTodoTests
const failed = countFailed(report)
process.exitCode = failed === 0 ? 0 : code || 1
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)

/** A file that does not load, a type error outside the tests and a run without tests have no failed test of their own: each counts as one. */
function countFailed(outcome: Report | undefined): number {
  const unloaded = (outcome?.testResults ?? []).filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((each) => each.status === 'failed'),
  )
  const counted = (outcome?.numFailedTests ?? 0) + unloaded.length
  return counted === 0 && (code !== 0 || passed === 0) ? 1 : counted
}

async function readReport(file: string): Promise<Report | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Report
  } catch {
    return undefined
  }
}
