import { classifyError } from '../../tool/errors/classify-error.ts'
import { ToolError, type ToolErrorOptions } from '../../tool/errors/tool-error.ts'
import type { Usage } from '../../tool/result/result.ts'
import { fatalIn } from '../../tool/seam/parts.ts'
import type { Whole } from '../../tool/seam/whole.ts'
import type { Classifier, ClassifierContext, RouteConfidence, RouteDescription } from './classifier.ts'
import { ROUTE_LABEL } from './labelled-route.ts'
import { ranked, surestOf } from './ranking.ts'

interface Asked {
  readonly classifier: Classifier<unknown>
  readonly routes: ReadonlyMap<string, { readonly condition: string }>
  readonly threshold: number
}

/** What a classifier came to, as it is recorded: a failure too, so that a replay fails in the same way. */
interface Verdict {
  readonly route: string | null
  readonly ranking: readonly RouteConfidence[]
  readonly used: Usage | null
  readonly failed: (ToolErrorOptions & { readonly message: string }) | null
}

/** Asks once. What the classifier used counts in a replay as it did when it ran. */
export async function askClassifier(asked: Asked, value: unknown, branch: Whole): Promise<Verdict> {
  const verdict = await branch.decide(ROUTE_LABEL, () => ask(asked, value, branch))
  const { used, failed } = verdict
  if (used !== null) branch.usage(used)
  if (failed === null) return verdict
  const { message, ...options } = failed
  throw new ToolError(message, options)
}

async function ask({ classifier, routes, threshold }: Asked, value: unknown, branch: Whole): Promise<Verdict> {
  const described = Array.from(routes, ([route, { condition: description }]): RouteDescription => ({ route, description }))
  let used: { tokens: number; costUsd: number } | null = null
  const context = contextOf(branch, ({ tokens = 0, costUsd = 0 }) => {
    used = { tokens: (used?.tokens ?? 0) + tokens, costUsd: (used?.costUsd ?? 0) + costUsd }
  })
  try {
    const ranking = ranked(await classifier(value, described, context), routes)
    return { route: surestOf(ranking, threshold) ?? null, ranking, used, failed: null }
  } catch (thrown) {
    if (fatalIn(thrown) !== undefined) throw thrown
    const { message, code, class: errorClass, retryable, hint, retryAfterMs } = classifyError(thrown)
    const failed = { message: `The classifier failed: ${message}`, code, class: errorClass, retryable, hint, retryAfterMs }
    return { route: null, ranking: [], used, failed: { ...failed, outcome: 'not_started' } }
  }
}

function contextOf(branch: Whole, usage: ClassifierContext['usage']): ClassifierContext {
  const { model, signal, principal, services, log } = branch
  return { model, signal, principal, services, log, usage }
}
