import { isRecord } from '../../schema/json-schema.ts'
import { type AgentTool, isTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { checkFunction } from '../../tool/check-given.ts'
import type { RouteTool } from './route.ts'
import type { UnlabelledRoute } from './labelled-route.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** The tool for inputs that no route takes, or that tool with a function that makes its input. */
export type Otherwise<V, I, O> =
  | RouteTool<V, O>
  | {
      readonly tool: AgentTool<I, O>
      /** Makes the input of the tool from the whole input: a pure, synchronous function. */
      readonly input: NoInfer<(value: V) => I>
    }

/** The types have been checked. */
interface ReshapedOtherwise {
  readonly tool: AgentTool
  readonly input: (value: unknown) => unknown
}

export type AnyOtherwise = AgentTool | ReshapedOtherwise

const NAMES = optionNames<ReshapedOtherwise>({ tool: true, input: true })

export function otherwiseRoute(otherwise: AnyOtherwise, condition: string): UnlabelledRoute {
  if (isTool(otherwise) || !isReshaped(otherwise)) {
    behaviourOf(otherwise, 'The tool of otherwise')
    return { name: 'otherwise', tool: otherwise, condition }
  }
  checkOptionNames(otherwise, NAMES, "The fields of 'otherwise'")
  const { tool, input } = otherwise
  behaviourOf(tool, "'tool' of otherwise")
  checkFunction(input, "'input' of otherwise")
  return { name: 'otherwise', tool, condition, input }
}

function isReshaped(given: AnyOtherwise): given is ReshapedOtherwise {
  return isRecord(given) && 'tool' in given
}
