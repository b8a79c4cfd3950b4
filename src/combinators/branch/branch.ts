import { isRecord } from '../../schema/json-schema.ts'
import { quote } from '../../schema/quote.ts'
import type { AnySchema, SchemaInput, SchemaOutput } from '../../schema/schema-types.ts'
import { type AgentTool, isTool } from '../../tool/agent-tool.ts'
import { adapt } from '../../tool/adapt.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { checkName } from '../../tool/identity.ts'
import { failure, type ReturnedFailure } from '../../tool/result/returned.ts'
import { diverged } from '../../tool/seam/recorded.ts'
import type { Whole } from '../../tool/seam/whole.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import { describeRoutes, type LabelledRoute, label, ROUTE_LABEL } from './labelled-route.ts'
import { makeBranch, UNTAKEN, WHOLE_NAMES, type WholeBranch } from './make-branch.ts'
import { type AnyOtherwise, type Otherwise, otherwiseRoute } from './otherwise.ts'
import type { AnyRoute, Route, RouteCase } from './route.ts'

/** The options of `branch`. */
export interface BranchOptions<S, V, I, O, N extends string = string> extends WholeBranch<S, N> {
  /** Takes the inputs that no route takes. Without it, such an input is a failure. */
  readonly otherwise?: Otherwise<V, I, O> | undefined
}

const NAMES = optionNames<BranchOptions<unknown, unknown, unknown, unknown>>({ ...WHOLE_NAMES, otherwise: true })

type AnyRoutes = readonly AnyRoute[]

/** The value that predicates and tools see. Without a declared schema its type is unknown. */
type Declared<S> = S extends undefined ? never : SchemaOutput<S>
type TakenBy<R> = R extends readonly [Route<infer V, unknown, unknown>, ...unknown[]] ? V : never
type Value<S, R> = S extends undefined ? TakenBy<R> : SchemaOutput<S>
type Input<S, R> = S extends undefined ? TakenBy<R> : SchemaInput<S>
type OutputsOf<R extends AnyRoutes> = { [K in keyof R]: R[K] extends Route<never, infer O, unknown> ? O : never }[number]
type OpenIn<R extends AnyRoutes> = { [K in keyof R]: R[K] extends Route<never, unknown, infer M> ? Known<M> : never }[number]
type Known<M> = unknown extends M ? never : M

/** A `match` without all cases needs a route for the rest. */
type Closed<R extends AnyRoutes> = [OpenIn<R>] extends [never]
  ? unknown
  : { readonly otherwise: unknown; readonly 'Cases without a route, unless there is an otherwise'?: OpenIn<R> }

/** Without a declared schema, every route takes the input of the first one. */
type Fitting<S, R extends AnyRoutes> = S extends undefined ? { readonly [K in keyof R]: Route<TakenBy<R>, unknown, unknown> } : unknown

/**
 * A tool that passes its input to the first route whose condition is true. The choice is recorded.
 * @example
 * const refundDesk = branch(
 *   { name: 'refund_desk', description: 'Refunds an order; a person approves what is large.', inputSchema: z.object({ orderId: z.string(), amount: z.number() }) },
 *   [above('amount', 100, gate(issueRefund)), when(({ amount }) => amount > 0, issueRefund)],
 * )
 * const result = await refundDesk.call({ orderId: 'o1', amount: 20 })
 * console.log(result.text) // Refunded 20 for o1.
 */
export function branch<
  const R extends readonly Route<Declared<S>, unknown, unknown>[],
  const S extends AnySchema | undefined = undefined,
  I = never,
  O = never,
  const N extends string = string,
>(options: BranchOptions<S, Value<S, R>, I, O, N> & Closed<R>, routes: R & Fitting<S, R>): AgentTool<Input<S, R>, OutputsOf<R> | O, N> {
  checkOptionNames(options, NAMES, 'The options of branch')
  const { otherwise, ...whole } = options
  checkName(whole.name)
  const cases = casesOf(routes, whole.name)
  const last = otherwise === undefined ? [] : [otherwiseRoute(otherwise as AnyOtherwise, 'no other route')]
  const labelled = label([...cases, ...last])
  const rest = labelled[cases.length]
  const tests = cases.map((each, index): Test => ({ ...each, label: (labelled[index] as LabelledRoute).label }))
  return makeBranch({
    whole,
    routes: tests,
    rest,
    run: async (value, context, follow) => {
      const chosen = await choose({ tests, rest }, value, context)
      return chosen === undefined ? noRoute(tests, context) : follow(chosen)
    },
  })
}

function casesOf(routes: unknown, name: string): readonly RouteCase[] {
  if (!Array.isArray(routes))
    throw new ConfigurationError('invalid_definition', `Branch '${name}' takes a list of routes, not ${quote(routes)}.`)
  return routes.flatMap((route: unknown, index) => {
    if (isRecord(route) && Array.isArray(route['cases']) && route['cases'].every(isCase)) return route['cases']
    throw new ConfigurationError(
      'invalid_definition',
      `Route ${index + 1} of branch '${name}' must be made by when, equals, above, below or match, not ${quote(route)}.`,
    )
  })
}

function isCase(given: unknown): given is RouteCase {
  return isRecord(given) && isTool(given['tool']) && typeof given['holds'] === 'function'
}

type Test = LabelledRoute & RouteCase

interface Tests {
  readonly tests: readonly Test[]
  readonly rest: LabelledRoute | undefined
}

async function choose({ tests, rest }: Tests, value: unknown, whole: Whole): Promise<LabelledRoute | undefined> {
  const chosen = await whole.decide(ROUTE_LABEL, () => (tests.find((test) => holds(test, value)) ?? rest)?.label ?? null)
  if (chosen === null) return undefined
  const route = chosen === rest?.label ? rest : tests.find((test) => test.label === chosen)
  if (route === undefined) throw diverged(whole, ROUTE_LABEL, 'a choice between other routes', `the route '${chosen}'`)
  return route
}

function noRoute(tests: readonly Test[], { tool }: Whole): ReturnedFailure {
  return failure(`No route of '${tool}' takes this input: ${describeRoutes(tests)}.`, { code: 'no_route', outcome: 'not_started' })
}

function holds(test: Test, value: unknown): boolean {
  return adapt(`The predicate of route '${test.label}'`, () => test.holds(value), UNTAKEN)
}
