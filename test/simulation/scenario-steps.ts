import type { ScenarioStep } from './scenario.ts'

type Say = (say: string, ...given: readonly unknown[]) => ScenarioStep

function on(connection: string): Say {
  return (say, ...given) => ({ on: connection, say, given })
}

/** What is said on the first connection. */
export const a = on('a')
/** On the second. */
export const b = on('b')
/** On the third. */
export const c = on('c')

/** A new run, over the first connection. */
export function start(id: string, key: string | null = null, tool = 'pay'): ScenarioStep {
  return a('start', id, key, tool, '1.0.0', '[]', '"x"', 'hash', '{}', null)
}

/** A worker takes runs, by their tickets. */
export function claim(say: Say, ids: readonly string[], tickets: readonly number[] = ids.map(() => 0)): ScenarioStep {
  return say('claim', ids, tickets, 'worker 1')
}

/** An entry under an epoch. */
export function write(say: Say, run: string, epoch: number, path = 'pay'): ScenarioStep {
  return say('write entry', run, epoch, path, 'call', 'pay', 'key', 'hash', '"x"', null, false, 0)
}

/** The end of a run under an epoch. */
export function end(say: Say, run: string, epoch: number, how: { status?: string; why?: string | null } = {}): ScenarioStep {
  const { status = 'completed', why = null } = how
  return say('end', run, epoch, status, '"done"', why)
}

/** A request of a run. */
export function ask(say: Say, id: string, run: string, ms: number | null = null): ScenarioStep {
  return say('ask', id, run, 'pay:approval', 'pay', 'approval', '{}', ms)
}

/** Entries of several runs, by path. */
export function writeMany(
  say: Say,
  claims: readonly (readonly [string, number])[],
  rows: readonly (readonly [string, string])[],
): ScenarioStep {
  const column = <T>(value: T): T[] => rows.map(() => value)
  const [runs, paths] = [rows.map(([run]) => run), rows.map(([, path]) => path)]
  const texts = [column('call'), column('pay'), column('key'), column('hash'), column('"x"'), column('1')]
  return say(
    'write entries',
    claims.map(([id]) => id),
    claims.map(([, epoch]) => epoch),
    runs,
    paths,
    ...texts,
    column(true),
    column(0),
  )
}

export const begin = 'BEGIN'
export const commit = 'COMMIT'
export const rollback = 'ROLLBACK'
