import { isRecord } from '../../schema/json-schema.ts'
import { privateCopy } from '../../schema/private-copy.ts'
import { adapt } from '../../tool/adapt.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { outputSchemaOf } from '../../tool/output-schema.ts'
import type { ConflictResolution, ResultIssue, SourceConflict, Validation } from '../../tool/result/result.ts'
import type { ReturnedFailure } from '../../tool/result/returned.ts'
import type { SettledResult, SettledSuccess } from '../../tool/result/settled.ts'
import { detailsOf, failureOf, maskedDetails, successOf } from '../../tool/seam/failures.ts'
import { group } from '../../tool/seam/group.ts'
import { groupFailure } from '../../tool/seam/group-failure.ts'
import type { Group } from '../../tool/seam/group-plan.ts'
import { fatalIn } from '../../tool/seam/parts.ts'
import type { PartBeside } from '../../tool/seam/shared-input.ts'
import { maskedText, maskedView, type Whole } from '../../tool/seam/whole.ts'
import { agree, type FieldComparison } from './field-comparison.ts'
import { resolveConflicts, type Resolver } from './resolve-conflicts.ts'
import type { OpenConflict, SourceAnswer } from './resolution.ts'
import { SourceSecrets, textOfView } from './source-secrets.ts'

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
  const secrets = new SourceSecrets(sources, whole)
  for (const result of ended.results) if (result?.ok === true) secrets.hide(result.value)
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
  for (const { value } of answers) secrets.hide(value)
  return judged(plan, { input, answers, failed: failedSources(sources, results), secrets }, whole)
}

interface Answer extends SourceAnswer {
  readonly result: SettledSuccess
}

/**
 * An answer that cannot be reshaped, or has no fields, is a failure of its source. The answer is a copy: a getter could tell the comparison one
 * value, and the caller another.
 */
