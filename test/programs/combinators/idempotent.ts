import { memoryIdempotency } from '../../../src/combinators/idempotent/memory-idempotency.ts'
import { idempotent } from '../../../src/combinators/idempotent/idempotent.ts'
import type { LeafProgram } from '../program.ts'
import { partsIn, type Row } from '../row.ts'
import { calledTwice } from '../step-maker.ts'
import { fine, untyped } from '../wrong-arguments.ts'

/** One key for each place in the program, so that the items of a map share it. */
interface IdempotentProgram {
  readonly kind: 'idempotent'
  readonly inner: LeafProgram
}

declare module '../program.ts' {
  interface ProgramNodes {
    readonly idempotent: IdempotentProgram
  }
}

export const idempotentRow: Row = {
  kinds: {
    idempotent: {
      weight: 2,
      remembers: 'in a store',
      generate: ({ leaf }) => ({ kind: 'idempotent', inner: leaf() }),
      ...partsIn('inner'),
      show: (_node, [inner]) => `idempotent(${inner})`,
      build: (_node, [inner], { prefix, at }) => idempotent(inner, { key: () => `${prefix}${at}` }),
    },
  },
  examples: {
    idempotent: {
      make: (step) => calledTwice(idempotent(step('a'), { key: (given) => given })),
      input: 'x',
      isOfOneProcess: true,
    },
  },
  wrong: {
    tools: [{ what: 'idempotent', make: (wrong) => untyped(idempotent)(wrong), role: 'The first argument of idempotent' }],
    others: [
      {
        what: 'options of idempotent',
        make: () => untyped(idempotent)(fine, null),
        code: 'invalid_option',
        says: "The options of idempotent for 'ok' must be an object, not null.",
      },
      {
        what: 'the key of idempotent',
        make: () => untyped(idempotent)(fine, { key: 5 }),
        code: 'invalid_option',
        says: "'key' of idempotent for 'ok' must be a function, not 5.",
      },
      { what: 'a store of keys', make: () => untyped(idempotent)(fine, { store: {} }), code: 'invalid_option', says: 'store' },
      {
        what: 'the time for which an answer is kept',
        make: () => untyped(idempotent)(fine, { keepFor: 0 }),
        code: 'invalid_option',
        says: "'keepFor' of idempotent for 'ok'",
      },
    ],
    misspelt: {
      'idempotent(options)': (odd) => idempotent(fine, odd),
      'memoryIdempotency(options)': (odd) => memoryIdempotency(odd),
    },
  },
}
