import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { layer } from '../../tool/layer.ts'
import type { ToolResult } from '../../tool/result/result.ts'
import { callPart } from '../../tool/seam/parts.ts'
import type { MakeCommandLine } from './command-line.ts'

const LABEL = 'run'

/** Refuses an input that gives no command line before a person is asked about it. The tool inside makes the command line again. */
export function rehearsed<I, O, N extends string>(runner: AgentTool<I, O, N>, make: MakeCommandLine): AgentTool<I, O, N> {
  return layer(runner, {
    kind: 'rehearse',
    label: LABEL,
    plan: { order: 'one', labels: 'name', closedBy: undefined },
    run: async (input, whole): Promise<ToolResult> => {
      const parsed = await parse(runner as AgentTool, input)
      if (parsed !== undefined) make(parsed.value)
      return callPart(whole, { label: LABEL, tool: runner as AgentTool, input, isUnique: true })
    },
  })
}

/** Undefined where the input is not valid: the tool inside says so itself. */
async function parse(runner: AgentTool, input: unknown): Promise<{ readonly value: unknown } | undefined> {
  try {
    return { value: await behaviourOf(runner).input.accept(input, runner.name) }
  } catch {
    return undefined
  }
}