function inShape({ label, tool, output }: AskedSource, result: SettledResult | undefined, whole: Whole): SettledResult | undefined {
  if (result?.ok !== true) return result
  try {
    const { value, text } = result
    const shaped: unknown = output === undefined ? value : adapt(`The output of source '${label}'`, () => output({ value, text } as never))
    if (!isRecord(shaped)) {
      const shown = textOfView(maskedView(whole, shaped, output === undefined ? outputSchemaOf(tool) : undefined))
      throw new ToolError(`Source '${label}' must give fields to compare, not ${shown}.`, { code: 'invalid_output' })
    }
    const copy = privateCopy(shaped)
    return shaped === value ? result.holding(copy) : successOf(whole, copy, { ...result.said, text: undefined })
  } catch (thrown) {
    if (fatalIn(thrown) !== undefined) throw thrown
    return failureOf(whole, maskedDetails(whole, detailsOf(thrown)))
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
  readonly secrets: SourceSecrets
}

async function judged(plan: CorroboratePlan, { input, answers, failed, secrets }: Heard, whole: Whole): Promise<SettledResult> {
  const { open, told, filled } = compare(plan, answers)
  const critical = open.filter(({ comparison }) => comparison.severity !== 'warning')
  const resolved = await resolveConflicts(plan, { input, answers, conflicts: critical, secrets }, whole)
  const conflicts = open.map((conflict) => conflictOf(conflict, resolved.byField.get(conflict.field), secrets))
  const found = [...failed, ...told, ...conflicts.map((each) => issueOf(each, whole))]
  const unresolved = conflicts.filter((each) => each.severity === 'critical' && each.resolved === undefined)
  if (unresolved.length > 0) {
    const said = unresolved.map((each) => issueOf(each, whole).message).join(' ')
    const error = resolved.refusal ?? detailsOf(new ToolError(said, { code: 'sources_disagree' }))
    whole.metric('tool_validation', conflicts.length, { verdict: 'failure' })
    return failureOf(whole, maskedDetails(whole, error)).amended({ issues: found, validation: { verdict: 'failure', conflicts } })
  }
  const values = new Map([...filled, ...resolved.byField])
  const used = usedAnswers(answers, values)
  const issues = [...used.flatMap(({ result }) => result.issues ?? []), ...found]
  const isConditional = critical.length > 0 || used.some(({ result }) => result.validation?.verdict === 'conditional')
  const verdict = isConditional ? 'conditional' : issues.some(({ severity }) => severity !== 'info') ? 'warning' : 'success'
  whole.metric('tool_validation', conflicts.length, { verdict })
  return agreed({ answers, values }, { issues, validation: { verdict, conflicts } }, whole)
}

/** Results are shown in events and lists of runs: a secret is a mask in them, also for the program. The answer itself has the value. */
function conflictOf(conflict: OpenConflict, resolution: ConflictResolution | undefined, secrets: SourceSecrets): SourceConflict {
  const { field, comparison, answers } = conflict
  return {
    field,
    severity: comparison.severity ?? 'critical',
    values: Object.fromEntries(answers.map(({ label, value }) => [label, secrets.view(field, value[field])])),
    ...(resolution === undefined ? {} : { resolved: { ...resolution, value: secrets.view(field, resolution.value) } }),
  }
}

/** The answers that the answer of the whole is made of: their faults are faults of it. */
function usedAnswers(answers: readonly Answer[], values: ReadonlyMap<string, TakenValue>): readonly Answer[] {
  const labels = new Set(Array.from(values.values(), ({ source }) => source))
  return answers.filter(({ label }, index) => index === 0 || labels.has(label))
}

/** A value that the answer of the whole has instead of that of the first source. */
type TakenValue = Pick<ConflictResolution, 'value' | 'source'>

interface Compared {
  readonly open: readonly OpenConflict[]
  /** Of fields that some sources did not give. */
  readonly told: readonly ResultIssue[]
  /** The values of fields that the first source did not give, and on which the others agree. */
  readonly filled: ReadonlyMap<string, TakenValue>
}

function compare({ name, fields, sources }: CorroboratePlan, answers: readonly SourceAnswer[]): Compared {
  const open: OpenConflict[] = []
  const told: ResultIssue[] = []
  const filled = new Map<string, TakenValue>()
  for (const [field, comparison] of Object.entries(fields)) {
    const heard = answers.filter(({ value }) => Object.hasOwn(value, field) && value[field] !== undefined && value[field] !== null)
    const [first, ...rest] = heard
    if (first === undefined) throw new ToolError(`No source of '${name}' gave the field '${field}'.`, { code: 'adapter_failed' })
    if (rest.length === 0 && answers.length > 1)
      told.push({ severity: 'warning', path: field, message: `Only source '${first.label}' gave '${field}': nothing confirms it.` })
    const isOpen = heard.some((one, index) =>
      heard.slice(index + 1).some((other) => !agree(one.value[field], other.value[field], comparison)),
    )
    if (isOpen) open.push({ field, comparison, answers: heard, asked: sources.length })
    else if (rest.length > 0 && first !== answers[0]) {
      filled.set(field, { value: first.value[field], source: first.label })
      const message = `Source '${answers[0]?.label}' did not give '${field}': the value is that of '${first.label}'.`
      told.push({ severity: 'warning', path: field, message })
    }
  }
  return { open, told, filled }
}

function issueOf({ field, severity, values, resolved }: SourceConflict, whole: Whole): ResultIssue {
  const said = Object.entries(values).map(([label, value]) => `${label} ${textOfView(value)}`)
  const end =
    resolved === undefined
      ? severity === 'critical'
        ? ' Nothing resolved it.'
        : ''
      : ` Resolved by ${resolved.by}: ${textOfView(resolved.value)}${resolved.source === undefined ? '' : ` of '${resolved.source}'`}.`
  return { severity, path: field, message: maskedText(whole, `The sources disagree on '${field}': ${said.join(', ')}.${end}`) }
}

interface Taken {
  readonly answers: readonly Answer[]
  readonly values: ReadonlyMap<string, TakenValue>
}

/** The answer of the first source, with the resolved values. */
function agreed({ answers, values }: Taken, { issues, validation }: Told, whole: Whole): SettledSuccess {
  const [{ value, result }] = answers as readonly [Answer, ...Answer[]]
  const changed = Array.from(values, ([field, taken]) => [field, taken.value] as const).filter(
    ([field, taken]) => !Object.is(taken, value[field]),
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
