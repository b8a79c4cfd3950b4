import { tool } from '../../src/tool/tool.ts'
import { ODD_TEXT } from './leaf-order.ts'
import type { LeafProgram } from './program.ts'
import type { RandomStream } from './random-stream.ts'
import { type Building, DESCRIPTION, type Part, type Row } from './row.ts'
import { untyped } from './wrong-arguments.ts'

/** So few different times that they meet. */
const LEAF_TIMES = [0.5, 2, 5, 12, 30, 100] as const

/** A write that succeeds soon. */
export const SIMPLE_WRITE: LeafProgram = { kind: 'leaf', mode: 'ok', ms: 2, effect: 'write', isKeyed: true }

export const leafRow: Row = {
  kinds: {
    leaf: {
      // It comes up where nothing else may.
      weight: 0,
      generate: ({ random, isPlain }) => {
        const effect = random.chance(0.25) ? 'read' : 'write'
        const mode = modeOf(random, isPlain)
        return { kind: 'leaf', mode, ms: random.pick(LEAF_TIMES), effect, isKeyed: effect === 'read' || !random.chance(0.15) }
      },
      parts: () => [],
      withParts: (leaf) => leaf,
      show: ({ mode, effect, isKeyed, ms, name }) => {
        const word = effect === 'read' ? 'look' : isKeyed ? 'act' : 'act!'
        return `${word}${mode === 'ok' ? '' : `:${mode}`}${name === undefined ? '' : `=${name}`}(${ms})`
      },
      build: (leaf, _parts, building) => ledgerTool(leaf, 'do', building),
      *simpler(leaf) {
        if (leaf.mode !== 'ok') yield { ...leaf, mode: 'ok' }
        if (!leaf.isKeyed) yield { ...leaf, isKeyed: true }
        if (leaf.effect === 'write') yield { ...leaf, effect: 'read', isKeyed: true }
        if (leaf.ms !== 2) yield { ...leaf, ms: 2 }
      },
    },
  },
  examples: {
    leaf: { make: (step) => step('a'), input: 'x' },
    leaf_fails: { make: (step) => step('a', { fails: 'no paper' }), input: 'x' },
  },
  wrong: {
    tools: [],
    others: [
      {
        what: 'the definition of a tool',
        make: () => untyped(tool)(null),
        code: 'invalid_option',
        says: 'The definition of a tool must be an object, not null.',
      },
    ],
  },
}

function modeOf(random: RandomStream, isPlain: boolean): LeafProgram['mode'] {
  if (random.chance(0.72)) return 'ok'
  if (random.chance(0.05) && !isPlain) return random.pick(['odd_message', 'odd_value'])
  return random.pick(['refused', 'refused', 'unsaid', 'lost', 'flaky'])
}

/** A tool that asks the ledger to do one thing, or to undo it. */
export function ledgerTool({ mode, ms, effect, isKeyed, name: own }: LeafProgram, kind: 'do' | 'undo', building: Building): Part {
  const { prefix, at, order, text } = building
  const name = `${prefix}${effect === 'read' ? 'look' : kind === 'do' ? 'act' : 'undo'}${own ?? at}`
  return tool({
    name,
    description: DESCRIPTION,
    effect,
    idempotent: isKeyed ? 'keyed' : false,
    execute: async (_input, context) => {
      const { path, idempotencyKey: key, task: run = '' } = context
      await order({ run, leaf: name, kind: effect === 'read' ? 'look' : kind, path, key, isKeyed, mode, ms }, context)
      return mode === 'odd_value' ? ODD_TEXT : text
    },
  })
}
