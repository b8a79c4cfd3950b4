import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { root, runProgram } from './run-program.ts'

await rm(join(root, 'dist'), { recursive: true, force: true })
const { code } = await runProgram('tsc', ['--project', 'tsconfig.build.json'], { show: true })
process.exitCode = code
