import { gate } from '../../src/combinators/gate/gate.ts'
import { parallel } from '../../src/combinators/parallel/parallel.ts'
import { ToolPipeline } from '../../src/combinators/pipe/tool-pipeline.ts'
import { saga } from '../../src/combinators/saga/saga.ts'
import type { AgentTool } from '../../src/tool/agent-tool.ts'
import type { EffectInput, Leaves } from './leaves.ts'
import { type Expectation, fails, inOrder, type Shape, shapeInput, type ShapeInput } from './shape.ts'

/** A saga of one step: an effect that is undone when the saga loses a race, or what is around it fails. */
export function compensated({ doIt, undoIt }: Leaves, effect: string): AgentTool<ShapeInput, EffectInput> {
  return oneStep(`saga_${effect}`, { effect, step: doIt, undoIt })
}

interface OneStep {
  readonly effect: string
  readonly step: Leaves['doIt']
  readonly undoIt: Leaves['undoIt']
}

function oneStep(name: string, { effect, step, undoIt }: OneStep): AgentTool<ShapeInput, EffectInput> {
  return saga({ name, description: 'Does one thing.', inputSchema: shapeInput })
    .step('do', step, {
      input: ({ input: plan }) => ({ plan, effect }),
      compensate: { with: undoIt, class: 'reversible', input: ({ stepInput }) => stepInput },
    })
    .build({ output: ({ results }) => results.do.value })
}

const ALL_MODES: readonly ShapeInput['mode'][] = ['refused', 'unsaid', 'lost', 'flaky']

/** A saga within a saga; any step may fail. */
export function nestedSaga({ doIt, undoIt }: Leaves): Shape {
  const inner = saga({ name: 'inner_saga', description: 'The inner one.', inputSchema: shapeInput })
    .step('first', doIt, {
      input: ({ input: plan }) => ({ plan, effect: 'inner.first' }),
      compensate: { with: undoIt, class: 'reversible', input: ({ stepInput }) => stepInput },
      attempts: 3,
    })
    .step('second', doIt, {
      input: ({ input: plan }) => ({ plan, effect: 'inner.second' }),
      compensate: { with: undoIt, class: 'reversible', input: ({ stepInput }) => stepInput },
      attempts: 3,
    })
    .build()
  const outer = saga({ name: 'nested_saga', description: 'The outer one.', inputSchema: shapeInput })
    .step('reserve', doIt, {
      input: ({ input: plan }) => ({ plan, effect: 'reserve' }),
      compensate: { with: undoIt, class: 'reversible', input: ({ stepInput }) => stepInput },
      attempts: 3,
    })
    .step('inner', inner)
    .step('charge', doIt, {
      input: ({ input: plan }) => ({ plan, effect: 'charge' }),
      compensate: { with: undoIt, class: 'semantic', input: ({ stepInput }) => stepInput },
      attempts: 3,
    })
    .step('mail', doIt, { input: ({ input: plan }) => ({ plan, effect: 'mail' }), compensate: 'irreversible', attempts: 3 })
    .build()
  const undoable = ['reserve', 'inner.first', 'inner.second', 'charge']
  return {
    name: 'nested_saga',
    tool: outer,
    failures: [...undoable.map((at) => ({ at, modes: ALL_MODES })), { at: 'mail', modes: ['refused', 'flaky'] }],
    // A mail that was under way cannot be taken back.
    mayStand: (standing) => standing.every((effect) => effect === 'mail'),
    expected: (input) => inOrder(input, [...undoable, 'mail']),
  }
}

/** A gate in a branch of a parallel in a saga in a pipeline. */
export function deepGate(leaves: Leaves): Shape {
  const { begin, doIt, undoIt } = leaves
  const both = parallel(
    { gated: oneStep('gated_saga', { effect: 'gated', step: gate(doIt, GATED), undoIt }), plain: compensated(leaves, 'plain') },
    { name: 'both' },
  )
  const order = saga({ name: 'order_saga', description: 'Orders.', inputSchema: shapeInput })
    .step('reserve', doIt, {
      input: ({ input: plan }) => ({ plan, effect: 'reserve' }),
      compensate: { with: undoIt, class: 'reversible', input: ({ stepInput }) => stepInput },
    })
    .step('both', both)
    .step('charge', doIt, {
      input: ({ input: plan }) => ({ plan, effect: 'charge' }),
      compensate: { with: undoIt, class: 'reversible', input: ({ stepInput }) => stepInput },
    })
    .build({ output: ({ results }) => results.charge.value })
  const tool = ToolPipeline.builder()
    .name('deep_gate')
    .description('Orders, with a person in the middle.')
    .step(begin)
    .adapter(({ value: { plan } }) => plan)
    .step(order)
    .adapter(({ value: { plan } }) => ({ plan, effect: 'after' }))
    .step(doIt)
    .build()
  return {
    name: 'deep_gate',
    tool,
    isGated: true,
    failures: [{ at: 'charge', modes: ['refused', 'unsaid', 'lost'] }],
    // All of the saga or nothing; what comes after it is not its own.
    mayStand: (standing) => standing.length === 0 || ['reserve', 'plain', 'charge'].every((effect) => standing.includes(effect)),
    expected: deepExpectation,
  }
}

/** What was edited is not asked about again. */
export const GATED = { approval: ({ effect }: EffectInput): boolean => effect === 'gated', why: 'Somebody should know.' }

function deepExpectation(input: ShapeInput): Expectation {
  const { decision, mode } = input
  if (decision === 'reject') return { status: 'failed', done: ['reserve', 'plain'], undone: [['plain'], ['reserve']] }
  const gated = decision === 'edit' ? 'gated.edited' : 'gated'
  const before = ['reserve', gated, 'plain']
  if (!fails(input)) return { status: 'completed', done: [...before, 'charge', 'after'], undone: [] }
  const charged = mode === 'refused' ? [] : [['charge']]
  return {
    status: 'failed',
    done: mode === 'unsaid' ? [...before, 'charge'] : before,
    undone: [...charged, [gated, 'plain'], ['reserve']],
  }
}
