import { parseArgs } from 'node:util'
import { FAULT_PROFILES } from '../test/torture/fault-plan.ts'
import { torture } from '../test/torture/torture.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    workers: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '10' },
    profile: { type: 'string', default: 'mixed' },
  },
})

const seed = Number(values.seed)
console.log(`Torture with the seed ${seed}: repeat it with --seed ${seed}`)
const report = await torture({
  runs: Number(values.runs),
  seed,
  workers: Number(values.workers),
  minutes: Number(values.minutes),
  faults: FAULT_PROFILES[values.profile as 'mixed'],
  mix: { programs: 0.6, cancelled: 0.2, deadlines: 0.1, startedLater: 0.1 },
  knownDead: 0.5,
  tell: console.log,
})
const { lost, twice, notUndone, approvalsLost, refusedWrongly, faults, ...figures } = report
console.table({ ...figures, ...faults })
console.table({
  lost: lost.length,
  twice: twice.length,
  notUndone: notUndone.length,
  approvalsLost: approvalsLost.length,
  refusedWrongly: refusedWrongly.length,
})
for (const [name, list] of Object.entries({ lost, twice, notUndone, approvalsLost, refusedWrongly }))
  for (const each of list.slice(0, 12)) console.error(name, each.slice(0, 600))
process.exitCode = [lost, twice, notUndone, approvalsLost, refusedWrongly].flat().length === 0 ? 0 : 1
