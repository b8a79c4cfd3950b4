import { z } from 'zod'
import type { AgentTool } from '../../src/tool/agent-tool.ts'
import { tool } from '../../src/tool/tool.ts'
import type { LedgerClient } from './ledger-client.ts'
import { modeOf, shapeInput, type ShapeInput } from './shape.ts'

/** One effect of a run; the plan of the run goes along, for what comes after. */
const effectInput = z.object({ plan: shapeInput, effect: z.string() })

export type EffectInput = z.output<typeof effectInput>

type Leaf = AgentTool<EffectInput, EffectInput>

/** Steps that talk to the ledger. */
export interface Leaves {
  /** Talks to nobody: where a row begins. */
  readonly begin: AgentTool<ShapeInput, EffectInput>
  readonly doIt: Leaf
  readonly undoIt: Leaf
  /** Has no effect, but takes its time. */
  readonly look: Leaf
}

export function leavesOf({ order }: LedgerClient): Leaves {
  const leaf = (kind: 'do' | 'undo' | 'look'): Leaf =>
    tool({
      name: `${kind}_it`,
      description: `Asks the ledger to ${kind} something.`,
      inputSchema: effectInput,
      outputSchema: effectInput,
      effect: kind === 'look' ? 'read' : 'write',
      idempotent: 'keyed',
      execute: async ({ plan, effect }, { idempotencyKey: key, path, signal }) => {
        const mode = kind === 'undo' ? plan.undoMode : modeOf(plan, effect)
        await order({ key, run: plan.run, effect, kind, mode, path, leaf: `${kind}_it`, isKeyed: true }, signal)
        return { plan, effect }
      },
    })
  const begin = tool({
    name: 'begin',
    description: 'Begins.',
    inputSchema: shapeInput,
    outputSchema: effectInput,
    effect: 'read',
    execute: (plan) => ({ plan, effect: 'begin' }),
  })
  return { begin, doIt: leaf('do'), undoIt: leaf('undo'), look: leaf('look') }
}

/** Makes the input of a leaf of what the one before gave. */
export function next(effect: string): (result: { readonly value: EffectInput }) => EffectInput {
  return ({ value: { plan } }) => ({ plan, effect })
}
