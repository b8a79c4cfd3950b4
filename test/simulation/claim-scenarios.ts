import { a, b, begin, claim, commit, end, rollback, start, write, writeMany } from './scenario-steps.ts'
import type { Scenario } from './scenario.ts'

/** Runs that are started, claimed and written to, by one and by several at once. */
export const CLAIM_SCENARIOS: readonly Scenario[] = [
  {
    title: 'start: a key is taken once',
    steps: [
      start('r1', 'k'),
      start('r2', 'k'),
      start('r3'),
      a('find by key', 'k'),
      a('find by key', 'no'),
      a('run exists', 'r1'),
      a('run exists', 'r2'),
    ],
  },
  {
    title: 'start: who comes second waits for the first, and finds its run',
    steps: [
      a(begin),
      start('r1', 'k'),
      b(begin),
      b('start', 'r2', 'k', 'pay', '1.0.0', '[]', '"x"', 'hash', '{}', 500),
      a(commit),
      b('find by key', 'k'),
      b(commit),
    ],
  },
  {
    title: 'start: who comes second begins, where the first gives up',
    steps: [
      a(begin),
      start('r1', 'k'),
      b(begin),
      b('start', 'r2', 'k', 'pay', '1.0.0', '[]', '"x"', 'hash', '{}', 500),
      a(rollback),
      b(commit),
      a('read run', 'r2'),
    ],
  },
  {
    title: 'claim: by the right ticket, and while the run is open',
    steps: [
      start('r1'),
      start('r2'),
      claim(a, ['r1', 'r2', 'no'], [0, 1, 0]),
      claim(a, ['r1']),
      end(a, 'r1', 2),
      claim(a, ['r1']),
      claim(a, ['r2', 'r2'], [0, 0]),
    ],
  },
  {
    title: 'write: under the epoch of the claim only',
    steps: [
      start('r1'),
      write(a, 'r1', 0),
      claim(a, ['r1']),
      write(a, 'r1', 0, 'late'),
      write(a, 'r1', 1),
      write(a, 'r1', 1, 'other'),
      write(a, 'no', 1),
      a('read entries', 'r1'),
      a('read entries', 'no'),
    ],
  },
  {
    title: 'write: of several runs, those whose epoch is right',
    steps: [
      start('r1'),
      start('r2'),
      claim(a, ['r1']),
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
      a('read entries', 'r1'),
      a('read entries', 'r2'),
    ],
  },
  {
    title: 'claim and write: the claim waits for the write, and later writes do not count',
    steps: [
      start('r1'),
      claim(a, ['r1']),
      a(begin),
      write(a, 'r1', 1),
      claim(b, ['r1']),
      a(commit),
      write(a, 'r1', 1, 'late'),
      write(b, 'r1', 2, 'next'),
      a('read entries', 'r1'),
    ],
  },
  {
    title: 'write and claim: the write waits for the claim, and does not count',
    steps: [start('r1'), claim(a, ['r1']), a(begin), claim(a, ['r1']), write(b, 'r1', 1), a(commit), a('read entries', 'r1')],
  },
  {
    title: 'write and claim: the write counts where the claim was given up',
    steps: [start('r1'), claim(a, ['r1']), a(begin), claim(a, ['r1']), write(b, 'r1', 1), a(rollback), a('read entries', 'r1')],
  },
  {
    title: 'write and claim: so does a write of several runs',
    steps: [
      ...[start('r1'), start('r2'), claim(a, ['r1', 'r2']), a(begin), claim(a, ['r2'])],
      ...[
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
        a(rollback),
        a('read entries', 'r1'),
        a('read entries', 'r2'),
      ],
    ],
  },
  {
    title: 'write and write: they do not wait for each other',
    steps: [start('r1'), claim(a, ['r1']), a(begin), write(a, 'r1', 1), write(b, 'r1', 1, 'other'), a(commit), a('read entries', 'r1')],
  },
]
