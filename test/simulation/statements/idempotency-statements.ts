import { claimText, idempotencyMigration, idempotencyStatements as texts } from '../../../src/store/postgres-idempotency.ts'
import { NEXT_CLAIM } from '../../../src/run/postgres/run-keys.ts'
import type { KeyRow } from '../tables.ts'
import type { Transaction } from '../transaction.ts'
import type { LockRequest, Parameters, Statement } from './statement.ts'

const TEXTS = texts()

/** The keys of `idempotent`. Their texts are the store's own, taken from it. */
export const idempotencyStatements: readonly Statement[] = [
  {
    name: 'migrations exist',
    isTimed: true,
    text: `select to_regclass('toolwright.migration') is not null as exists`,
    run: () => [{ exists: true }],
  },
  {
    name: 'migrations done',
    isTimed: true,
    text: 'select id, name from toolwright.migration where series = $1 order by id',
    run: () => [idempotencyMigration],
  },
  { name: 'key claim', isTimed: true, text: TEXTS.claim, locks: onKey, run: claim },
  {
    name: 'key claim of a run',
    isTimed: true,
    text: claimText(NEXT_CLAIM),
    locks: (given, on) => ({ mode: 'exclusive', rows: isNext(on, given) ? [`run ${String(given[RUN])}`] : [] }),
    thenLocks: (given, on) => (isNext(on, given) ? onKey(given) : { mode: 'share', rows: [] }),
    run: (on, given) => {
      if (!isNext(on, given)) return [isUnderWay(on, given) ? AGAIN : REFUSED]
      on.set('run', given[RUN] as string, { key_claim: given[RUN + 2] as number })
      return claim(on, given)
    },
  },
  {
    name: 'key renew',
    isTimed: true,
    text: TEXTS.renew,
    locks: onKey,
    run: (on, [key, fence, leaseMs]) => {
      const row = heldBy(on, key, fence)
      if (row === undefined) return 0
      on.set('key', row.key, { lease_until: on.now + (leaseMs as number), keep_until: on.now + row.keep_ms })
      return 1
    },
  },
  {
    name: 'key settle',
    isTimed: true,
    text: TEXTS.settle,
    locks: onKey,
    run: (on, [key, fence, result]) => {
      const row = on.get('key', key as string)
      if (row === undefined || row.fence !== Number(fence)) return 0
      const keepUntil = row.state === 'done' ? row.keep_until : on.now + row.keep_ms
      on.set('key', row.key, { state: 'done', result: row.result ?? (result as string), keep_until: keepUntil })
      return 1
    },
  },
  {
    name: 'key free',
    isTimed: true,
    text: TEXTS.free,
    locks: onKey,
    run: (on, [key, fence]) => {
      const row = heldBy(on, key, fence)
      if (row === undefined) return 0
      on.put('key', row.key, null)
      return 1
    },
  },
  {
    name: 'key held',
    isTimed: true,
    text: TEXTS.isHeld,
    run: (on, [key]) => {
      const row = on.get('key', key as string)
      return row?.state === 'held' && row.lease_until > on.now ? 1 : 0
    },
  },
]

/** The place of the run among the parameters of a claim for it; its epoch and the number of the claim are the next. */
const RUN = 7
const REFUSED = { mine: false, same: false, input_hash: '', state: 'refused', fence: '0', result: null, lease_ms: 0 }
const AGAIN = { ...REFUSED, state: 'again' }

function isNext(on: Transaction, given: Parameters): boolean {
  return isUnderWay(on, given) && (on.get('run', given[RUN] as string)?.key_claim ?? 0) < (given[RUN + 2] as number)
}

function isUnderWay(on: Transaction, given: Parameters): boolean {
  const run = on.get('run', given[RUN] as string)
  return run?.epoch === given[RUN + 1] && run?.status === 'running'
}

function onKey(given: Parameters): LockRequest {
  return { mode: 'exclusive', rows: [`key ${String(given[0])}`] }
}

function heldBy(on: Transaction, key: unknown, fence: unknown): KeyRow | undefined {
  const row = on.get('key', key as string)
  return row !== undefined && row.fence === Number(fence) && row.state === 'held' ? row : undefined
}

function isForgotten(row: KeyRow, now: number): boolean {
  return row.keep_until <= now && (row.state === 'done' || row.lease_until <= now)
}

function claim(on: Transaction, given: Parameters): readonly object[] {
  const [key, tool, hash, holder, leaseMs, keepMs, takesOver] = given as [string, string, string, string, number, number, boolean]
  const { now } = on
  const row = on.get('key', key)
  const isOwn = row !== undefined && row.holder === holder && row.input_hash === hash && !isForgotten(row, now)
  const isLeft = row !== undefined && takesOver && row.state === 'held' && row.lease_until <= now && row.input_hash === hash
  if (row !== undefined && !isOwn && !isLeft && !isForgotten(row, now)) {
    const isSame = row.input_hash === hash
    const lease = { state: row.state, fence: String(row.fence), lease_ms: row.lease_until - now }
    return [{ mine: false, same: isSame, input_hash: row.input_hash, result: isSame ? row.result : null, ...lease }]
  }
  const fence = isOwn ? row.fence : on.database.nextMoment()
  on.put('key', key, {
    ...{ key, tool, input_hash: hash, holder, fence, state: isOwn ? row.state : 'held', result: isOwn ? row.result : null },
    ...{ lease_until: now + leaseMs, keep_ms: keepMs, keep_until: isOwn ? row.keep_until : now + keepMs },
  })
  return [{ mine: true, same: true, input_hash: hash, state: 'held', fence: String(fence), result: null, lease_ms: 0 }]
}
