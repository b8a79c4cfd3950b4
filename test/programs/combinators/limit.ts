import { limit } from '../../../src/combinators/limit/limit.ts'
import { tool } from '../../../src/tool/tool.ts'
import type { LeafProgram } from '../program.ts'
import { partsIn, type Row } from '../row.ts'
import { calledTwice } from '../step-maker.ts'
import { fine, untyped } from '../wrong-arguments.ts'

interface LimitProgram {
  readonly kind: 'limit'
  /** A run that is parked inside a limit keeps its place until its lease is over, which is longer than a world. */
  readonly inner: LeafProgram
  readonly concurrency: number
  /** 0 without a rate. */
  readonly perMs: number
}

declare module '../program.ts' {
  interface ProgramNodes {
    readonly limit: LimitProgram
  }
}

export const limitRow: Row = {
  kinds: {
    limit: {
      weight: 3,
      remembers: 'in its process',
      waits: true,
      generate: ({ random, leaf }) => ({
        kind: 'limit',
        inner: leaf(),
        concurrency: random.pick([1, 2, 8]),
        perMs: random.pick([0, 0, 20, 2000]),
      }),
      ...partsIn('inner'),
      show: ({ concurrency, perMs }, [inner]) => `limit${concurrency}${perMs === 0 ? '' : `/${perMs}`}(${inner})`,
      build: ({ concurrency, perMs }, [inner]) => limit(inner, { concurrency, ...(perMs === 0 ? {} : { rate: { calls: 1, per: perMs } }) }),
      *simpler(node) {
        if (node.perMs > 0) yield { ...node, perMs: 0 }
        if (node.concurrency < 8) yield { ...node, concurrency: 8 }
      },
    },
  },
  examples: {
    limit: { make: (step) => limit(step('a'), { concurrency: 1 }), input: 'x' },
    limit_sleeps: {
      make: (step) => calledTwice(limit(step('a'), { rate: { calls: 1, per: '5s' } })),
      input: 'x',
      isOfOneProcess: true,
    },
    limit_refuses: {
      make: (step) => calledTwice(limit(step('a'), { rate: { calls: 1, per: '1h' } })),
      input: 'x',
      isOfOneProcess: true,
    },
  },
  wrong: {
    tools: [{ what: 'limit', make: (wrong) => untyped(limit)(wrong, { concurrency: 1 }), role: 'The first argument of limit' }],
    others: [
      {
        what: 'options of limit',
        make: () => untyped(limit)(fine),
        code: 'invalid_option',
        says: "The options of limit for 'ok' must be an object, not undefined.",
      },
      { what: 'a limit of nothing', make: () => untyped(limit)(fine, {}), code: 'invalid_option', says: "Limit for 'ok' limits nothing." },
      {
        what: 'the concurrency of a limit',
        make: () => untyped(limit)(fine, { concurrency: 0 }),
        code: 'invalid_option',
        says: "'concurrency' of limit for 'ok' must be a whole number of at least 1, not 0.",
      },
      {
        what: 'the rate of a limit',
        make: () => untyped(limit)(fine, { rate: { calls: 0.5, per: '1s' } }),
        code: 'invalid_option',
        says: "'rate' of limit for 'ok' must be such as { calls: 10, per: '1m' }",
      },
      {
        what: 'the time of a rate',
        make: () => untyped(limit)(fine, { rate: { calls: 5, per: 0 } }),
        code: 'invalid_option',
        says: "'rate.per' of limit for 'ok' must be a time above 0.",
      },
      {
        what: 'the cost of a limit',
        make: () => untyped(limit)(fine, { cost: { usd: '5', per: '1h' } }),
        code: 'invalid_option',
        says: "'cost' of limit for 'ok' must be such as { usd: 5, per: '1h' }",
      },
      {
        what: 'a cost below that of one call',
        make: () =>
          limit(tool({ name: 'dear', description: 'd', effect: 'read', estimates: { costUsd: 2 }, execute: () => 1 }), {
            cost: { usd: 1, per: '1h' },
          }),
        code: 'invalid_option',
        says: "'cost' of limit for 'dear' is less than one call costs by its estimate (2 USD)",
      },
      {
        what: 'the caller of a limit',
        make: () => untyped(limit)(fine, { concurrency: 1, by: 'session' }),
        code: 'invalid_option',
        says: "'by' of limit for 'ok' must be 'tool' or 'caller'",
      },
      {
        what: 'the wait of a limit',
        make: () => untyped(limit)(fine, { concurrency: 1, wait: '1s' }),
        code: 'invalid_option',
        says: "'wait' of limit for 'ok' must be true or false.",
      },
    ],
    misspelt: {
      'limit(options)': (odd) => limit(fine, { concurrency: 1, ...odd }),
      'LimitOptions.rate': (odd) => untyped(limit)(fine, { rate: { calls: 1, per: '1s', ...odd } }),
      'LimitOptions.cost': (odd) => untyped(limit)(fine, { cost: { usd: 1, per: '1s', ...odd } }),
    },
  },
}
