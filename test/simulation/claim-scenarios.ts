import {
  a,
  ask,
  b,
  begin,
  claim,
  claimKey,
  commit,
  end,
  fetch,
  gone,
  jobOf,
  rollback,
  start,
  startAndTake,
  startOn,
  write,
  writeMany,
  writePair,
} from './scenario-steps.ts'
import type { Scenario } from './scenario.ts'

const LATER = new Date('2100-01-01')

/** Runs that are started, claimed and written to, by one and by several at once. */
export const CLAIM_SCENARIOS: readonly Scenario[] = [
  {
    title: 'start: a key is taken once',
    steps: [
      ...[start('r1', 'k'), start('r2', 'k'), start('r3'), a('find by key', 'k'), a('find by key', 'no')],
      ...[a('run exists', 'r1'), a('run exists', 'r2'), a('run is known', 'r1'), a('run is known', 'r2'), a('read status', 'r3')],
    ],
  },
  {
    title: 'key claim of a run: refused where the run is not under way under the epoch, or has ended meanwhile',
    steps: [
      ...[claimKey(a, 'no', 1), start('r1'), claimKey(a, 'r1', 0), fetch, claim(a, ['r1']), claimKey(a, 'r1', 0), claimKey(a, 'r1', 2)],
      ...[a(begin), end(a, 'r1', 1), claimKey(b, 'r1', 1), a(commit), claimKey(a, 'r1', 1)],
    ],
  },
  {
    title: 'key claim of a run: one that comes later than a younger one claims nothing',
    steps: [
      ...[start('r1'), fetch, claim(a, ['r1']), claimKey(a, 'r1', 1, 5), claimKey(a, 'r1', 1, 5), claimKey(a, 'r1', 1, 4)],
      ...[claimKey(b, 'r1', 1, 3), claimKey(b, 'r1', 1, 6)],
      ...[a(begin), claimKey(a, 'r1', 1, 9), claimKey(b, 'r1', 1, 8), a(commit), claimKey(b, 'r1', 1, 10)],
    ],
  },
  {
    title: 'start: later, or at a time that is past',
    steps: [
      ...[startOn(a, 'r1', null, { startAt: LATER }), startOn(a, 'r2', null, { startAt: new Date(0) })],
      ...[fetch, a('read run', 'r1'), a('read run', 'r2')],
    ],
  },
  {
    title: 'start: who comes second waits for the first, and finds its run',
    steps: [a(begin), start('r1', 'k'), b(begin), startOn(b, 'r2', 'k', { timeLeftMs: 500 }), a(commit), b('find by key', 'k'), b(commit)],
  },
  {
    title: 'start: who comes second begins, where the first gives up',
    steps: [a(begin), start('r1', 'k'), b(begin), startOn(b, 'r2', 'k', { timeLeftMs: 500 }), a(rollback), b(commit), a('read run', 'r2')],
  },
  {
    title: 'start and take: the run is under way, and its job is held',
    steps: [
      ...[startAndTake(a, 'r1'), startAndTake(a, 'r2', 'k', { timeLeftMs: 500 }), startAndTake(a, 'r3', 'k'), start('r4', 'k'), fetch],
      ...[a('read run', 'r1'), a('read run', 'r2'), a('find by key', 'k'), a('list holders'), a('touch jobs', [jobOf('r1')], [0])],
      ...[
        a('read status', 'r1'),
        write(a, 'r1', 1),
        writePair(a, 'r1', 1),
        write(a, 'r1', 0),
        end(a, 'r1', 1),
        a('delete jobs', [jobOf('r1')], [0]),
      ],
    ],
  },
  {
    title: 'start and take: who is gone or gives its job back loses the run by the next attempt',
    steps: [
      ...[startAndTake(a, 'r1'), startAndTake(a, 'r2', null, { worker: 'worker 2' }), gone(a), fetch, claim(a, ['r1'])],
      ...[claim(a, ['r1'], { attempt: 1, worker: 'worker 2' }), write(a, 'r1', 1), write(a, 'r1', 2), a('leave jobs', [jobOf('r2')], [0])],
      ...[fetch, claim(a, ['r2'], { attempt: 1 }), end(a, 'r2', 1), end(a, 'r2', 2)],
    ],
  },
  {
    title: 'start and take: who comes second waits for the first',
    steps: [
      a(begin),
      startAndTake(a, 'r1', 'k'),
      b(begin),
      startAndTake(b, 'r2', 'k'),
      a(rollback),
      b(commit),
      a('read run', 'r2'),
      start('r3', 'k'),
    ],
  },
  {
    title: 'claim: by the right ticket and attempt, and while the run is open',
    steps: [
      ...[start('r1'), start('r2'), claim(a, ['r1']), fetch, claim(a, ['r1', 'r2', 'no'], { tickets: [0, 1, 0] }), claim(a, ['r1'])],
      ...[claim(a, ['r1'], { attempt: 1 }), end(a, 'r1', 2), claim(a, ['r1']), claim(a, ['r2'])],
    ],
  },
  {
    title: 'claim: a row that somebody holds is passed over, and said to be locked',
    steps: [
      ...[start('r1'), start('r2'), fetch, b(begin), b('lock status', 'r1'), claim(a, ['r1', 'r2']), b(commit), claim(a, ['r1', 'r2'])],
    ],
  },
  {
    title: 'claim: one of those that may bring workers down, and none where it is not wanted',
    steps: [
      ...[start('r1'), start('r2'), start('r3'), fetch, claim(a, ['r1', 'r2']), claim(a, ['r1', 'r2']), claim(a, ['r1', 'r2'])],
      ...[claim(a, ['r1', 'r2', 'r3']), a('fetch jobs', 20), claim(a, ['r1', 'r3'], { takesSuspect: false })],
      ...[a('read run', 'r1'), a('read run', 'r2'), a('read run', 'r3')],
    ],
  },
  {
    title: 'claim: what a worker cannot go on with is left to others, while there are any',
    steps: [
      ...[start('r1'), fetch, claim(a, ['r1']), a('put back', 'r1', 1, null, ['worker 1']), fetch, claim(a, ['r1'], { tickets: [1] })],
      ...[a('put back', 'r1', 2, null, ['worker 3']), a('announce', 'worker 2', 'host', 1, ['pay'], []), fetch],
      ...[a('others may go on', 'worker 1', 'r1'), a('others may go on', 'worker 2', 'r1'), claim(a, ['r1'], { tickets: [2] })],
      ...[fetch, claim(a, ['r1'], { tickets: [3], worker: 'worker 2' }), a('announce', 'worker 1', 'host', 1, ['pay'], ['pay'])],
    ],
  },
  {
    title: 'jobs: touched, left and removed by who has fetched them last',
    steps: [
      ...[
        start('r1'),
        start('r2'),
        a('touch jobs', [jobOf('r1')], [0]),
        a('fetch jobs', 1),
        a('touch jobs', [jobOf('r1'), jobOf('r2')], [0, 0]),
      ],
      ...[a('leave jobs', [jobOf('r1')], [1]), a('leave jobs', [jobOf('r1')], [0]), a('touch jobs', [jobOf('r1')], [0])],
      ...[fetch, claim(a, ['r1']), claim(a, ['r1'], { attempt: 1 }), a('delete jobs', [jobOf('r1')], [0])],
      ...[a('delete jobs', [jobOf('r1'), jobOf('r2')], [1, 0]), fetch, claim(a, ['r2'])],
    ],
  },
  {
    title: 'jobs: who fetches passes over what another one is fetching',
    steps: [start('r1'), start('r2'), a(begin), a('fetch jobs', 1), b('fetch jobs', 5), a(rollback), b('fetch jobs', 5)],
  },
  {
    title: 'jobs of the gone: of running runs, by the fetch that their claim was made by',
    steps: [
      ...[start('r1'), start('r2'), start('r3'), fetch, gone(a), claim(a, ['r1', 'r2']), claim(a, ['r3'], { worker: 'worker 2' })],
      ...[end(a, 'r2', 1), a('list holders'), gone(a, 'worker 3'), gone(a), fetch, gone(a), claim(a, ['r1'])],
      ...[claim(a, ['r1'], { attempt: 1, worker: 'worker 2' }), gone(a), gone(a, 'worker 1', 'worker 2'), fetch],
    ],
  },
  {
    title: 'jobs of the gone: a claim that is being made keeps its job',
    steps: [
      ...[start('r1'), start('r2'), fetch, claim(a, ['r1', 'r2']), a(begin), claim(a, ['r1'], { worker: 'worker 2' }), gone(b)],
      ...[a(commit), gone(b), a('touch jobs', [jobOf('r1'), jobOf('r2')], [0, 0])],
    ],
  },
  {
    title: 'jobs of the gone: a job that somebody changes is passed over',
    steps: [
      ...[start('r1'), start('r2'), fetch, claim(a, ['r1', 'r2']), a(begin), a('touch jobs', [jobOf('r1')], [0]), gone(b)],
      ...[a(rollback), gone(b), fetch],
    ],
  },
  {
    title: 'jobs of the gone: freeing them is seen when it is committed',
    steps: [
      ...[start('r1'), fetch, claim(a, ['r1']), a(begin), gone(a), b('fetch jobs', 5), gone(b), b('touch jobs', [jobOf('r1')], [0])],
      ...[a(commit), claim(b, ['r1']), fetch],
    ],
  },
  {
    title: 'write: under the epoch of the claim only',
    steps: [
      ...[
        start('r1'),
        fetch,
        write(a, 'r1', 0),
        claim(a, ['r1']),
        write(a, 'r1', 0, 'late'),
        write(a, 'r1', 1),
        write(a, 'r1', 1, 'other'),
      ],
      ...[write(a, 'no', 1), a('write entry', 'r1', 1, 'short~', 'the whole path', 'sleep', null, null, null, null, '1', 5, 6, 1_000_000)],
      ...[a('read entries', 'r1'), a('read entries', 'no')],
    ],
  },
  {
    title: 'write: two entries, under the epoch of the claim only',
    steps: [
      ...[start('r1'), fetch, claim(a, ['r1']), writePair(a, 'r1', 0), writePair(a, 'no', 1), write(a, 'r1', 1)],
      ...[writePair(a, 'r1', 1), writePair(a, 'r1', 1, ['mail', 'other']), a('read entries', 'r1')],
    ],
  },
  {
    title: 'write: two entries wait for who writes to one of the same places, and for who claims the run',
    steps: [
      ...[start('r1'), fetch, claim(a, ['r1']), a(begin), write(a, 'r1', 1, 'mail'), writePair(b, 'r1', 1), a(commit)],
      ...[a('read entries', 'r1'), b(begin), writePair(b, 'r1', 1, ['mail', 'other']), end(a, 'r1', 1), b(commit), a('read entries', 'r1')],
    ],
  },
  {
    title: 'write: of several runs, those whose epoch is right',
    steps: [
      ...[start('r1'), start('r2'), fetch, claim(a, ['r1'])],
      writeMany(
        a,
        [
          ['r1', 1],
          ['r2', 1],
        ],
        [
          ['r2', 'p'],
          ['r1', 'q'],
          ['r1', 'p'],
        ],
      ),
      ...[a('read entries', 'r1'), a('read entries', 'r2')],
    ],
  },
  {
    title: 'write: requests, events and artifacts go along',
    steps: [
      ...[start('r1'), fetch, ask(a, 'q1', 'r1'), claim(a, ['r1']), ask(a, 'q1', 'r1'), ask(a, 'q1', 'r1'), a('read request', 'q1')],
      ...[ask(a, 'q2', 'r1', { ms: 1000, isWithdrawn: true, withdraws: ['q1', 'q2', 'no'] }), a('read request', 'q1')],
      ...[a('read request', 'q2'), a('read artifacts', 'r1', ['x', 'no']), ask(a, 'q3', 'r1', { epoch: 7 }), a('read request', 'q3')],
    ],
  },
  {
    title: 'write: what a cancelled run asks is withdrawn, but for what is being undone',
    steps: [
      ...[
        start('r1'),
        fetch,
        claim(a, ['r1']),
        a('cancel', 'r1', '{}'),
        ask(a, 'q1', 'r1'),
        ask(a, 'q2', 'r1', { path: 's/undo.pay:approval' }),
      ],
      ...[a('read request', 'q1'), a('read request', 'q2'), a('read open', 'q1'), a('read open', 'q2')],
    ],
  },
  {
    title: 'claim and write: the claim passes over what is being written, and later writes do not count',
    steps: [
      ...[start('r1'), fetch, claim(a, ['r1']), a(begin), write(a, 'r1', 1), claim(b, ['r1']), a(commit), claim(b, ['r1'])],
      ...[write(a, 'r1', 1, 'late'), write(b, 'r1', 2, 'next'), a('read entries', 'r1')],
    ],
  },
  {
    title: 'write and claim: the write waits for the claim, and does not count',
    steps: [start('r1'), fetch, claim(a, ['r1']), a(begin), claim(a, ['r1']), write(b, 'r1', 1), a(commit), a('read entries', 'r1')],
  },
  {
    title: 'write and claim: the write counts where the claim was given up',
    steps: [start('r1'), fetch, claim(a, ['r1']), a(begin), claim(a, ['r1']), write(b, 'r1', 1), a(rollback), a('read entries', 'r1')],
  },
  {
    title: 'write and claim: so does a write of several runs',
    steps: [
      ...[start('r1'), start('r2'), fetch, claim(a, ['r1', 'r2']), a(begin), claim(a, ['r2'])],
      writeMany(
        b,
        [
          ['r1', 1],
          ['r2', 1],
        ],
        [
          ['r1', 'p'],
          ['r2', 'p'],
        ],
      ),
      ...[a(rollback), a('read entries', 'r1'), a('read entries', 'r2')],
    ],
  },
  {
    title: 'write and write: they do not wait for each other, but at the same place',
    steps: [
      ...[start('r1'), fetch, claim(a, ['r1']), a(begin), write(a, 'r1', 1), write(b, 'r1', 1, 'other'), write(b, 'r1', 1), a(commit)],
      a('read entries', 'r1'),
    ],
  },
]
