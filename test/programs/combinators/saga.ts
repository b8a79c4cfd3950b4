import { z } from 'zod'
import { branch } from '../../../src/combinators/branch/branch.ts'
import { when } from '../../../src/combinators/branch/route.ts'
import { gate } from '../../../src/combinators/gate/gate.ts'
import { parallel } from '../../../src/combinators/parallel/parallel.ts'
import { pipe } from '../../../src/combinators/pipe/pipe.ts'
import type { SagaBuilder } from '../../../src/combinators/saga/saga.ts'
import { saga } from '../../../src/combinators/saga/saga.ts'
import { ToolError } from '../../../src/tool/errors/tool-error.ts'
import { ledgerTool, SIMPLE_WRITE } from '../leaf.ts'
import type { Program } from '../program.ts'
import { type Building, DESCRIPTION, type Example, type Generating, type Part, RENAMED, type Row, shorter } from '../row.ts'
import type { Text } from '../step-maker.ts'
import { estimated, fine, untyped, WHOLE, yes } from '../wrong-arguments.ts'

/** How a step of a saga is undone: `stuck` is refused each time, about `asked` a person decides. */
type CompensationKind = 'none' | 'works' | 'flaky' | 'stuck' | 'asked' | 'irreversible'

interface SagaStepProgram {
  readonly program: Program
  readonly compensation: CompensationKind
  readonly attempts: number
  /** `s` and its number by default. */
  readonly label?: string
}

interface SagaProgram {
  readonly kind: 'saga'
  readonly steps: readonly SagaStepProgram[]
}

declare module '../program.ts' {
  interface ProgramNodes {
    readonly saga: SagaProgram
  }
}

const text = z.string()
const undo = (by: Text) => ({ with: by, class: 'reversible', input: () => 'undo' }) as const

/** Each program is a small saga with this definition around its steps. */
const settle = { name: 'settle', description: 'Settles.', inputSchema: text } as const

const examples: Readonly<Record<string, Example>> = {
  saga: {
    make: (step) =>
      saga(settle)
        .step('one', step('a'), { compensate: undo(step('undo_a')) })
        .step('two', step('b'), { input: ({ results }) => results.one.value, compensate: undo(step('undo_b')) })
        .build({ output: ({ results }) => results.two.value }),
    input: 'x',
  },
  saga_undone: {
    make: (step) =>
      saga(settle)
        .step('one', step('a'), { compensate: undo(step('undo_a')) })
        .step('two', step('b'), { compensate: undo(step('undo_b')) })
        .step('three', step('c', { fails: 'no paper' }))
        .build(),
    input: 'x',
  },
  saga_tries_again: {
    make: (step) =>
      saga(settle)
        .step('one', step('a'), { compensate: { ...undo(step('undo_a', { throws: busy() })), attempts: 2 } })
        .step('two', step('b', { throws: busy() }), { attempts: 3 })
        .build(),
    input: 'x',
  },
  saga_recovers: {
    make: (step) =>
      saga(settle)
        .step('one', step('a', { throws: busy(), recovers: true }), { attempts: 3 })
        .step('two', step('b'))
        .build(),
    input: 'x',
  },
  saga_gated: {
    make: (step) =>
      saga(settle)
        .step('one', step('a'), { compensate: 'irreversible' })
        .step('two', step('b', { fails: 'no paper' }))
        .build(),
    input: 'x',
  },
  saga_stopped: {
    make: (step) =>
      saga(settle)
        .step('one', step('a'), { compensate: undo(step('undo_a')) })
        .step('two', gate(step('b')))
        .build(),
    input: 'x',
    decide: () => ({ action: 'stop', reason: 'closed' }),
  },
  saga_in_saga: {
    make: (step) => {
      const inner = saga({ name: 'inner', description: 'Inner.', inputSchema: text })
        .step('i1', step('a'), { compensate: undo(step('undo_a')) })
        .step('i2', step('b'), { compensate: undo(step('undo_b')) })
        .build({ output: ({ results }) => results.i2.value })
      return saga({ name: 'outer', description: 'Outer.', inputSchema: text })
        .step('inner', inner)
        .step('last', step('c', { fails: 'no paper' }))
        .build()
    },
    input: 'x',
  },
  deep: {
    make: (step) => {
      const routed = branch({ name: 'routed', description: 'By length.' }, [
        when((given: string) => given.length > 0, gate(step('pay'))),
        when(() => true, step('other')),
      ])
      const together = parallel({ routed, note: step('note') }, { name: 'together' })
      const settled = saga(settle)
        .step('reserve', step('reserve'), { compensate: undo(step('release')) })
        .step('together', together, { input: ({ input }) => input, compensate: undo(step('pay_back')) })
        .step('mail', step('mail'), { input: ({ results }) => results.together.value.routed })
        .build({ output: ({ results }) => results.mail.value })
      return pipe(step('look', { effect: 'read' }), settled, step('thank'))
    },
    input: 'x',
    decide: () => ({ action: 'edit', input: 'less', by: 'ada' }),
  },
}

