import type { JobOf, ScenarioStep } from './scenario.ts'

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

/** The job of a run under a ticket. */
export function jobOf(run: string, ticket = 0): JobOf {
  return { jobOf: run, ticket }
}

/** A new run, over the first connection. */
export function start(id: string, key: string | null = null, tool = 'pay'): ScenarioStep {
  return startOn(a, id, key, { tool })
}

interface Starting {
  readonly tool?: string
  readonly timeLeftMs?: number | null
  readonly startAt?: Date | null
}

export function startOn(
  say: Say,
  id: string,
  key: string | null,
  { tool = 'pay', timeLeftMs = null, startAt = null }: Starting = {},
): ScenarioStep {
  return say('start', id, key, tool, '1.0.0', '[]', '"x"', 'hash', '{}', timeLeftMs, startAt)
}

/** A new run that a worker takes up with its start. */
export function startAndTake(
  say: Say,
  id: string,
  key: string | null = null,
  { worker = 'worker 1', timeLeftMs = null }: Taking = {},
): ScenarioStep {
  return say('start and take', id, key, 'pay', '1.0.0', '[]', '"x"', 'hash', '{}', timeLeftMs, worker)
}

interface Taking {
  readonly worker?: string
  readonly timeLeftMs?: number | null
}

/** All jobs that are due are fetched. */
export const fetch = a('fetch jobs', 20)

interface Claiming {
  readonly tickets?: readonly number[]
  readonly attempt?: number
  readonly worker?: string
  readonly takesSuspect?: boolean
}

/** A worker takes runs, by their tickets. */
export function claim(say: Say, ids: readonly string[], how: Claiming = {}): ScenarioStep {
  const { tickets = ids.map(() => 0), attempt = 0, worker = 'worker 1', takesSuspect = true } = how
  const jobs = ids.map((id, index) => jobOf(id, tickets[index]))
  const attempts = ids.map(() => attempt)
  return say('claim', ids, tickets, jobs, attempts, worker, takesSuspect)
}

/** Somebody sees that workers are no more; the first one, unless it is said which. */
export function gone(say: Say, ...workers: readonly string[]): ScenarioStep {
  return say('leave jobs of the gone', workers.length === 0 ? ['worker 1'] : workers)
}

/** Rises from row to row, as it does in a run. */
let version = 0

/** An entry under an epoch. */
export function write(say: Say, run: string, epoch: number, path = 'pay'): ScenarioStep {
  return say('write entry', run, epoch, path, null, 'call', 'pay', 'key', 'hash', '"x"', null, 1, null, ++version)
}

/** The result of one step and the beginning of the next, under an epoch. */
export function writePair(say: Say, run: string, epoch: number, paths: readonly [string, string] = ['pay', 'mail']): ScenarioStep {
  const [first, second] = paths
  const ended = [first, null, 'call', 'pay', 'key', 'hash', '"x"', '"paid"', 1, 2, ++version]
  return say('write pair', run, epoch, ...ended, second, null, 'call', 'mail', 'key 2', 'hash', '"x"', null, 1, null, ++version)
}

/** A claim of a key for a step of a run under an epoch; without a number, the next one. */
export function claimKey(say: Say, run: string, epoch: number, number = ++version): ScenarioStep {
  return say('key claim of a run', 'key', 'pay@1.0.0', 'hash', 'holder', 1000, 1000, true, run, epoch, number)
}

/** The end of a run under an epoch. */
export function end(say: Say, run: string, epoch: number, how: { status?: string; why?: string | null } = {}): ScenarioStep {
  const { status = 'completed', why = null } = how
  return say('end', run, epoch, status, '"done"', why)
}

/** The end of a run under an epoch, with its last entry. */
export function endWithEntry(say: Say, run: string, epoch: number, path = 'pay'): ScenarioStep {
  const entry = [path, null, 'call', 'pay', 'key', 'hash', '"x"', '"paid"', 1, 2, ++version]
  return say('end with entry', run, epoch, 'completed', '"done"', null, ...entry)
}

/** A run is put away: it waits for requests, or sleeps. */
export function park(
  say: Say,
  run: string,
  epoch: number,
  how: { open?: readonly string[]; until?: Date | null; isCancelled?: boolean; isOutOfTime?: boolean } = {},
): ScenarioStep {
  const { open = [], until = null, isCancelled = false, isOutOfTime = false } = how
  return say('park', run, epoch, open, '{"code":"person"}', until, isCancelled, isOutOfTime)
}

interface Deciding {
  readonly path?: string
  /** How many votes it has seen. */
  readonly ballotNo?: number
}

/** A decision on a request of a run. */
export function decide(say: Say, request: string, run: string | null, how: Deciding | string = {}): ScenarioStep {
  const { path = 'pay:approval', ballotNo = 0 } = typeof how === 'string' ? { path: how } : how
  return say('decide', request, run, '{"action":"continue"}', '{"decision":{}}', path, ballotNo)
}

/** A vote on a request of a run, after so many others. */
export function vote(say: Say, request: string, run: string | null, ballotNo = 0): ScenarioStep {
  return say('vote', request, run, '{"votes":[]}', ballotNo, '{"by":"ann"}')
}

/** Entries of several runs, by path. */
export function writeMany(
  say: Say,
  claims: readonly (readonly [string, number])[],
  rows: readonly (readonly [string, string])[],
): ScenarioStep {
  return say('write entries', ...columnsOf(claims, rows))
}

function columnsOf(claims: readonly (readonly [string, number])[], rows: readonly (readonly [string, string])[]): readonly unknown[] {
  const column = <T>(value: T): T[] => rows.map(() => value)
  const [runs, paths] = [rows.map(([run]) => run), rows.map(([, path]) => path)]
  const texts = [column(null), column('call'), column('pay'), column('key'), column('hash'), column('"x"'), column('1')]
  const [ids, epochs] = [claims.map(([id]) => id), claims.map(([, epoch]) => epoch)]
  return [ids, epochs, runs, paths, ...texts, column(1), column(2), rows.map(() => ++version)]
}

interface Asking {
  readonly epoch?: number
  readonly ms?: number | null
  readonly path?: string
  readonly isWithdrawn?: boolean
  readonly isShielded?: boolean
  readonly withdraws?: readonly string[]
}

/** A run asks, and withdraws what it had asked. */
export function ask(say: Say, request: string, run: string, how: Asking = {}): ScenarioStep {
  const { epoch = 1, ms = null, path = 'pay:approval', isWithdrawn = false, isShielded = false, withdraws = [] } = how
  const entry = [[run], [path], [null], ['review'], ['pay'], [null], [null], [null], ['{}'], [1], [null]]
  const asked = [[request], [run], [path], ['pay'], ['approval'], ['{}'], [ms], [isWithdrawn]]
  return say(
    'write all',
    [run],
    [epoch],
    ...entry,
    ...asked,
    withdraws,
    [run, 'no'],
    ['progress', 'progress'],
    ['{}', '{}'],
    [run],
    ['x'],
    ['text'],
    [++version],
    [isShielded],
  )
}

export const begin = 'BEGIN'
export const commit = 'COMMIT'
export const rollback = 'ROLLBACK'
