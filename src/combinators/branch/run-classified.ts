import { withIssue } from '../../tool/result/amendments.ts'
import { failure, type ReturnedFailure } from '../../tool/result/returned.ts'
import type { SettledResult } from '../../tool/result/settled.ts'
import { diverged } from '../../tool/seam/recorded.ts'
import type { Whole } from '../../tool/seam/whole.ts'
import { askClassifier } from './ask-classifier.ts'
import type { Classifier, RouteConfidence } from './classifier.ts'
import { type LabelledRoute, ROUTE_LABEL } from './labelled-route.ts'
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
  readonly branch: Whole
  readonly follow: Follow
}

export async function runClassified(
  classified: Classified,
  value: unknown,
  { branch, follow }: Running,
): Promise<SettledResult | ReturnedFailure> {
  const { threshold, routes, rest } = classified
  const { route: chosen, ranking } = await askClassifier(classified, value, branch)
  if (chosen !== null) {
    const route = routes.get(chosen)
    if (route === undefined) throw diverged(branch, ROUTE_LABEL, 'a choice between other routes', `the route '${chosen}'`)
    return follow(route)
  }
  const doubt = describeDoubt(ranking, threshold)
  if (rest !== undefined) return inDoubt(await follow(rest), `The route was not clear (${doubt}), so '${rest.tool.name}' answered.`)
  return failure(`It is not clear which route of '${branch.tool}' to take: ${doubt}.`, { code: 'ambiguous', outcome: 'not_started' })
}

function describeDoubt(ranking: readonly RouteConfidence[], threshold: number): string {
  return ranking.length === 0 ? 'the classifier is sure of none' : `${describeRanking(ranking)}, and ${threshold} is needed`
}

/** The answer says that it comes from the route for doubt. */
function inDoubt(result: SettledResult, message: string): SettledResult {
  return result.ok ? withIssue(result, { severity: 'info', message }) : result
}