export const sagaRow: Row = {
  kinds: {
    saga: {
      weight: 30,
      undoesItself: true,
      generate: (generating) => ({ kind: 'saga', steps: generating.random.some(1, 3, () => stepOf(generating)) }),
      parts: ({ steps }) => steps.map(({ program }) => program),
      withParts: (node, parts) => ({ ...node, steps: node.steps.map((step, index) => withProgram(step, parts[index] ?? step.program)) }),
      show: ({ steps }, parts) => `saga[${steps.map((step, index) => showStep(step, parts[index] ?? '')).join(', ')}]`,
      build: ({ steps }, parts, building) => {
        const { name, text: given, undoable, inside } = building
        let builder = saga({ name: name('saga'), description: DESCRIPTION }) as unknown as SagaBuilder<string, string, object>
        for (const [index, { compensation, attempts, label = `s${index}` }] of steps.entries()) {
          const step = parts[index] ?? parts[0]
          const compensate = compensationOf(compensation, inside(index))
          if (typeof compensate === 'object' && compensation !== 'stuck' && compensation !== 'asked') undoable.add(step.name)
          builder = builder.step(label as never, step, { input: () => given, attempts, compensate }) as never
        }
        return builder.build({ output: () => given })
      },
      *simpler(node) {
        for (const steps of shorter(node.steps, 1)) yield { ...node, steps }
        for (const [index, step] of node.steps.entries()) {
          const { attempts, compensation } = step
          if (attempts > 1) yield { ...node, steps: node.steps.with(index, { ...step, attempts: 1 }) }
          if (compensation !== 'none' && compensation !== 'works')
            yield { ...node, steps: node.steps.with(index, { ...step, compensation: 'works' }) }
        }
      },
      upgrades: {
        rename_step: (node) => ({ ...node, steps: node.steps.map((step, index) => (index === 0 ? { ...step, label: RENAMED } : step)) }),
      },
    },
  },
  examples,
  wrong: {
    tools: [
      { what: 'a step of a saga', make: (wrong) => stepped(wrong), role: "Step 'one' of saga 'whole'" },
      {
        what: 'the compensation of a step',
        make: (wrong) => stepped(fine, { compensate: { with: wrong, class: 'reversible', input: () => '' } }),
        role: "The compensation of step 'one' of saga 'whole'",
      },
    ],
    names: [{ what: 'a saga', make: (name) => untyped(saga)({ ...WHOLE, name }) }],
    others: [
      {
        what: 'the definition of a saga',
        make: () => untyped(saga)(null),
        code: 'invalid_option',
        says: 'The fields of a saga must be an object, not null.',
      },
      {
        what: 'options of a step',
        make: () => stepped(fine, null),
        code: 'invalid_option',
        says: "The options of step 'one' of saga 'whole'",
      },
      {
        what: 'the input of a step',
        make: () => stepped(fine, { input: 5 }),
        code: 'invalid_option',
        says: "'input' of step 'one' of saga 'whole' must be a function, not 5.",
      },
      {
        what: 'a compensation',
        make: () => stepped(fine, { compensate: 'never' }),
        code: 'invalid_option',
        says: "'compensate' of step 'one' of saga 'whole' must be 'irreversible' or { with, class, input }",
      },
    ],
    misspelt: {
      'saga(definition)': (odd) => saga({ ...WHOLE, ...odd }),
      'SagaDefinition.estimates': estimated((odd) =>
        saga({ ...WHOLE, ...odd })
          .step('a', fine)
          .build(),
      ),
      'SagaStart.step(options)': (odd) => untyped(saga(WHOLE).step)('a', fine, odd),
      'SagaStart.step(options).compensate': (odd) =>
        untyped(saga(WHOLE).step)('a', fine, { compensate: { with: fine, input: yes, ...odd } }),
      'SagaBuilder.step(options)': (odd) => untyped((untyped(saga(WHOLE).step)('a', fine) as { step: unknown }).step)('b', fine, odd),
      'SagaBuilder.step(options).compensate': (odd) =>
        untyped((untyped(saga(WHOLE).step)('a', fine) as { step: unknown }).step)('b', fine, {
          compensate: { with: fine, input: yes, ...odd },
        }),
      'SagaBuilder.build(options)': (odd) => untyped((untyped(saga(WHOLE).step)('a', fine) as { build: unknown }).build)(odd),
    },
  },
}

function busy(): ToolError {
  return new ToolError('The service is busy.', { code: 'rate_limited', outcome: 'failed', retryable: true })
}

function stepped(...given: readonly unknown[]): unknown {
  return untyped(saga(WHOLE).step)('one', ...given)
}

/** Only a leaf that writes has a compensation. */
function isUndoable(program: Program): boolean {
  return program.kind === 'leaf' && program.effect === 'write'
}

function withProgram(step: SagaStepProgram, program: Program): SagaStepProgram {
  return { ...step, program, compensation: isUndoable(program) ? step.compensation : 'none' }
}

const RARE = ['flaky', 'stuck', 'none', 'irreversible'] as const

function stepOf({ random, leaf, delayed, program: other, isPlain }: Generating): SagaStepProgram {
  const program = random.chance(0.6) ? leaf() : random.chance(0.35) ? delayed() : other()
  const attempts = random.chance(0.2) ? 2 : 1
  if (!isUndoable(program)) return { program, compensation: 'none', attempts }
  return { program, compensation: random.chance(0.85) ? 'works' : random.pick(isPlain ? RARE : [...RARE, 'asked', 'asked']), attempts }
}

function showStep({ compensation, attempts, label }: SagaStepProgram, program: string): string {
  const undone = compensation === 'none' ? '' : compensation === 'works' ? '~' : `~${compensation}`
  return `${label === undefined ? '' : `${label}: `}${program}${undone}${attempts > 1 ? `x${attempts}` : ''}`
}

type Compensate = 'irreversible' | { readonly with: Part; readonly class: 'reversible'; readonly input: () => string }

function compensationOf(kind: CompensationKind, building: Building): Compensate | undefined {
  if (kind === 'none') return undefined
  if (kind === 'irreversible') return kind
  const mode = kind === 'stuck' ? 'refused' : kind === 'flaky' ? 'flaky' : 'ok'
  const undoing = ledgerTool({ ...SIMPLE_WRITE, mode }, 'undo', building)
  return { with: kind === 'asked' ? gate(undoing) : undoing, class: 'reversible', input: () => building.text }
}
