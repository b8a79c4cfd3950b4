import type { Call } from '../../tool/engine/call.ts'
import { diverged } from '../../tool/engine/decide.ts'
import { SettledSuccess } from '../../tool/result/settled.ts'
import type { ToolResult } from '../../tool/result/result.ts'
import { failure, type ReturnedFailure, type ReturnedSuccess, success } from '../../tool/result/returned.ts'
import { askClassifier } from './ask-classifier.ts'
import type { Classifier, RouteConfidence } from './classifier.ts'
import type { LabelledRoute } from './labelled-route.ts'
import type { Follow } from './make-branch.ts'
import { describeRanking } from './ranking.ts'

export interface Classified {
  readonly classifier: Classifier<unknown>
  readonly threshold: number
  readonly routes: ReadonlyMap<string, LabelledRoute>
  /** For doubt. */
  readonly rest: LabelledRoute | undefined
}

interface Running {
  readonly call: Call
  readonly follow: Follow
}

type Answered = ToolResult | ReturnedSuccess<unknown> | ReturnedFailure

export async function runClassified(classified: Classified, value: unknown, { call, follow }: Running): Promise<Answered> {
  const { threshold, routes, rest } = classified
  const { route: chosen, ranking } = await askClassifier(classified, value, call)
  if (chosen !== null) {
    const route = routes.get(chosen)
    if (route === undefined) throw diverged(call, `${call.path}/branch.route`, 'a choice between other routes', `the route '${chosen}'`)
    return follow(route)
  }
  const doubt = describeDoubt(ranking, threshold)
  if (rest !== undefined) return inDoubt(await follow(rest), `The route was not clear (${doubt}), so '${rest.tool.name}' answered.`)
  return failure(`It is not clear which route of '${call.tool}' to take: ${doubt}.`, { code: 'ambiguous', outcome: 'not_started' })
}

function describeDoubt(ranking: readonly RouteConfidence[], threshold: number): string {
  return ranking.length === 0 ? 'the classifier is sure of none' : `${describeRanking(ranking)}, and ${threshold} is needed`
}

/** The answer says that it comes from the route for doubt. */
function inDoubt(result: ToolResult, message: string): ToolResult | ReturnedSuccess<unknown> {
  if (!result.ok) return result
  const { value, content, confidence, issues = [] } = result
  const text = result instanceof SettledSuccess ? result.ownText : result.text
  return success(value, { text, content, confidence, issues: [...issues, { severity: 'info', message }] })
}
