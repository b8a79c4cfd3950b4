import { breaker } from '../../../src/combinators/breaker/breaker.ts'
import { ToolError } from '../../../src/tool/errors/tool-error.ts'
import type { Program } from '../program.ts'
import { partsIn, type Row } from '../row.ts'
import { calledTwice } from '../step-maker.ts'
import { fine, untyped } from '../wrong-arguments.ts'

interface BreakerProgram {
  readonly kind: 'breaker'
  readonly inner: Program
  readonly minCalls: number
}

declare module '../program.ts' {
  interface ProgramNodes {
    readonly breaker: BreakerProgram
  }
}

export const breakerRow: Row = {
  kinds: {
    breaker: {
      weight: 3,
      remembers: 'in its process',
      generate: ({ random, program }) => ({ kind: 'breaker', inner: program(), minCalls: random.pick([1, 2, 10]) }),
      ...partsIn('inner'),
      show: ({ minCalls }, [inner]) => `breaker${minCalls}(${inner})`,
      build: ({ minCalls }, [inner]) => breaker(inner, { minCalls, coolDown: 300 }),
      *simpler(node) {
        if (node.minCalls < 10) yield { ...node, minCalls: 10 }
      },
    },
  },
  examples: {
    breaker: { make: (step) => breaker(step('a')), input: 'x' },
    breaker_opens: {
      make: (step) => calledTwice(breaker(step('a', { throws: new ToolError('Down.', { class: 'transient' }) }), { minCalls: 1 })),
      input: 'x',
      isOfOneProcess: true,
    },
  },
  wrong: {
    tools: [{ what: 'breaker', make: (wrong) => untyped(breaker)(wrong), role: 'The first argument of breaker' }],
    others: [
      {
        what: 'options of breaker',
        make: () => untyped(breaker)(fine, null),
        code: 'invalid_option',
        says: "The options of breaker for 'ok' must be an object, not null.",
      },
      {
        what: 'the least number of calls',
        make: () => untyped(breaker)(fine, { minCalls: 0.5 }),
        code: 'invalid_option',
        says: "'minCalls' of breaker for 'ok' must be a whole number of at least 1, not 0.5.",
      },
      {
        what: 'the share of failures',
        make: () => untyped(breaker)(fine, { failureShare: 50 }),
        code: 'invalid_option',
        says: "'failureShare' of breaker for 'ok' must be a number above 0 and at most 1, not 50.",
      },
      {
        what: 'the cool-down of a breaker',
        make: () => untyped(breaker)(fine, { coolDown: 0 }),
        code: 'invalid_option',
        says: "'coolDown' of breaker for 'ok' must be a time above 0.",
      },
    ],
    misspelt: {
      'breaker(options)': (odd) => breaker(fine, odd),
    },
  },
}
