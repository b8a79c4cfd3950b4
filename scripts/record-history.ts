/**
 * Records a run of every example of test/programs for this version, in test/histories: `npm run record-history`. What is recorded already stays as it is,
 * unless the version is not released yet and `--again` is given.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runExample } from '../test/histories/history.ts'
import { EXAMPLES } from '../test/programs/table.ts'
import { root, runProgram } from './run-program.ts'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
const again = process.argv.includes('--again')
const folder = join(root, 'test', 'histories', version)
mkdirSync(folder, { recursive: true })
const recorded: string[] = []
for (const [name, example] of Object.entries(EXAMPLES)) {
  const file = join(folder, `${name}.json`)
  if (existsSync(file) && !again) continue
  const { entries, end } = await runExample(example)
  writeFileSync(file, `${JSON.stringify({ entries, end }, undefined, 2)}\n`)
  recorded.push(name)
}
await runProgram('oxfmt', [folder])
console.log(`${recorded.length} recorded for version ${version}, ${Object.keys(EXAMPLES).length - recorded.length} were there`)
