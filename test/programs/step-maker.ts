import type { AgentTool } from '../../src/tool/agent-tool.ts'
import { compound } from '../../src/tool/compound.ts'
import type { Metadata } from '../../src/tool/metadata.ts'
import { tool } from '../../src/tool/tool.ts'

export type Text = AgentTool<string, string>

interface StepOptions extends Metadata {
  /** The message with which it fails: always, or for one input alone. */
  readonly fails?: string | undefined
  readonly when?: string | undefined
  readonly throws?: Error | undefined
  /** It throws only in the first attempt. */
  readonly recovers?: boolean | undefined
  /** How long it takes. */
  readonly ms?: number | undefined
}

/** Makes a leaf over text that gives `input>name`. */
export type StepMaker = (name: string, options?: StepOptions) => Text

/** Told of every leaf that runs; a replay runs none. */
export function stepMaker(onRun: (name: string) => void): StepMaker {
  return (name, { fails, when, throws, recovers = false, ms, ...more } = {}) =>
    tool({
      name,
      description: `Does ${name}.`,
      effect: 'write',
      idempotent: 'keyed',
      ...more,
      execute: async (input, { clock, path }): Promise<string> => {
        onRun(name)
        if (ms !== undefined) await new Promise<void>((resolve) => void clock.timer(ms, resolve))
        if (throws !== undefined && !(recovers && path.includes('@'))) throw throws
        if (fails !== undefined && (when === undefined || when === input)) throw new Error(fails)
        return `${input}>${name}`
      },
    }) as Text
}

/** Calls a tool twice with one input: the second call meets what the first one left. */
export function calledTwice(called: Text): AgentTool<never> {
  return compound({
    name: 'twice',
    description: 'Calls it twice.',
    parts: { called },
    run: async (input, context) => {
      const [one, two] = [await context.call('one', called, input), await context.call('two', called, input)]
      return `${one.text} ${two.text}`
    },
  })
}
