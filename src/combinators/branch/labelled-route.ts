import type { JsonSchema } from '../../schema/json-schema.ts'
import { quote } from '../../schema/quote.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'

/** The label of the recorded choice. */
export const ROUTE_LABEL = 'branch.route'

/** A route of a branch with the label of its calls. */
export interface LabelledRoute {
  readonly label: string
  readonly tool: AgentTool
  /** When it is taken, in words. */
  readonly condition: string
  /** A schema that the input also satisfies when the route is taken. */
  readonly known?: JsonSchema | undefined
  readonly input?: ((value: unknown) => unknown) | undefined
}

export interface UnlabelledRoute extends Omit<LabelledRoute, 'label'> {
  readonly name?: string | undefined
}

/** The label is the name of the route, or of its tool; repeats are numbered. A dot is reserved for records of the branch itself. */
export function label<R extends UnlabelledRoute>(routes: readonly R[]): readonly (R & LabelledRoute)[] {
  const counts = new Map<string, number>()
  return routes.map((route) => {
    const name = route.name ?? route.tool.name
    if (typeof name !== 'string' || name === '' || /[/#@!:.]/.test(name)) {
      throw new ConfigurationError('invalid_label', `The name ${quote(name)} of a route must not be empty or contain any of / # @ ! : .`)
    }
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return { ...route, label: count === 1 ? name : `${name}#${count}` }
  })
}

const MAX_DESCRIBED = 10

/** `refund (kind is "refund")`, for messages; of many, the first few. */
export function describeRoutes(routes: readonly LabelledRoute[]): string {
  const described = routes.slice(0, MAX_DESCRIBED).map(({ label: name, condition }) => `${name} (${condition})`)
  const more = routes.length - described.length
  return more === 0 ? described.join(', ') : `${described.join(', ')} and ${more} more`
}
