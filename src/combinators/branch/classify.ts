import { quote } from '../../schema/quote.ts'
import type { AnySchema, SchemaInput, SchemaOutput } from '../../schema/schema-types.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { checkOptions } from '../../tool/check-given.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { checkName } from '../../tool/identity.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import type { Classifier } from './classifier.ts'
import { label, type UnlabelledRoute } from './labelled-route.ts'
import { makeBranch, WHOLE_NAMES, type WholeBranch } from './make-branch.ts'
import { type AnyOtherwise, type Otherwise, otherwiseRoute } from './otherwise.ts'
import type { OutputOf, RouteTool } from './route.ts'
import { runClassified } from './run-classified.ts'

/** One route of `classify`: its tool, and which inputs belong to it. */
export interface ClassifiedRoute<V> {
  readonly tool: RouteTool<V, unknown>
  /** Which inputs belong here. The classifier decides by this text. */
  readonly description: string
}

/** The options of `classify`. */
export interface ClassifyOptions<S, T, V, I, O, N extends string = string> extends WholeBranch<S, N> {
  readonly routes: T
  /** How sure the classifier must be of the best route, from 0 to 1; 0.7 by default. */
  readonly threshold?: number | undefined
  /** Takes the inputs that the classifier is not sure of: a person, a search, another attempt. Without it, doubt is a failure. */
  readonly otherwise?: Otherwise<V, I, O> | undefined
}

const NAMES = optionNames<ClassifyOptions<unknown, unknown, unknown, unknown, unknown>>({
  ...WHOLE_NAMES,
  routes: true,
  threshold: true,
  otherwise: true,
})
const ROUTE_NAMES = optionNames<AnyRoute>({ tool: true, description: true })

type Declared<S> = S extends undefined ? never : SchemaOutput<S>
interface AnyRoute {
  readonly tool: AgentTool
  readonly description: string
}
type AnyRoutes = Readonly<Record<string, AnyRoute>>

/** The input that all routes accept. */
type TakenByAll<T> = (
  T extends Readonly<Record<string, { readonly tool: infer R }>> ? (R extends AgentTool<infer V> ? (value: V) => void : never) : never
) extends (value: infer V) => void
  ? V
  : never
type Value<S, T> = S extends undefined ? TakenByAll<T> : SchemaOutput<S>
type Input<S, T> = S extends undefined ? TakenByAll<T> : SchemaInput<S>

const DEFAULT_THRESHOLD = 0.7

/**
 * A tool that passes its input to the route that a classifier is sure of. Below the threshold the input goes to `otherwise`.
 * @example
 * const desk = classify(modelClassifier(), {
 *   name: 'desk',
 *   description: 'Answers whatever a customer writes.',
 *   routes: {
 *     sum: { tool: calculator(), description: 'A sum to work out.' },
 *     die: { tool: roll, description: 'A wish to roll a die.' },
 *   },
 *   otherwise: humanInput(),
 * })
 */
export function classify<
  const T extends Readonly<Record<string, ClassifiedRoute<Declared<S>>>>,
  const S extends AnySchema | undefined = undefined,
  I = never,
  O = never,
  const N extends string = string,
>(
  classifier: Classifier<Value<NoInfer<S>, NoInfer<T>>>,
  options: ClassifyOptions<S, T, Value<NoInfer<S>, NoInfer<T>>, I, O, N>,
): AgentTool<Input<S, T>, OutputOf<T[keyof T]['tool']> | O, N> {
  checkOptionNames(options, NAMES, 'The options of classify')
  const { routes, threshold = DEFAULT_THRESHOLD, otherwise, ...whole } = options
  checkName(whole.name)
  checkClassifier(whole.name, classifier, threshold)
  checkOptions(routes, `'routes' of '${whole.name}'`)
  const named = Object.entries<AnyRoute>(routes as AnyRoutes).map(([name, route]) => routeTo(name, route))
  const last = otherwise === undefined ? [] : [otherwiseRoute(otherwise as AnyOtherwise, `nothing reaches ${threshold}`)]
  const labelled = label([...named, ...last])
  const routesByLabel = new Map(labelled.slice(0, named.length).map((route) => [route.label, route]))
  const rest = labelled[named.length]
  const classified = { classifier: classifier as Classifier<unknown>, threshold, routes: routesByLabel, rest }
  return makeBranch({
    whole,
    routes: [...routesByLabel.values()],
    rest,
    detail: `by a classifier, confidence at least ${threshold}`,
    run: (value, branch, follow) => runClassified(classified, value, { branch, follow }),
  })
}

function routeTo(name: string, route: AnyRoute): UnlabelledRoute {
  checkOptionNames(route, ROUTE_NAMES, `The fields of the route '${name}'`)
  const { tool, description } = route
  behaviourOf(tool, `The tool of the route '${name}'`)
  if (typeof description !== 'string' || description.trim() === '') {
    throw new ConfigurationError('invalid_definition', `The route '${name}' needs a description: the classifier uses it.`)
  }
  return { name, tool, condition: description }
}

function checkClassifier(name: string, classifier: unknown, threshold: number): void {
  if (typeof classifier !== 'function')
    throw new ConfigurationError('invalid_definition', `'${name}' needs a classifier that is a function.`)
  if (typeof threshold !== 'number' || !(threshold >= 0 && threshold <= 1)) {
    throw new ConfigurationError('invalid_option', `The threshold of '${name}' must be a number from 0 to 1, not ${quote(threshold)}.`)
  }
}
