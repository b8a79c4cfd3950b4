import assert from 'node:assert/strict'
import { type AgentTool, createRuntime, type Inbox, type SecretsProvider } from 'toolwright'
import { drawRun } from 'toolwright/run'
import { memoryRuns } from 'toolwright/testing'
import { collectingLogger } from './outlets.ts'

interface DurableRun {
  readonly tool: AgentTool<never, unknown>
  readonly input: unknown
  /** Decides about each request in its turn; the last one decides about all others. */
  readonly people?: readonly ((inbox: Inbox, id: string) => Promise<void>)[] | undefined
  /** The process dies before somebody decides, and another one goes on. */
  readonly crashes?: boolean | undefined
  readonly secrets?: SecretsProvider | undefined
  /** Ends the run while it waits for a person. */
  readonly cancel?: string | undefined
}

export const DURABLE_OUTLETS = [
  'log',
  'events',
  'events of the run',
  'show',
  'the timeline',
  'export',
  'runs',
  'status',
  'the inbox afterwards',
] as const

/** Carries a durable run to its end, and gives all that each outlet told of it. */
async function durableOutlets({ tool, input, people = [], crashes = false, secrets, cancel }: DurableRun) {
  const runs = memoryRuns()
  const log: string[] = []
  const events: string[] = []
  const process = () =>
    createRuntime({
      tools: [tool],
      database: runs,
      ...(secrets === undefined ? {} : { secrets }),
      log: collectingLogger(log),
      on: (event) => void events.push(JSON.stringify(event)),
    })
  let runtime = process()
  const { id } = await runtime.start(tool as AgentTool<unknown>, input)
  const asked: string[] = []
  for (let turn = 0; ; turn++) {
    await runs.idle()
    if (crashes) {
      runs.crash()
      runtime = process()
      await runtime.runs()
      await runs.idle()
    }
    const { inbox } = await runtime.runs()
    const [item] = await inbox.list()
    if (item === undefined) break
    if (cancel !== undefined) {
      await (await runtime.run(id)).cancel(cancel)
      continue
    }
    const decide = people[Math.min(turn, people.length - 1)]
    assert.ok(decide !== undefined, 'nobody decides')
    asked.push(item.request.id)
    await decide(inbox, item.request.id)
  }
  const opened = await runtime.runs()
  const run = await runtime.run(id)
  const told: string[] = []
  for await (const event of run.events()) told.push(JSON.stringify(event))
  const shown = await opened.show(id)
  const outlets: Record<Outlet, string> = {
    log: log.join('\n'),
    events: events.join('\n'),
    'events of the run': told.join('\n'),
    show: JSON.stringify(shown),
    'the timeline': drawRun(shown, { width: 400 }),
    export: JSON.stringify(await opened.export(id)),
    runs: JSON.stringify(await opened.list()),
    status: JSON.stringify(await run.status()),
    'the inbox afterwards': JSON.stringify(await Promise.all(asked.map((each) => opened.inbox.get(each)))),
  }
  await runtime.close()
  return outlets
}

type Outlet = (typeof DURABLE_OUTLETS)[number]

/** Rejects if the outlet shows a text that it must never show, or shows nothing. */
type Keeps = (outlet: Outlet, never: string) => Promise<void>

/** The run takes place once, for all of its outlets. */
export function durably(run: DurableRun): Keeps {
  let outlets: ReturnType<typeof durableOutlets> | undefined
  return async (outlet, never) => {
    const told = (await (outlets ??= durableOutlets(run)))[outlet]
    assert.ok(told.length >= 2, `${outlet} told nothing`)
    const at = told.indexOf(never)
    assert.ok(at === -1, `${outlet} shows ${told.slice(Math.max(0, at - 200), at + 40)}`)
  }
}
