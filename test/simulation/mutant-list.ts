import type { Profile } from './plan-of.ts'

interface Change {
  readonly file: string
  readonly text: string
  readonly instead: string
}

/** A wrong that somebody could write: texts of source files, and what stands there instead. */
export interface Mutant {
  readonly name: string
  readonly changes: readonly [Change, ...Change[]]
  /** The worlds in which it is hunted; `clean` ones unless it needs others. */
  readonly profile?: Profile
}

const STATEMENTS = 'test/simulation/statements'

function mutant(name: string, file: string, [text, instead]: readonly [string, string]): Mutant {
  return { name, changes: [{ file, text, instead }] }
}

/** In worlds where nothing else goes wrong. */
function calm(mutated: Mutant): Mutant {
  return { ...mutated, profile: 'calm' }
}

/**
 * What fences and tickets do are conditions of statements: they are mutated in the memory, whose statements are those of the store. Others of
 * this kind show in no world, since something else makes good for them, and are found by the conformance of the memory: a claim that waits
 * for rows that others hold, an end without a fence.
 */
const OF_STATEMENTS: readonly Mutant[] = [
  mutant('fence off', `${STATEMENTS}/write-statements.ts`, [
    "return on.get('run', id as string)?.epoch === epoch",
    "return on.get('run', id as string) !== undefined",
  ]),
  {
    ...mutant('a key is claimed for a run that was lost', `${STATEMENTS}/idempotency-statements.ts`, [
      "run?.epoch === given[RUN + 1] && run?.status === 'running'",
      'run !== undefined',
    ]),
    profile: 'keys',
  },
  {
    ...mutant('a claim of a key counts however late it comes', `${STATEMENTS}/idempotency-statements.ts`, [
      "(on.get('run', given[RUN] as string)?.key_claim ?? 0) < (given[RUN + 2] as number)",
      "on.get('run', given[RUN] as string) !== undefined",
    ]),
    profile: 'keys',
  },
  mutant('ticket ignored', `${STATEMENTS}/claim-statements.ts`, ['run.ticket === (tickets as readonly number[])[index] && ', '']),
  mutant('attempt of a job ignored', `${STATEMENTS}/claim-statements.ts`, [
    ' || job.attempt !== (attempts as readonly number[])[index]',
    '',
  ]),
  calm(
    mutant('decision wakes nobody', `${STATEMENTS}/review-statements.ts`, [
      "  if (run?.status === 'waiting') {\n    asQueued",
      "  if (run?.status === 'nothing') {\n    asQueued",
    ]),
  ),
  calm(
    mutant('park does not look for decisions', `${STATEMENTS}/park-statement.ts`, [
      'if (cancel !== null || decided.length > 0)',
      'if (cancel !== null)',
    ]),
  ),
  calm(
    mutant('park does not look for a cancellation', `${STATEMENTS}/park-statement.ts`, [
      'if (cancel !== null || decided.length > 0)',
      'if (decided.length > 0)',
    ]),
  ),
  calm(mutant('cancel of a later start ignored', `${STATEMENTS}/run-statements.ts`, ['(held_back || wake_at !== null)', 'held_back'])),
  mutant('a request written again covers its decision', `${STATEMENTS}/write-statements.ts`, [
    "return version < next.version && (kind !== 'review' || ended === null)",
    'return version <= next.version',
  ]),
  mutant('a write that comes late covers what came since', `${STATEMENTS}/write-statements.ts`, [
    "return version < next.version && (kind !== 'review' || ended === null)",
    "return version <= 0 || (next.version > 0 && (kind !== 'review' || ended === null))",
  ]),
]

