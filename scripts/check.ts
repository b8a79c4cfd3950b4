import { runProgram } from './run-program.ts'

const checks = [
  { name: 'types', program: 'tsc', flags: [] },
  { name: 'types (site)', program: 'tsc', flags: ['--project', 'scripts/docs/browser'] },
  { name: 'lint', program: 'oxlint', flags: ['--deny-warnings', '--format=unix'] },
  { name: 'format', program: 'oxfmt', flags: ['--check', '.'] },
  { name: 'dead code', program: 'knip', flags: [] },
  { name: 'house rules', program: 'node', flags: ['scripts/house-rules.ts'] },
]

const rows: string[] = []
let failed = 0
for (const { name, program, flags } of checks) {
  const start = performance.now()
  const { ok, stdout, stderr } = await runProgram(program, flags)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  rows.push(`${name.padEnd(12)} ${(ok ? 'ok' : 'failed').padEnd(7)} ${seconds.padStart(5)} s`)
  if (ok) continue
  failed++
  console.log(`--- ${name}: ${[program, ...flags].join(' ')}\n${`${stdout}${stderr}`.trim()}\n`)
}
console.log(rows.join('\n'))
console.log(`${checks.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
