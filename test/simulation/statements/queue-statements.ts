import type { JobRow } from '../tables.ts'
import type { Transaction } from '../transaction.ts'
import type { Parameters, Statement } from './statement.ts'

/** A worker that is silent for so long loses its jobs. */
const LEASE_MS = 10_000

/** The queue, which takes the place of pg-boss: these texts are its own. */
export const QUEUE = { send: '$queue send', fetch: '$queue fetch', complete: '$queue complete', touch: '$queue touch' } as const

export const queueStatements: readonly Statement[] = [
  {
    name: 'queue send',
    text: QUEUE.send,
    run: (on, given) => {
      const [run, tool, ticket, startAt] = given as [string, string, number, number]
      const id = on.database.nextJob()
      on.put('job', id, { id, run, tool, ticket, startAt, state: 'created', heartbeat: 0 })
      return 1
    },
  },
  { name: 'queue fetch', text: QUEUE.fetch, run: fetch },
  {
    name: 'queue complete',
    text: QUEUE.complete,
    run: (on, [ids]) => {
      const active = jobsOf(on, ids)
      for (const { id } of active) on.put('job', id, null)
      return active.length
    },
  },
  {
    name: 'queue touch',
    text: QUEUE.touch,
    run: (on, [ids]) => {
      const active = jobsOf(on, ids)
      for (const { id } of active) on.set('job', id, { heartbeat: on.now })
      return active.length
    },
  },
]

function jobsOf(on: Transaction, ids: unknown): readonly JobRow[] {
  return (ids as readonly string[]).flatMap((id) => {
    const job = on.get('job', id)
    return job?.state === 'active' ? [job] : []
  })
}

function fetch(on: Transaction, [most]: Parameters): readonly object[] {
  const isDue = ({ state, startAt, heartbeat }: JobRow): boolean => (state === 'active' ? heartbeat < on.now - LEASE_MS : startAt <= on.now)
  const due = on
    .all('job')
    .filter(isDue)
    .slice(0, most as number)
  for (const { id } of due) on.set('job', id, { state: 'active', heartbeat: on.now })
  return due.map(({ id, run, tool, ticket }) => ({ id, run, tool, ticket }))
}
