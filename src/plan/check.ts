import type { AgentTool } from '../tool/agent-tool.ts'
import { checkOptions } from '../tool/check-given.ts'
import type { Duration } from '../tool/duration.ts'
import type { Principal } from '../tool/principal.ts'
import { checkCompensations } from './check-compensations.ts'
import { checkContinuation } from './check-continuation.ts'
import { checkCycles } from './check-cycles.ts'
import { checkDeadlines } from './check-deadlines.ts'
import { checkEdges } from './check-edges.ts'
import { checkEstimates } from './check-estimates.ts'
import { checkIdentity } from './check-identity.ts'
import { checkInputs } from './check-inputs.ts'
import { checkOrder } from './check-order.ts'
import { checkPermissions } from './check-permissions.ts'
import { checkRaces } from './check-races.ts'
import { fallibleSteps } from './fallible-steps.ts'
import type { Finding, Severity } from './finding.ts'
import { planFigures } from './plan-figures.ts'
import { survey } from './survey.ts'
import { undoableSteps } from './undoable-steps.ts'

export interface CheckOptions {
  /** On whose behalf it would run; without one, permissions are not checked. */
  readonly principal?: Principal | undefined
  /** In which time it would have to end. */
  readonly deadline?: Duration | undefined
}

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, note: 2 }

/**
 * Finds what is wrong with a tool made of tools before anything runs, and says where: errors first, then warnings, then notes. A tool that
 * stands in several places is checked once, at the first of them.
 * @example
 * const findings = check(refund, { principal: { id: 'clerk', permissions: ['orders:read'] }, deadline: '5s' })
 * for (const { severity, path, message } of findings) console.log(severity, path, message)
 */
export function check(tool: AgentTool, options: CheckOptions = {}): readonly Finding[] {
  checkOptions(options, 'The options of check')
  const { principal, deadline } = options
  const plan = survey(tool)
  const figures = planFigures(plan)
  const fallible = fallibleSteps(plan, figures)
  const undoable = undoableSteps(plan)
  const findings = [
    checkCycles(plan),
    checkIdentity(plan),
    checkEdges(plan),
    checkOrder(plan, fallible, undoable),
    checkInputs(plan),
    checkRaces(plan, fallible, undoable),
    checkCompensations(plan, undoable),
    checkPermissions(plan, principal),
    checkDeadlines(plan, figures, deadline),
    checkContinuation(plan, fallible),
    checkEstimates(plan, figures),
  ].flat()
  return findings.toSorted((a, b) => RANK[a.severity] - RANK[b.severity])
}
