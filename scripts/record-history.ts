/**
 * Records a run of every program of test/histories for this version: `npm run record-history`. What is recorded already stays as it is,
 * unless the version is not released yet and `--again` is given.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram as runHistory } from '../test/histories/history.ts'
import { programs } from '../test/histories/programs.ts'
import { root, runProgram } from './run-program.ts'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
const again = process.argv.includes('--again')
const folder = join(root, 'test', 'histories', version)
mkdirSync(folder, { recursive: true })
const recorded: string[] = []
for (const [name, program] of Object.entries(programs)) {
  const file = join(folder, `${name}.json`)
  if (existsSync(file) && !again) continue
  const { entries, end } = await runHistory(program)
  writeFileSync(file, `${JSON.stringify({ entries, end }, undefined, 2)}\n`)
  recorded.push(name)
}
await runProgram('oxfmt', [folder])
console.log(`${recorded.length} recorded for version ${version}, ${Object.keys(programs).length - recorded.length} were there`)
