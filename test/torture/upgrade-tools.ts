import { z } from 'zod'
import { gate } from '../../src/combinators/gate/gate.ts'
import { ToolPipeline } from '../../src/combinators/pipe/tool-pipeline.ts'
import { saga, type SagaBuilder } from '../../src/combinators/saga/saga.ts'
import type { AgentTool } from '../../src/tool/agent-tool.ts'
import { compound } from '../../src/tool/compound.ts'
import { tool } from '../../src/tool/tool.ts'
import type { LedgerClient } from './ledger-client.ts'
import { type Composition, UPGRADE_CASES, type UpgradeStep, type Version } from './upgrade-case.ts'

const upgradeInput = z.object({
  plan: z.object({
    run: z.string(),
    /** How it waits in the middle: put away for a person or for a time, or at work. */
    wait: z.enum(['person', 'time', 'work']),
    /** The label of the place where it waits. */
    waitAt: z.string(),
    decision: z.literal('approve'),
  }),
})

export type UpgradeInput = z.output<typeof upgradeInput>

/** Long enough for a run to be put away, and for an upgrade meanwhile. */
const SLEEP_MS = 6000
const LOOKS = 30
const LOOK_MS = 150
const ACT_MS = 10

/** All tools of one version, by name. */
export function upgradeTools(version: Version, ledger: LedgerClient): ReadonlyMap<string, AgentTool<UpgradeInput>> {
  const parts = partsOf(ledger)
  return new Map(UPGRADE_CASES.map(({ name, composition, steps }) => [name, MAKERS[composition](name, rowsOf(steps[version], parts))]))
}

type Part = AgentTool<UpgradeInput, UpgradeInput>

interface Parts {
  readonly act: (label: string, effect: string) => Part
  readonly undo: (label: string, effect: string) => Part
  /** Waits there, if this is the place. */
  readonly wait: (label: string) => Part
}

function partsOf({ order }: LedgerClient): Parts {
  const leaf = (kind: 'do' | 'undo' | 'look', label: string, effect: string): Part =>
    tool({
      name: label,
      description: 'Asks the ledger.',
      inputSchema: upgradeInput,
      outputSchema: upgradeInput,
      effect: kind === 'look' ? 'read' : 'write',
      idempotent: 'keyed',
      execute: async (input, { idempotencyKey: key, path, signal }) => {
        const ms = kind === 'look' ? LOOK_MS : ACT_MS
        await order({ key, run: input.plan.run, effect, kind, mode: 'ok', path, leaf: label, isKeyed: true, ms }, signal)
        return input
      },
    })
  const look = leaf('look', 'look', 'look')
  const ask = gate(look)
  return {
    act: (label, effect) => leaf('do', label, effect),
    undo: (label, effect) => leaf('undo', `undo_${label}`, effect),
    wait: (label) =>
      compound({
        name: label,
        description: 'Waits.',
        inputSchema: upgradeInput,
        outputSchema: upgradeInput,
        parts: { look, ask },
        run: async (input, context) => {
          const { plan } = input
          if (plan.waitAt !== label) return input
          if (plan.wait === 'time') await context.sleep(SLEEP_MS)
          else if (plan.wait === 'person') await context.call('ask', ask, input)
          else for (let turn = 1; turn <= LOOKS; turn++) await context.call(`look_${turn}`, look, input)
          return input
        },
      }),
  }
}

/** A step with its part, and how it is undone, where it does something. */
interface Row extends UpgradeStep {
  readonly part: Part
  readonly undo?: Part
}

function rowsOf(steps: readonly UpgradeStep[], { act, undo, wait }: Parts): readonly Row[] {
  return steps.map((step) => {
    const { label, effect } = step
    return effect === undefined ? { label, part: wait(label) } : { ...step, part: act(label, effect), undo: undo(label, effect) }
  })
}

const DESCRIPTION = 'Does one thing after the other.'

const MAKERS: Readonly<Record<Composition, (name: string, rows: readonly Row[]) => AgentTool<UpgradeInput>>> = {
  /** Gives the effects of which it knows. */
  compound: (name, rows) =>
    compound({
      name,
      description: DESCRIPTION,
      inputSchema: upgradeInput,
      parts: Object.fromEntries(rows.map(({ label, part }) => [label, part])),
      run: async (input, context) => {
        const did: string[] = []
        for (const { label, effect, part, patch, way } of rows) {
          if (patch !== undefined && (await context.patched(patch)) !== (way === 'new')) continue
          const result = await context.call(label, part, input)
          if (!result.ok) return result
          if (effect !== undefined) did.push(effect)
        }
        return did.join(' ')
      },
    }),
  pipe: (name, rows) => {
    let builder = ToolPipeline.builder().name(name).description(DESCRIPTION).step(passOn)
    for (const { part } of rows) builder = builder.step(part)
    return builder.build()
  },
  saga: (name, rows) => {
    type Builder = SagaBuilder<UpgradeInput, UpgradeInput, Readonly<Record<string, unknown>>>
    let builder = saga({ name, description: DESCRIPTION, inputSchema: upgradeInput }) as unknown as Builder
    for (const { label, part, undo } of rows)
      builder = builder.step(label as never, part, {
        input: ({ input }) => input,
        ...(undo === undefined ? {} : { compensate: { with: undo, class: 'reversible', input: ({ stepInput }) => stepInput } }),
      }) as unknown as Builder
    return builder.build({ output: () => 'done' })
  },
}

const passOn = tool({
  name: 'begin',
  description: 'Begins.',
  inputSchema: upgradeInput,
  outputSchema: upgradeInput,
  effect: 'read',
  execute: (input) => input,
})
