import { parseArgs } from 'node:util'
import { torture } from '../test/torture/torture.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    workers: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '10' },
  },
})

const seed = Number(values.seed)
console.log(`Torture with the seed ${seed}: repeat it with --seed ${seed}`)
const report = await torture({
  runs: Number(values.runs),
  seed,
  workers: Number(values.workers),
  minutes: Number(values.minutes),
  workerKillMs: 1500,
  databaseKillMs: 8000,
  knownDead: 0.5,
  tell: console.log,
})
const { lost, twice, notUndone, approvalsLost, ...figures } = report
console.table({ ...figures, lost: lost.length, twice: twice.length, notUndone: notUndone.length, approvalsLost: approvalsLost.length })
const losses = [...lost, ...twice, ...notUndone, ...approvalsLost]
for (const loss of losses.slice(0, 50)) console.error(loss)
process.exitCode = losses.length === 0 ? 0 : 1
