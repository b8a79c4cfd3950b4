import { isRecord, type JsonSchema, takesText } from '../schema/json-schema.ts'
import { allowsNoValue } from '../schema/subsumes/subsumes.ts'
import { type AgentTool, identityOf } from '../tool/agent-tool.ts'
import { checkReviewers, type Reviewers } from '../tool/deciders.ts'
import type { Duration } from '../tool/duration.ts'
import { IdentityOwners } from '../tool/identity-owners.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import { missingPermissions, type Principal } from '../tool/principal.ts'
import type { ReviewHandler } from '../tool/review.ts'
import { checkApprovals, checkChangedInputs } from './check-approvals.ts'
import { checkCompensations } from './check-compensations.ts'
import { checkCompounds } from './check-compounds.ts'
import { checkDeadlines } from './check-deadlines.ts'
import { checkDetached } from './check-detached.ts'
import { checkEdges } from './check-edges.ts'
import { checkEstimates } from './check-estimates.ts'
import { checkFields } from './check-fields.ts'
import { checkLimits } from './check-limits.ts'
import { checkOrder, orderFacts } from './check-order.ts'
import { checkRaces } from './check-races.ts'
import { checkRetries } from './check-retries.ts'
import { type Finding, SEVERITIES } from './finding.ts'
import { observedCalls, type RecordedRun } from './observed-calls.ts'
import { planFigures, type PlanFigures } from './plan-figures.ts'
import { partPath, type Place, survey, type Survey } from './survey.ts'
import { undoableSteps } from './undoable-steps.ts'

/** The options of `check`. */
export interface CheckOptions {
  /** On whose behalf it would run; without one, permissions are not checked. */
  readonly principal?: Principal | undefined
  /** In which time it would have to end. */
  readonly deadline?: Duration | undefined
  /** Who would be asked; without it, an inbox where principals decide. */
  readonly review?: Pick<ReviewHandler, 'deciders' | 'counts' | 'isAbsent'> | undefined
  /** Who may decide. */
  readonly reviewers?: Reviewers | undefined
  /** Journals of runs of this tool: the order in which its compounds called their parts is checked. */
  readonly recorded?: Iterable<RecordedRun> | undefined
}

const NAMES = optionNames<CheckOptions>({ principal: true, deadline: true, review: true, reviewers: true, recorded: true })

/**
 * Finds the errors of a tool made of tools before anything runs, with their places: errors first, then warnings, then notes. A tool that
 * is in several places is checked once, at the first of them.
 * @example
 * const findings = check(refund, { principal: { id: 'clerk', permissions: ['orders:read'] }, deadline: '5s' })
 * for (const { severity, path, message } of findings) console.log(severity, path, message)
 */
export function check(tool: AgentTool, options: CheckOptions = {}): readonly Finding[] {
  checkOptionNames(options, NAMES, 'The options of check')
  checkReviewers(options.reviewers)
  const { principal, deadline, recorded = [] } = options
  const plan = survey(tool)
  const figures = planFigures(plan)
  const fallible = fallibleSteps(plan, figures)
  const undoable = undoableSteps(plan)
  const facts = orderFacts(plan, fallible, undoable)
  const findings = [
    checkCycles(plan),
    checkIdentity(plan),
    checkEdges(plan),
    checkOrder(facts),
    checkCompounds(plan.places, facts, observedCalls(plan, recorded)),
    checkInputs(plan),
    checkRaces(plan, fallible, undoable),
    checkRetries(plan),
    checkCompensations(plan, undoable),
    checkDetached(plan),
    checkPermissions(plan, principal),
    checkDeadlines(plan, figures, deadline),
    checkContinuation(plan, fallible),
    checkApprovals(plan, options),
    checkChangedInputs(plan),
    checkEstimates(plan, figures),
    checkLimits(plan),
    checkFields(plan),
    checkSources(plan),
  ].flat()
  return findings.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity))
}

/** A tool that is a part of itself would never end. */
function checkCycles({ cycles }: Survey): readonly Finding[] {
  return cycles.map(({ path, tool }) => ({
    severity: 'error',
    code: 'cycle',
    path,
    message: `'${tool.name}' is a part of itself.`,
    hint: 'Repeat a tool with a bounded loop.',
  }))
}

/** Breakers, limits and journals go by the identity of a tool. */
function checkIdentity({ places }: Survey): readonly Finding[] {
  const owners = new IdentityOwners()
  const paths = new Map(places.map(({ tool, path }) => [tool, path]))
  return places.flatMap(({ tool, path }) => {
    const owner = owners.claim(tool)
    if (owner === undefined) return []
    const message = `'${path}' and '${paths.get(owner) ?? owner.name}' are two different tools, and both are ${identityOf(tool)}.`
    return [{ severity: 'error', code: 'duplicate_identity', path, message, hint: 'Give one of them another name or version.' }]
  })
}

