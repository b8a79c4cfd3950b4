import { cache } from '../../../src/combinators/cache/cache.ts'
import type { LeafProgram } from '../program.ts'
import { partsIn, type Row } from '../row.ts'
import { calledTwice } from '../step-maker.ts'
import { fine, untyped } from '../wrong-arguments.ts'

interface CacheProgram {
  readonly kind: 'cache'
  /** Nothing with people in it: a cache refuses to go around them. */
  readonly inner: LeafProgram
  readonly ttlMs: number
}

declare module '../program.ts' {
  interface ProgramNodes {
    readonly cache: CacheProgram
  }
}

export const cacheRow: Row = {
  kinds: {
    cache: {
      weight: 2,
      remembers: 'in its process',
      generate: ({ random, leaf }) => ({ kind: 'cache', inner: leaf(), ttlMs: random.pick([1, 20, 60_000]) }),
      ...partsIn('inner'),
      show: ({ ttlMs }, [inner]) => `cache${ttlMs}(${inner})`,
      build: ({ ttlMs }, [inner]) => cache(inner, { ttl: ttlMs, anyEffect: true }),
    },
  },
  examples: {
    cache: { make: (step) => calledTwice(cache(step('a', { effect: 'read' }), { ttl: '1h' })), input: 'x', isOfOneProcess: true },
  },
  wrong: {
    tools: [{ what: 'cache', make: (wrong) => untyped(cache)(wrong, { ttl: '1m' }), role: 'The first argument of cache' }],
    others: [
      {
        what: 'options of cache',
        make: () => untyped(cache)(fine),
        code: 'invalid_option',
        says: "The options of the cache of 'ok' must be an object, not undefined.",
      },
      {
        what: 'the key of a cache',
        make: () => untyped(cache)(fine, { ttl: 1, key: 5 }),
        code: 'invalid_option',
        says: "'key' of the cache of 'ok' must be a function, not 5.",
      },
    ],
    misspelt: {
      'cache(options)': (odd) => cache(fine, { ttl: '1s', ...odd }),
    },
  },
}
