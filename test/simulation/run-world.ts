import { judge } from './judge.ts'
import type { Plan } from './plan.ts'
import { World } from './world.ts'

/** What became of a world. */
export interface WorldReport {
  readonly plan: Plan
  readonly problems: readonly string[]
  readonly trace: readonly string[]
  readonly steps: number
  readonly statements: number
  readonly simulatedMs: number
  readonly effects: number
  /** The same for the same history. */
  readonly digest: string
}

const unhandled: string[] = []
let isListening = false

/** Runs a world to its end and judges it. Must be called outside of any microtask, where the globals are replaced. */
export function runWorld(plan: Plan, { isTraced = false }: { readonly isTraced?: boolean } = {}): WorldReport {
  if (!isListening) process.on('unhandledRejection', (reason) => unhandled.push(`an unhandled rejection: ${String(reason)}`))
  isListening = true
  unhandled.length = 0
  const world = new World(plan)
  const { scheduler, database, ledger } = world
  if (isTraced) {
    scheduler.trace = []
    traceStatements(world)
  }
  const problems: string[] = []
  try {
    world.run()
    problems.push(...judge(world))
  } catch (error) {
    problems.push(`the simulator threw: ${String((error as Error).stack ?? error)}`)
  }
  problems.push(...new Set(unhandled))
  const { steps, now, trace = [] } = scheduler
  const effects = ledger.effects.length
  const last = ledger.effects.map(({ path, at }) => `${path} ${at}`).join()
  const digest = [steps, now, database.statements, last].join(' ')
  return { plan, problems, trace, steps, statements: database.statements, simulatedMs: now, effects, digest }
}

function traceStatements({ database, scheduler }: World): void {
  const execute = database.execute.bind(database)
  let number = 0
  database.execute = (on, text, given, done) => {
    const mine = ++number
    const short = text.replace(/\s+/g, ' ').trim().slice(0, 100)
    scheduler.note(`statement ${mine}`, `${short} ${JSON.stringify(given).slice(0, 3000)}`)
    execute(on, text, given, (came) => {
      scheduler.note(`answer ${mine}`, 'error' in came ? String(came.error) : String(came.rowCount))
      done(came)
    })
  }
}
