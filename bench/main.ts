import { parseArgs } from 'node:util'
import { agentTurn } from './agent-turn.ts'
import { checkBenchmarks } from './check.ts'
import { cliHelp } from './cli-help.ts'
import { durableBenchmarks } from './durable.ts'
import { doorBenchmarks, sampleDoor } from './door.ts'
import { type Benchmark, type Effort, type Figure, isBroken } from './figure.ts'
import { importTime } from './import-time.ts'
import { installPeers } from './install-peers.ts'
import { mcpBenchmarks } from './mcp.ts'
import { peerBenchmarks, samplePeer } from './peer-benchmarks.ts'
import { durablePeerBenchmark } from './peer-durable.ts'
import { selectBenchmarks } from './select.ts'
import { tableOf } from './table.ts'
import { typesBenchmarks } from './types.ts'
import { zooBenchmarks } from './zoo.ts'

// Many short processes rather than few long ones: the luck of the compiler differs from start to start by a tenth.
const THOROUGH: Effort = { processes: 5, measureMs: 450, starts: 21 }
const QUICK: Effort = { processes: 1, measureMs: 250, starts: 15 }

const benchmarks: readonly Benchmark[] = [
  ...doorBenchmarks,
  importTime,
  cliHelp,
  ...typesBenchmarks,
  ...checkBenchmarks,
  ...zooBenchmarks,
  ...durableBenchmarks,
  ...mcpBenchmarks,
  agentTurn,
  ...selectBenchmarks,
]

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
    /** Measures the peers instead. */
    peers: { type: 'boolean', default: false },
    /** For the processes that the bench starts: measures one contest and prints what it found. */
    sample: { type: 'string' },
    ms: { type: 'string', default: '700' },
    /** For the benches of selection: where their data is, vectors that have not seen its requests, and the part of them: `tune` or `report`. */
    data: { type: 'string' },
    vectors: { type: 'string' },
    part: { type: 'string' },
  },
})

if (values.sample === undefined) process.exitCode = await bench()
else console.log(JSON.stringify(await (values.peers ? samplePeer : sampleDoor)(values.sample, Number(values.ms))))

async function bench(): Promise<number> {
  const known = values.peers ? [...peerBenchmarks, durablePeerBenchmark] : benchmarks
  const chosen = choose(known, values.only)
  if (chosen.length === 0) {
    console.error(`There is no benchmark '${values.only}'. There are: ${known.map(({ name }) => name).join(', ')}.`)
    return 2
  }
  const missing = values.peers ? await installPeers() : undefined
  if (missing !== undefined) {
    console.error(missing)
    return 1
  }
  const start = performance.now()
  const figures: Figure[] = []
  const failures: string[] = []
  for (const { name, run } of chosen) {
    try {
      figures.push(...(await run(values.quick ? QUICK : THOROUGH)))
    } catch (error) {
      failures.push(`${name} could not be measured. ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const seconds = Math.round((performance.now() - start) / 1000)
  const broken = figures.filter(isBroken)
  const flags = process.argv.slice(2).filter((flag) => flag !== '--peers')
  const command = [values.peers ? 'npm run bench:peers' : 'npm run bench', ...(flags.length > 0 ? ['--', ...flags] : [])].join(' ')
  if (values.json)
    console.log(JSON.stringify({ command, node: process.version, seconds, broken: broken.map(({ name }) => name), figures }, undefined, 2))
  else {
    console.log(`${command} (Node ${process.version}, ${seconds} s)\n\n${tableOf(figures)}\n`)
    if (figures.some(({ budget }) => budget !== undefined))
      console.log(broken.length === 0 ? 'No budget is broken.' : `Broken: ${broken.map(({ name }) => name).join(', ')}.`)
  }
  for (const failure of failures) console.error(failure)
  return broken.length + failures.length === 0 ? 0 : 1
}

/** By its name; where none has it, all whose names begin with it. */
function choose(known: readonly Benchmark[], only: string | undefined): readonly Benchmark[] {
  if (only === undefined) return known
  const named = known.filter(({ name }) => name === only)
  return named.length > 0 ? named : known.filter(({ name }) => name.startsWith(`${only}-`))
}
