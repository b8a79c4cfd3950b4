import { isRecord } from '../../schema/json-schema.ts'
import { quote } from '../../schema/quote.ts'
import { adapt } from '../../tool/adapt.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import type { ResultIssue, SourceConflict, Validation } from '../../tool/result/result.ts'
import type { ReturnedFailure } from '../../tool/result/returned.ts'
import type { SettledResult, SettledSuccess } from '../../tool/result/settled.ts'
import { detailsOf, failureOf, successOf } from '../../tool/seam/failures.ts'
import { group } from '../../tool/seam/group.ts'
import { groupFailure } from '../../tool/seam/group-failure.ts'
import type { Group } from '../../tool/seam/group-plan.ts'
import { fatalIn } from '../../tool/seam/parts.ts'
import type { PartBeside } from '../../tool/seam/shared-input.ts'
import { maskedText, type Whole } from '../../tool/seam/whole.ts'
import { agree, type FieldComparison } from './field-comparison.ts'
import { resolveConflicts, type Resolver } from './resolve-conflicts.ts'
import type { OpenConflict, SourceAnswer } from './resolution.ts'

/** A tool that is asked, with its adapters. */
export interface AskedSource extends PartBeside {
  readonly output?: ((answer: never) => unknown) | undefined
}

export interface CorroboratePlan {
  readonly name: string
  readonly sources: readonly AskedSource[]
  readonly group: Group
  readonly fields: Readonly<Record<string, FieldComparison>>
  readonly resolvers: readonly Resolver[]
  readonly atLeast: number
}

/** Asks all sources, compares their answers, and resolves what is critical. */
export async function runCorroborate(plan: CorroboratePlan, input: unknown, whole: Whole): Promise<SettledResult | ReturnedFailure> {
  const { sources, atLeast } = plan
  const ended = await group(whole, plan.group, input)
  const results = sources.map((source, index) => inShape(source, ended.results[index], whole))
  const answers = sources.flatMap(({ label }, index): readonly Answer[] => {
    const result = results[index]
    return result?.ok === true ? [{ label, value: result.value as SourceAnswer['value'], result }] : []
  })
  if (answers.length < atLeast)
    return groupFailure(
      { parts: sources, needed: atLeast, ended: { ...ended, results } },
      {
        lead: `Only ${answers.length} of ${sources.length} sources of '${plan.name}' answered, and ${atLeast} must`,
        code: 'quorum_not_met',
      },
    )
  return judged(plan, { input, answers, failed: failedSources(sources, results) }, whole)
}

interface Answer extends SourceAnswer {
  readonly result: SettledSuccess
}

/** An answer that cannot be reshaped, or has no fields, is a failure of its source. */
function inShape({ label, output }: AskedSource, result: SettledResult | undefined, whole: Whole): SettledResult | undefined {
  if (result?.ok !== true) return result
  try {
    const { value, text } = result
    const shaped: unknown = output === undefined ? value : adapt(`The output of source '${label}'`, () => output({ value, text } as never))
    if (!isRecord(shaped))
      throw new ToolError(`Source '${label}' must give fields to compare, not ${quote(shaped)}.`, { code: 'invalid_output' })
    return shaped === value ? result : successOf(whole, shaped, { ...result.said, text: undefined })
  } catch (thrown) {
    if (fatalIn(thrown) !== undefined) throw thrown
    return failureOf(whole, detailsOf(thrown))
  }
}

function failedSources(sources: readonly AskedSource[], results: readonly (SettledResult | undefined)[]): readonly ResultIssue[] {
  return sources.flatMap(({ label }, index): readonly ResultIssue[] => {
    const result = results[index]
    if (result === undefined || result.ok) return []
    return [{ severity: 'warning', path: label, message: `Source '${label}' failed: ${result.error.message}` }]
  })
}

interface Heard {
  readonly input: unknown
  readonly answers: readonly Answer[]
  readonly failed: readonly ResultIssue[]
}