/** Jobs of processes that are no more, freed by those beside them. */
const OF_THE_GONE: readonly Mutant[] = [
  mutant('a living process counts as gone', 'src/run/host.ts', ['  return isUnburied(pid)\n', '  return true\n']),
  mutant('a number counts as gone in every place', 'src/run/host.ts', ['digits !== here || ', '']),
  mutant('numbers of another space are believed', 'src/run/host.ts', [
    "readlinkSync('/proc/self') !== String(process.pid)",
    'process.pid < 0',
  ]),
  mutant('a run that is taken with its start has no attempt', `${STATEMENTS}/start-statements.ts`, ['job_attempt: 0, ', '']),
  mutant('the job of a run that is taken with its start was never begun', `${STATEMENTS}/start-statements.ts`, [
    ', isBegun: true, ',
    ', isBegun: false, ',
  ]),
  mutant('nobody looks for the gone', 'src/run/postgres/job-queue.ts', ['if (gone.length > 0)', 'if (gone.length < 0)']),
  mutant('one of another user counts as alive when it has ended', 'src/run/host.ts', [
    "if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true",
    "return (error as NodeJS.ErrnoException).code === 'ESRCH'",
  ]),
  mutant('a process that was not asked how it ended counts as alive', 'src/run/host.ts', ['return ENDED.test(', "return '' === ("]),
]

/** Whatever becomes of the attempt of a job, it is the same job. */
const ANY_ATTEMPT: readonly [Change, Change] = [
  { file: `${STATEMENTS}/queue-statements.ts`, text: ' && job.attempt === (attempts as readonly number[])[index]', instead: '' },
  { file: `${STATEMENTS}/claim-statements.ts`, text: ' || job.attempt !== (attempts as readonly number[])[index]', instead: '' },
]

/** Each of these is made good by a second guard, which is off here. */
const WITHOUT_A_GUARD: readonly Mutant[] = [
  {
    name: 'freeing ignores the attempt, and who claims the run',
    changes: [
      { file: `${STATEMENTS}/queue-statements.ts`, text: ' && job.attempt === run.job_attempt', instead: '' },
      { file: `${STATEMENTS}/queue-statements.ts`, text: ' && locked.includes(`run ${run.id}`)', instead: '' },
      { file: `${STATEMENTS}/queue-statements.ts`, text: '`job ${job.id}`, `run ${run.id}`', instead: '`job ${job.id}`' },
    ],
    profile: 'limits',
  },
  {
    name: 'lease not asked before an effect, and no answer is too late',
    changes: [
      { file: 'src/run/journal/run-journal.ts', text: 'written.then(() => this.#leased())', instead: 'written' },
      { file: 'src/run/postgres/time-bounds.ts', text: 'query_timeout: 5000', instead: 'query_timeout: 35_000' },
    ],
  },
  {
    name: 'job completed by a fenced worker, whoever has it',
    changes: [
      {
        file: 'src/run/worker/worker.ts',
        text: '      // The job stays: it may be',
        instead: '      this.#done.add(active.job)\n      // The job stays: it may be',
      },
      ...ANY_ATTEMPT,
    ],
  },
  {
    name: 'jobs not held from the fetch on, whoever has them',
    changes: [
      {
        file: 'src/run/worker/worker.ts',
        text: '[...moving, ...this.#unclaimed.values()]',
        instead: '[...moving]',
      },
      ...ANY_ATTEMPT,
    ],
  },
]

const OF_RUNS: readonly Mutant[] = [
  mutant('effect before its write', 'src/run/journal/run-journal.ts', [
    'if (!isWaitedFor) return undefined',
    'if (isWaitedFor !== undefined) return undefined',
  ]),
  calm(mutant('a gate whose time is up spins', 'src/run/segment/segment.ts', ['Math.min(sleepsUntil, this.#nextExpiry)', 'sleepsUntil'])),
  {
    ...mutant('a park is asked again with what came meanwhile', 'src/run/segment/segment.ts', [
      'this.#tryToPark(parking)',
      'this.#tryToPark({ ...parking, open: this.openRequests, isCancelled: this.isCancelled })',
    ]),
    profile: 'faulty',
  },
  {
    ...mutant('a batch is not written one by one', 'src/run/journal/journal-writer.ts', [
      'if (refused !== undefined && batch.length === 1)',
      'if (refused !== undefined)',
    ]),
    profile: 'neighbours',
  },
  {
    name: 'an end that is refused is not recorded as failed',
    changes: [
      {
        file: 'src/run/segment/run-segment.ts',
        text: 'return !(error instanceof Fenced) && !context.store.isPassing(error)',
        instead: 'return error === undefined',
      },
      { file: 'src/run/journal/values.ts', text: 'message: storable(message) }', instead: 'message }' },
    ],
    profile: 'calm',
  },
  {
    name: 'what is held back is not released by others',
    changes: [
      { file: 'src/run/postgres/end-run.ts', text: 'if (holdsBack) await', instead: 'if (holdsBack === undefined) await' },
      { file: 'src/run/postgres/park-run.ts', text: 'if (row.holds_back) await', instead: 'if (row.holds_back === undefined) await' },
      {
        file: 'src/run/postgres/postgres-run-store.ts',
        text: '      await releaseStranded(store)\n',
        instead: '      void releaseStranded\n',
      },
    ],
    profile: 'limits',
  },
]

