import { modelRepairer } from '../../../src/combinators/heal/model-repairer.ts'
import { heal } from '../../../src/combinators/heal/heal.ts'
import { repairRules } from '../../../src/combinators/heal/repair-rules.ts'
import { pipe } from '../../../src/combinators/pipe/pipe.ts'
import { ToolError } from '../../../src/tool/errors/tool-error.ts'
import type { Program } from '../program.ts'
import { partsIn, type Row } from '../row.ts'
import { fine, untyped } from '../wrong-arguments.ts'

interface HealProgram {
  readonly kind: 'heal'
  readonly inner: Program
  readonly attempts: number
  /** It proposes the text again and again, so that the loop must stop by itself. */
  readonly hasRepairer: boolean
}

declare module '../program.ts' {
  interface ProgramNodes {
    readonly heal: HealProgram
  }
}

// Simulated worlds have no files: what is loaded on first use is there before they begin.
await repairRules()

const busy = new ToolError('Busy.', { class: 'transient' })
const nothing = new ToolError('Nothing found.', { class: 'not_found' })

export const healRow: Row = {
  kinds: {
    heal: {
      weight: 5,
      waits: true,
      generate: ({ random, program }) => ({
        kind: 'heal',
        inner: program(),
        attempts: random.pick([1, 2, 3]),
        hasRepairer: random.chance(0.5),
      }),
      ...partsIn('inner'),
      show: ({ attempts, hasRepairer }, [inner]) => `heal${attempts}${hasRepairer ? '+' : ''}(${inner})`,
      build: ({ attempts, hasRepairer }, [inner], { text }) =>
        heal(inner, { attempts, base: 300, repairers: hasRepairer ? [() => ({ input: text })] : [] }),
      *simpler(node) {
        if (node.hasRepairer) yield { ...node, hasRepairer: false }
        if (node.attempts > 1) yield { ...node, attempts: node.attempts - 1 }
      },
    },
  },
  examples: {
    heal_waited: { make: (step) => pipe(step('a'), heal(step('b', { throws: busy, recovers: true }))), input: 'x' },
    heal_repaired: {
      make: (step) => heal(step('a', { throws: nothing, recovers: true }), { repairers: [({ input }) => ({ input: `${input}y` })] }),
      input: 'x',
    },
    heal_stopped: { make: (step) => heal(step('a', { throws: nothing })), input: 'x' },
  },
  wrong: {
    tools: [{ what: 'heal', make: (wrong) => untyped(heal)(wrong), role: 'The first argument of heal' }],
    others: [
      {
        what: 'options of heal',
        make: () => untyped(heal)(fine, null),
        code: 'invalid_option',
        says: "The options of heal for 'ok' must be an object, not null.",
      },
      {
        what: 'the attempts of heal',
        make: () => untyped(heal)(fine, { attempts: 0 }),
        code: 'invalid_option',
        says: "'attempts' of heal for 'ok' must be a whole number of at least 1, not 0.",
      },
      {
        what: 'the repairers of heal',
        make: () => untyped(heal)(fine, { repairers: 'none' }),
        code: 'invalid_option',
        says: `'repairers' of heal for 'ok' must be a list of functions, not "none".`,
      },
      {
        what: 'a repairer of heal',
        make: () => untyped(heal)(fine, { repairers: [5] }),
        code: 'invalid_option',
        says: "Repairer 1 of heal for 'ok' must be a function, not 5.",
      },
      {
        what: 'the model of heal',
        make: () => untyped(heal)(fine, { model: 'gpt' }),
        code: 'invalid_option',
        says: `'model' of heal for 'ok' must be true or a model, not "gpt".`,
      },
    ],
    misspelt: {
      'heal(options)': (odd) => heal(fine, odd),
      'modelRepairer(options)': (odd) => modelRepairer(odd),
    },
  },
}