async function judged(plan: CorroboratePlan, { input, answers, failed }: Heard, whole: Whole): Promise<SettledResult> {
  const { open, alone } = compare(plan, answers)
  const critical = open.filter(({ comparison }) => comparison.severity !== 'warning')
  const resolved = await resolveConflicts(plan, { input, answers, conflicts: critical }, whole)
  const conflicts = open.map((conflict): SourceConflict => {
    const { field, comparison, answers: heard } = conflict
    const resolution = resolved.byField.get(field)
    return {
      field,
      severity: comparison.severity ?? 'critical',
      values: Object.fromEntries(heard.map(({ label, value }) => [label, value[field]])),
      ...(resolution === undefined ? {} : { resolved: resolution }),
    }
  })
  const issues = [...failed, ...alone, ...conflicts.map((each) => issueOf(each, whole))]
  const unresolved = conflicts.filter((each) => each.severity === 'critical' && each.resolved === undefined)
  const verdict = unresolved.length > 0 ? 'failure' : critical.length > 0 ? 'conditional' : issues.length > 0 ? 'warning' : 'success'
  const validation: Validation = { verdict, conflicts }
  whole.metric('tool_validation', conflicts.length, { verdict })
  if (verdict === 'failure') {
    const said = unresolved.map((each) => issueOf(each, whole).message).join(' ')
    const error = resolved.refusal ?? detailsOf(new ToolError(said, { code: 'sources_disagree' }))
    return failureOf(whole, error).amended({ issues, validation })
  }
  return agreed(answers, { issues, validation }, whole)
}

interface Compared {
  readonly open: readonly OpenConflict[]
  /** Fields that only one source gave. */
  readonly alone: readonly ResultIssue[]
}

function compare({ name, fields }: CorroboratePlan, answers: readonly SourceAnswer[]): Compared {
  const open: OpenConflict[] = []
  const alone: ResultIssue[] = []
  for (const [field, comparison] of Object.entries(fields)) {
    const heard = answers.filter(({ value }) => Object.hasOwn(value, field) && value[field] !== undefined && value[field] !== null)
    const [first, ...rest] = heard
    if (first === undefined) throw new ToolError(`No source of '${name}' gave the field '${field}'.`, { code: 'adapter_failed' })
    if (rest.length === 0 && answers.length > 1)
      alone.push({ severity: 'warning', path: field, message: `Only source '${first.label}' gave '${field}': nothing confirms it.` })
    const isOpen = heard.some((one, index) =>
      heard.slice(index + 1).some((other) => !agree(one.value[field], other.value[field], comparison)),
    )
    if (isOpen) open.push({ field, comparison, answers: heard })
  }
  return { open, alone }
}

function issueOf({ field, severity, values, resolved }: SourceConflict, whole: Whole): ResultIssue {
  const said = Object.entries(values).map(([label, value]) => `${label} ${quote(value)}`)
  const end =
    resolved === undefined
      ? severity === 'critical'
        ? ' Nothing resolved it.'
        : ''
      : ` Resolved by ${resolved.by}: ${quote(resolved.value)}${resolved.source === undefined ? '' : ` of '${resolved.source}'`}.`
  return { severity, path: field, message: maskedText(whole, `The sources disagree on '${field}': ${said.join(', ')}.${end}`) }
}

/** The answer of the first source, with the resolved values. */
function agreed(answers: readonly Answer[], { issues, validation }: Told, whole: Whole): SettledSuccess {
  const [{ value, result }] = answers as readonly [Answer, ...Answer[]]
  const { conflicts = [] } = validation
  const changed = conflicts.flatMap(({ field, resolved }) =>
    resolved === undefined || Object.is(resolved.value, value[field]) ? [] : [[field, resolved.value] as const],
  )
  const confidences = answers.flatMap(({ result: each }) => each.confidence ?? [])
  const said = {
    text: changed.length === 0 ? result.ownText : undefined,
    content: result.content,
    confidence: confidences.length === 0 ? undefined : Math.min(...confidences),
  }
  const own = successOf(whole, changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) }, said)
  return own.amended({ validation, ...(issues.length === 0 ? {} : { issues }) })
}

interface Told {
  readonly issues: readonly ResultIssue[]
  readonly validation: Validation
}
