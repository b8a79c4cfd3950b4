import { retry } from '../../../src/combinators/retry/retry.ts'
import { pipe } from '../../../src/combinators/pipe/pipe.ts'
import { ToolError } from '../../../src/tool/errors/tool-error.ts'
import type { Program } from '../program.ts'
import { partsIn, type Row } from '../row.ts'
import { fine, untyped } from '../wrong-arguments.ts'

interface RetryProgram {
  readonly kind: 'retry'
  readonly inner: Program
  readonly attempts: number
  readonly baseMs: number
}

declare module '../program.ts' {
  interface ProgramNodes {
    readonly retry: RetryProgram
  }
}

const busy = new ToolError('Busy.', { class: 'transient' })

export const retryRow: Row = {
  kinds: {
    retry: {
      weight: 5,
      waits: true,
      generate: ({ random, program }) => ({
        kind: 'retry',
        inner: program(),
        attempts: random.pick([1, 2, 3]),
        baseMs: random.pick([10, 300]),
      }),
      ...partsIn('inner'),
      show: ({ attempts, baseMs }, [inner]) => `retry${attempts}.${baseMs}(${inner})`,
      build: ({ attempts, baseMs }, [inner]) => retry(inner, { attempts, base: baseMs }),
      *simpler(node) {
        if (node.attempts > 2) yield { ...node, attempts: 2 }
        if (node.baseMs > 10) yield { ...node, baseMs: 10 }
      },
    },
  },
  examples: {
    retry: { make: (step) => pipe(step('a'), retry(step('b', { throws: busy, recovers: true }))), input: 'x' },
    retry_spent: { make: (step) => retry(step('a', { throws: busy }), { attempts: 2 }), input: 'x' },
    retry_without_time: {
      make: (step) => retry(step('a', { throws: new ToolError('Later.', { class: 'rate_limited', retryAfterMs: 90_000 }) })),
      input: 'x',
    },
  },
  wrong: {
    tools: [{ what: 'retry', make: (wrong) => untyped(retry)(wrong), role: 'The first argument of retry' }],
    others: [
      {
        what: 'options of retry',
        make: () => untyped(retry)(fine, null),
        code: 'invalid_option',
        says: "The options of retry for 'ok' must be an object, not null.",
      },
      {
        what: 'the number of attempts',
        make: () => untyped(retry)(fine, { attempts: 0 }),
        code: 'invalid_option',
        says: "'attempts' of retry for 'ok' must be a whole number of at least 1, not 0.",
      },
      {
        what: 'the rule of a retry',
        make: () => untyped(retry)(fine, { retryIf: true }),
        code: 'invalid_option',
        says: "'retryIf' of retry for 'ok' must be a function, not true.",
      },
    ],
    misspelt: {
      'retry(options)': (odd) => retry(fine, odd),
    },
  },
}