/** A permission that a compound or a layer needs for a part is reported at the part. */
function checkPermissions({ places }: Survey, principal: Principal | undefined): readonly Finding[] {
  if (principal === undefined) return []
  return places.flatMap(({ tool, path, parts }) => {
    const missing = missingPermissions(tool.permissions, principal).filter(
      (each) => !parts.some(({ part }) => part.tool.permissions.includes(each)),
    )
    if (missing.length === 0) return []
    const message = `'${principal.id}' lacks the permission${missing.length > 1 ? 's' : ''} ${missing.join(', ')}, which '${tool.name}' needs.`
    return [{ severity: 'error', code: 'missing_permission', path, message, hint: 'Grant it, or leave the step out for this principal.' }]
  })
}

/** After a failure the next step gets an error message: few schemas take one. */
function checkContinuation({ places }: Survey, fallible: ReadonlySet<Place>): readonly Finding[] {
  return places.flatMap((whole) =>
    whole.plan.continues !== true
      ? []
      : whole.parts.flatMap(({ part, place }, index): Finding[] => {
          const before = whole.parts[index - 1]
          if (before?.place === undefined || place === undefined || part.takes !== 'previous') return []
          if (!fallible.has(before.place) || takesText(place.behaviour.input.schema)) return []
          const path = partPath(whole, part)
          const message = `If '${before.part.label}' fails, '${part.label}' gets its error message, which is unlikely to fit its schema.`
          return [{ severity: 'warning', code: 'continue_into_typed', path, message, hint: 'Stop at the first failure, or take a text.' }]
        }),
  )
}

/** Several tools are asked for one fact: each of them would do its work. */
function checkSources({ places }: Survey): readonly Finding[] {
  return places.flatMap((whole) =>
    whole.plan.onlyReads !== true
      ? []
      : whole.parts.flatMap(({ part }): Finding[] => {
          if (part.tool.effect === 'read') return []
          const path = partPath(whole, part)
          const message = `'${path}' changes something (${part.tool.effect}), and is only asked for a fact beside others.`
          return [{ severity: 'error', code: 'effectful_source', path, message, hint: "Ask tools with effect: 'read' only." }]
        }),
  )
}

/** Parts that share the input of the whole may contradict each other: then no input passes. */
function checkInputs({ places }: Survey): readonly Finding[] {
  return places.flatMap((place) => {
    if (!sharesInput(place) || !isContradiction(place.behaviour.input.schema)) return []
    const { path, plan, parts } = place
    const labels = parts.map(({ part }) => `'${part.label}'`)
    return [
      {
        severity: (plan.needs ?? parts.length) < parts.length ? 'warning' : 'error',
        code: 'unsatisfiable_input',
        path,
        message: `No input satisfies all parts of '${path}' (${labels.join(', ')}): what they ask for contradicts each other.`,
        hint: 'Give a part an input of its own, or change one of the schemas.',
      },
    ]
  })
}

/** The requirements of several parts on one value are in an `allOf`, of the whole or of a field: without one, there is no contradiction. */
function isContradiction(schema: JsonSchema): boolean {
  const { properties } = schema
  const isJoined =
    'allOf' in schema || (isRecord(properties) && Object.values(properties).some((field) => isRecord(field) && 'allOf' in field))
  return isJoined && allowsNoValue(schema)
}

/** Its input schema is made of those of several parts. */
function sharesInput({ plan, parts, behaviour: { input, forwardsInput } }: Place): boolean {
  return forwardsInput && !plan.layer && parts.length > 1 && !parts.some(({ place }) => place?.behaviour.input === input)
}

/** The tools that can fail: every one that is not known to be reliable in all cases. */
function fallibleSteps({ upwards }: Survey, figures: ReadonlyMap<Place, PlanFigures>): ReadonlySet<Place> {
  const fallible = new Set<Place>()
  for (const place of upwards) if (canFail(place, figures.get(place), fallible)) fallible.add(place)
  return fallible
}

/** The plan computes the reliability of the whole, with parts that always fail or never fail: a part of unknown reliability counts as one that can fail. */
function canFail({ plan, parts }: Place, figures: PlanFigures | undefined, fallible: ReadonlySet<Place>): boolean {
  if (parts.length === 0 || figures?.reliability.source === 'declared') return figures?.reliability.value !== 1
  const extremes = parts.map(({ place }) => ({ reliability: place === undefined || fallible.has(place) ? 0 : 1 }))
  return plan.figures(extremes).reliability !== 1
}
