import { replaceGlobals } from '../test/simulation/replace-globals.ts'

const real = replaceGlobals()
const { simulate } = await import('../test/simulation/simulate.ts')
simulate(process.argv.slice(2), real)
