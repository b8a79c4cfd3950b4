import { parseArgs } from 'node:util'
import type { Losses } from '../test/torture/check-runs.ts'
import { FAULT_PROFILES, type FaultProfile } from '../test/torture/fault-plan.ts'
import { torture } from '../test/torture/torture.ts'
import { upgradeTorture } from '../test/torture/upgrade-torture.ts'

const PROFILES = ['kills', 'proxy', 'upgrade', 'all'] as const
type Profile = (typeof PROFILES)[number]

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    workers: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '10' },
    profile: { type: 'string', default: 'all' },
  },
})
/** Of all runs with `--profile all`, those that live through an upgrade. */
const UPGRADED = 0.06
const MOST_SHOWN = 50

const profile = values.profile as Profile
if (!PROFILES.includes(profile)) throw new Error(`--profile must be one of ${PROFILES.join(', ')}, not '${values.profile}'.`)
const [runs, seed, workers, minutes] = [values.runs, values.seed, values.workers, values.minutes].map(Number) as [
  number,
  number,
  number,
  number,
]
console.log(`Torture with the seed ${seed}: repeat it with --runs ${runs} --seed ${seed} --profile ${profile}`)

const upgraded = profile === 'upgrade' ? runs : profile === 'all' ? Math.ceil(runs * UPGRADED) : 0
const found: Losses[] = []
if (profile !== 'upgrade') await underFaults(profile === 'all' ? 'mixed' : profile, runs - upgraded)
if (upgraded > 0) await underUpgrades(upgraded)

const losses = {
  lost: found.flatMap(({ lost }) => lost),
  twice: found.flatMap(({ twice }) => twice),
  'not undone': found.flatMap(({ notUndone }) => notUndone),
  'approvals lost': found.flatMap(({ approvalsLost }) => approvalsLost),
  'refused wrongly': found.flatMap(({ refusedWrongly }) => refusedWrongly),
}
for (const [name, list] of Object.entries(losses)) for (const each of list.slice(0, MOST_SHOWN)) console.error(`${name}: ${each}`)
console.log(
  Object.entries(losses)
    .map(([name, list]) => `${name} ${list.length}`)
    .join(', '),
)
process.exitCode = Object.values(losses).some((list) => list.length > 0) ? 1 : 0

async function underFaults(faults: FaultProfile, count: number): Promise<void> {
  const report = await torture({
    runs: count,
    seed,
    workers,
    minutes,
    faults: FAULT_PROFILES[faults],
    mix: { programs: 0.6, cancelled: 0.2, deadlines: 0.1, startedLater: 0.1 },
    knownDead: 0.5,
    tell: console.log,
  })
  show({ ...report, ...report.faults })
  found.push(report)
}

async function underUpgrades(count: number): Promise<void> {
  const report = await upgradeTorture({ runs: count, seed, minutes, tell: console.log })
  show({ ...report })
  found.push(report)
}

function show(report: Readonly<Record<string, unknown>>): void {
  console.table(Object.fromEntries(Object.entries(report).filter(([, value]) => typeof value === 'number')))
}