const OF_CALLS: readonly Mutant[] = [
  mutant('barrier off', 'src/tool/engine/catch-up.ts', ['!replay.isHolding ||', 'replay.isHolding ||']),
  mutant('a closed scope refuses compounds', 'src/tool/engine/door.ts', [
    'if (!mayReachRecords(call)) throw new Cut(closed)',
    'throw new Cut(closed)',
  ]),
  {
    name: 'a stop counts in a run that is cancelled',
    changes: [
      {
        file: 'src/tool/engine/request-review.ts',
        text: 'if (late !== undefined) throw waitCut(',
        instead: 'if (late !== late) throw waitCut(',
      },
      { file: `${STATEMENTS}/review-statements.ts`, text: 'owner.cancel !== null &&', instead: 'owner.cancel === undefined &&' },
      { file: `${STATEMENTS}/run-statements.ts`, text: ', ...withdraw(on, run.id, IS_ASKED_FORWARD)]', instead: ']' },
    ],
  },
  mutant('a stop that came in time is forgotten when the run is cancelled', 'src/tool/engine/request-review.ts', [
    'if (journal !== undefined && stopCounts(journal, path))',
    'if (journal === null)',
  ]),
  mutant('a part has its time anew', 'src/tool/engine/part-deadline.ts', [
    'return isOver ? 0 : Math.max(0, ms -',
    'return isOver ? 0 : ms + 0 * Math.max(0, ms -',
  ]),
  calm(
    mutant('a compound ends without its parts', 'src/tool/engine/completion.ts', [
      'call.inFlight === 0 || call.parent?.scope === call.scope',
      'call.inFlight >= 0 || call.parent?.scope === call.scope',
    ]),
  ),
  mutant('attempts at a read are not counted', 'src/tool/engine/next-attempt.ts', [
    'retries.waitAfter(attempt, error,',
    'retries.waitAfter(1, error,',
  ]),
  mutant('steps without a key are repeated', 'src/tool/engine/run-recorded.ts', [
    'if (past !== undefined && !mayRepeat(call.built))',
    'if (past !== undefined && past.path !== path)',
  ]),
]

const OF_COMBINATORS: readonly Mutant[] = [
  calm(
    mutant('undo in forward order', 'src/combinators/saga/saga-ledger.ts', [
      'for (const entry of this.entries.toReversed())\n        if',
      'for (const entry of this.entries)\n        if',
    ]),
  ),
  mutant('compensating is not recorded', 'src/combinators/saga/saga-ledger.ts', ["      await this.enter('compensating')\n", '']),
  mutant('the end of a race is not waited for', 'src/tool/seam/group-race.ts', [
    'this.#end.resolve(recordEnd(this.call, this.#plan, { ended, cancelled }))',
    'void recordEnd(this.call, this.#plan, { ended, cancelled })\n    this.#end.resolve({ cancelled, isEarly: true })',
  ]),
  {
    name: 'a race is left while it undoes its losers',
    changes: [
      { file: 'src/tool/seam/group-race.ts', text: '  call.began()\n', instead: '' },
      { file: 'src/tool/seam/group-race.ts', text: '    call.ended()\n', instead: '' },
      {
        file: 'src/tool/seam/undoing.ts',
        text: 'return toItsEnd(whole, () => undo(callOf(part), isAgain))',
        instead: 'return undo(callOf(part), isAgain)',
      },
    ],
  },
]

export const MUTANTS: readonly Mutant[] = [...OF_STATEMENTS, ...OF_THE_GONE, ...OF_RUNS, ...WITHOUT_A_GUARD, ...OF_CALLS, ...OF_COMBINATORS]
