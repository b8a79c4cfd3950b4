import { z } from 'zod'
import { backoff } from '../../src/policies/backoff.ts'
import { compound } from '../../src/tool/compound.ts'
import { callTogether } from '../../src/tool/seam/call-together.ts'
import { callWithRetry } from '../../src/tool/seam/call-with-retry.ts'
import type { Program } from './program.ts'
import { DESCRIPTION, labelled, partsIn, type Row, shorter } from './row.ts'
import { untyped } from './wrong-arguments.ts'

/** A compound that calls its parts side by side, until one succeeds or a time is up. */
interface TogetherProgram {
  readonly kind: 'together'
  readonly parts: readonly Program[]
  readonly until: 'all' | 'first'
  /** 0 without a time. */
  readonly afterMs: number
  readonly concurrency: number
}

/** A compound that calls its part again if that may help. */
interface RetriedProgram {
  readonly kind: 'retried'
  readonly inner: Program
  readonly attempts: number
}

/** A compound whose input is validated asynchronously. */
interface ValidatedProgram {
  readonly kind: 'validated'
  readonly inner: Program
}

declare module './program.ts' {
  interface ProgramNodes {
    readonly together: TogetherProgram
    readonly retried: RetriedProgram
    readonly validated: ValidatedProgram
  }
}

/** Compounds that use the verbs for combinators of one's own. */
export const ownCombinatorsRow: Row = {
  kinds: {
    together: {
      weight: 6,
      generate: ({ random, contender }) => ({
        kind: 'together',
        parts: random.some(2, 3, contender),
        until: random.pick(['all', 'first']),
        afterMs: random.pick([0, 0, 8, 40]),
        concurrency: random.pick([1, 2, 8]),
      }),
      ...partsIn('parts'),
      show: ({ until, afterMs, concurrency }, parts) =>
        `together.${until}${afterMs === 0 ? '' : afterMs}/${concurrency}(${parts.join(', ')})`,
      build: ({ until, afterMs, concurrency }, tools, building) => {
        const parts = labelled('t', tools)
        return compound({
          name: building.name('together'),
          description: DESCRIPTION,
          parts,
          run: async (_input, context) => {
            const calls = Object.fromEntries(Object.entries(parts).map(([label, tool]) => [label, { tool, input: building.text }]))
            const { results } = await callTogether(context, calls, {
              concurrency,
              ...(until === 'first' ? { until: (latest) => latest.ok } : {}),
              ...(afterMs === 0 ? {} : { after: afterMs }),
            })
            return Object.values(results).find((result) => result?.ok !== (until === 'all')) ?? building.text
          },
        })
      },
      *simpler(node) {
        for (const parts of shorter(node.parts, 2)) yield { ...node, parts }
        if (node.concurrency !== 8) yield { ...node, concurrency: 8 }
        if (node.afterMs !== 0) yield { ...node, afterMs: 0 }
        if (node.until !== 'all') yield { ...node, until: 'all' }
      },
      timeless: (node) => ({ ...node, until: 'all', afterMs: 0 }),
    },
    retried: {
      weight: 4,
      generate: ({ random, program }) => ({ kind: 'retried', inner: program(), attempts: random.pick([2, 3]) }),
      ...partsIn('inner'),
      show: ({ attempts }, [inner]) => `retried${attempts}(${inner})`,
      build: ({ attempts }, [inner], building) =>
        compound({
          name: building.name('retried'),
          description: DESCRIPTION,
          parts: { inner },
          run: (_input, context) =>
            callWithRetry(context, { label: 'inner', tool: inner, input: building.text, backoff: backoff({ attempts, base: 300 }) }),
        }),
      *simpler(node) {
        if (node.attempts > 2) yield { ...node, attempts: 2 }
      },
    },
    validated: {
      weight: 3,
      generate: ({ program }) => ({ kind: 'validated', inner: program() }),
      ...partsIn('inner'),
      show: (_node, [inner]) => `validated(${inner})`,
      build: (_node, [inner], building) =>
        compound({
          name: building.name('validated'),
          description: DESCRIPTION,
          inputSchema: z.string().refine(async () => true),
          parts: { inner },
          run: (_input, context) => context.call('inner', inner, building.text),
        }),
    },
  },
  examples: {},
  wrong: {
    tools: [],
    others: [
      {
        what: 'a backoff',
        make: () => untyped(backoff)({ attempts: 0 }),
        code: 'invalid_option',
        says: "'attempts' of a backoff must be a whole number of at least 1, not 0.",
      },
    ],
  },
}
