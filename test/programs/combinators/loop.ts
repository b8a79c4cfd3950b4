import { loop } from '../../../src/combinators/loop/loop.ts'
import type { Program } from '../program.ts'
import { partsIn, type Row } from '../row.ts'
import { estimated, fine, untyped, yes } from '../wrong-arguments.ts'

interface LoopProgram {
  readonly kind: 'loop'
  readonly turn: Program
  readonly turns: number
  readonly most: number
}

declare module '../program.ts' {
  interface ProgramNodes {
    readonly loop: LoopProgram
  }
}

export const loopRow: Row = {
  kinds: {
    loop: {
      weight: 6,
      generate: ({ random, contender }) => {
        const turns = 1 + random.below(3)
        return { kind: 'loop', turn: contender(), turns, most: random.chance(0.1) ? Math.max(1, turns - 1) : 5 }
      },
      ...partsIn('turn'),
      show: ({ turns, most }, [turn]) => `loop${turns}of${most}(${turn})`,
      build: ({ turns, most }, [turn], { name, text }) => {
        const until = (_value: unknown, count: number): boolean => count >= turns
        return loop(turn, { name: name('loop'), until, maxTurns: most, next: () => text })
      },
      *simpler(node) {
        if (node.turns > 1) yield { ...node, turns: 1 }
      },
      upgrades: { lower_bound: (node) => (node.turns > 1 ? { ...node, most: node.turns - 1 } : undefined) },
      judge: ({ turns }, { upgrade, why, paths }) => {
        const isBeyond =
          upgrade === 'lower_bound' && why.includes('loop_exhausted') && paths.some((path) => path.split('/', 2)[1] === `turn#${turns}`)
        return isBeyond ? ['a run ended at a bound that it had passed'] : []
      },
    },
  },
  examples: {
    loop: { make: (step) => loop(step('a'), { until: (value) => value.length > 5, maxTurns: 9 }), input: 'x' },
    loop_exhausted: { make: (step) => loop(step('a'), { until: () => false, maxTurns: 2 }), input: 'x' },
  },
  wrong: {
    tools: [{ what: 'loop', make: (wrong) => untyped(loop)(wrong, { until: yes, maxTurns: 2 }), role: 'The first argument of loop' }],
    names: [{ what: 'a loop', make: (name) => untyped(loop)(fine, { name, until: yes, maxTurns: 2 }) }],
    others: [
      {
        what: 'options of loop',
        make: () => untyped(loop)(fine),
        code: 'invalid_option',
        says: "The options of the loop of 'ok' must be an object, not undefined.",
      },
      {
        what: 'maxTurns',
        make: () => untyped(loop)(fine, { until: yes, maxTurns: Symbol('x') }),
        code: 'invalid_option',
        says: "'maxTurns' of loop 'loop_ok'",
      },
    ],
    misspelt: {
      'loop(options)': (odd) => loop(fine, { until: yes, maxTurns: 3, ...odd }),
      'LoopOptions.estimates': estimated((odd) => loop(fine, { until: yes, maxTurns: 3, ...odd })),
    },
  },
}
