import type { Join, JoinKind } from '../../../src/combinators/parallel/join.ts'
import { all, best, first, partial, quorum } from '../../../src/combinators/parallel/join.ts'
import { parallel } from '../../../src/combinators/parallel/parallel.ts'
import { pipe } from '../../../src/combinators/pipe/pipe.ts'
import type { Program } from '../program.ts'
import { DESCRIPTION, labelled, partsIn, type Row, shorter } from '../row.ts'
import { estimated, fine, untyped } from '../wrong-arguments.ts'

interface ParallelProgram {
  readonly kind: 'parallel'
  readonly join: JoinKind
  /** The time of `partial`, in milliseconds. */
  readonly afterMs: number
  readonly concurrency: number
  readonly parts: readonly Program[]
}

declare module '../program.ts' {
  interface ProgramNodes {
    readonly parallel: ParallelProgram
  }
}

export const parallelRow: Row = {
  kinds: {
    parallel: {
      weight: 22,
      generate: ({ random, contender }) => ({
        kind: 'parallel',
        join: random.pick(['all', 'first', 'first', 'quorum', 'partial', 'partial', 'best']),
        afterMs: random.pick([3, 8, 20, 40, 100]),
        concurrency: random.pick([1, 2, 8]),
        parts: random.some(2, 3, contender),
      }),
      ...partsIn('parts'),
      show: ({ join, afterMs, concurrency }, parts) => `${join}${join === 'partial' ? afterMs : ''}/${concurrency}(${parts.join(', ')})`,
      build: ({ join, afterMs, concurrency }, parts, { name }) => {
        const joins = {
          all,
          first,
          quorum: () => quorum({ count: Math.max(1, parts.length - 1) }),
          partial: () => partial({ after: afterMs }),
          best: () => best(() => 1),
        } satisfies Record<JoinKind, () => Join<JoinKind, unknown>>
        return parallel(labelled('p', parts), {
          name: name(join),
          description: DESCRIPTION,
          join: joins[join]() as Join<JoinKind, unknown>,
          concurrency,
        })
      },
      *simpler(node) {
        for (const parts of shorter(node.parts, 2)) yield { ...node, parts }
        if (node.concurrency !== 8) yield { ...node, concurrency: 8 }
        if (node.join !== 'all') yield { ...node, join: 'all' }
      },
      timeless: (node) => (node.join === 'best' ? node : { ...node, join: 'all' }),
    },
  },
  examples: {
    parallel_all: { make: (step) => parallel({ one: step('a'), two: step('b'), three: pipe(step('c'), step('d')) }), input: 'x' },
    parallel_all_fails: { make: (step) => parallel({ one: step('a'), two: step('b', { fails: 'no paper' }) }), input: 'x' },
    parallel_first: { make: (step) => parallel({ one: step('a', { ms: 50 }), two: step('b', { ms: 20 }) }, { join: first() }), input: 'x' },
    parallel_quorum: {
      make: (step) =>
        parallel(
          { one: step('a', { ms: 50, fails: 'no' }), two: step('b', { ms: 20 }), three: step('c', { ms: 80 }) },
          { join: quorum({ count: 2 }) },
        ),
      input: 'x',
    },
    parallel_best: {
      make: (step) => parallel({ one: step('a'), two: step('bb') }, { join: best((value) => String(value).length) }),
      input: 'x',
    },
    parallel_partial: {
      make: (step) => parallel({ one: step('a', { ms: 10 }), two: step('b', { ms: 9000 }) }, { join: partial({ after: '1s' }) }),
      input: 'x',
    },
    parallel_one_at_a_time: {
      make: (step) =>
        parallel(
          { one: step('a', { fails: 'no', ms: 5 }), two: step('b', { ms: 5 }), three: step('c') },
          { join: first(), concurrency: 1 },
        ),
      input: 'x',
    },
  },
  wrong: {
    tools: [{ what: 'parallel', make: (wrong) => untyped(parallel)({ ok: fine, other: wrong }), role: "Branch 'other'" }],
    names: [{ what: 'a parallel tool', make: (name) => untyped(parallel)({ ok: fine }, { name: name ?? 5 }) }],
    others: [
      {
        what: 'branches',
        make: () => untyped(parallel)(undefined),
        code: 'invalid_option',
        says: 'The first argument of parallel must be an object, not undefined.',
      },
      {
        what: 'options of parallel',
        make: () => untyped(parallel)({ ok: fine }, 5),
        code: 'invalid_option',
        says: 'The options of a parallel tool must be an object, not 5.',
      },
      {
        what: 'inputs',
        make: () => untyped(parallel)({ ok: fine }, { inputs: null }),
        code: 'invalid_option',
        says: "'inputs' of a parallel tool must be an object, not null.",
      },
      {
        what: 'a join made by hand',
        make: () => untyped(parallel)({ ok: fine }, { join: { kind: 'all' } }),
        code: 'invalid_option',
        says: 'A join is made by all()',
      },
      {
        what: 'a quorum',
        make: () => untyped(quorum)(),
        code: 'invalid_option',
        says: 'A quorum is a share such as 0.5, or a number of branches such as { count: 2 }, not undefined.',
      },
      {
        what: 'options of partial',
        make: () => untyped(partial)(),
        code: 'invalid_option',
        says: 'The options of partial must be an object, not undefined.',
      },
    ],
    misspelt: {
      'partial(options)': (odd) => partial({ after: '1s', ...odd }),
      'quorum(q)': (odd) => quorum({ count: 1, ...odd }),
      'parallel(options)': (odd) => parallel({ ok: fine }, odd),
      'ParallelOptions.estimates': estimated((odd) => parallel({ ok: fine }, odd)),
    },
  },
}
