import { simulateInProcesses } from '../test/simulation/simulate-in-processes.ts'
import { simulateOptions } from '../test/simulation/simulate-options.ts'

const flags = process.argv.slice(2)
const options = simulateOptions(flags)

async function inThisProcess(): Promise<number> {
  const { replaceGlobals } = await import('../test/simulation/replace-globals.ts')
  // Before anything of the product is loaded.
  const real = replaceGlobals()
  const { simulate } = await import('../test/simulation/simulate.ts')
  return simulate(options, real)
}

async function mutated(): Promise<number> {
  const { hunt } = await import('../test/simulation/mutants.ts')
  return hunt(options)
}

process.exit(
  options.isMutating ? await mutated() : options.processes > 1 ? await simulateInProcesses(flags, options) : await inThisProcess(),
)
