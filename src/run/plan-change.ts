import type { AgentTool } from '../tool/agent-tool.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { type OutlinedPart, type PlanOutline, planPrint, readPrint } from './plan-print.ts'
import { type RecordedSteps, recordedSteps } from './recorded-steps.ts'

export interface PlanChange {
  readonly run: string
  /** The print of the plan by which the run came as far as it has. */
  readonly before: string
  readonly tool: AgentTool
  /** Everything that the run has recorded. */
  readonly paths: readonly string[]
}

/**
 * Whether a run can go on under the plan of this tool: every step that it recorded must still be there, and no step that takes effect may
 * have come before one that was recorded. Where a compound's own code chooses the labels, nobody can tell, and the replay itself finds out.
 */
export function checkPlan({ run, before, tool, paths }: PlanChange): void {
  if (paths.length === 0) return
  const steps = recordedSteps(paths)
  const problem = problemIn({ label: tool.name, before: readPrint(before), now: readPrint(planPrint(tool)), steps, isPast: false })
  if (problem === undefined) return
  throw new ConfigurationError(
    'plan_changed',
    `The run '${run}' cannot go on under this version of '${tool.name}': ${problem} Let it end under the version that began it, or cancel it and begin anew.`,
  )
}

interface Progress {
  /** What is recorded of a step; undefined where nothing is. */
  readonly steps: RecordedSteps | undefined
  /** Something that comes after it is recorded: whatever is new in it would come too late. */
  readonly isPast: boolean
}

interface Compared extends Progress {
  readonly label: string
  readonly before: PlanOutline | string
  readonly now: PlanOutline | string
}

interface Whole extends Compared {
  readonly before: PlanOutline
  readonly now: PlanOutline
}

function problemIn({ before, now, ...more }: Compared): string | undefined {
  const { label, steps, isPast } = more
  if (steps === undefined && !isPast) return undefined
  if (typeof before === 'string' || typeof now === 'string')
    return before === now ? undefined : `'${label}' has changed, and is too large to tell whether that matters.`
  if (before.kind !== now.kind && (steps !== undefined || now.effect !== 'read'))
    return `'${label}' was made as '${before.kind}', and is made as '${now.kind}' now.`
  if (GO_BY_NAME.has(now.kind) && steps?.isRecorded === true && before.name !== now.name)
    return `it called '${before.name}' as '${label}', which is '${now.name}' now.`
  const whole: Whole = { ...more, before, now }
  return (COMPARISONS[now.kind] ?? unknownKind)(whole)
}

/** Nobody here knows in which order it runs its parts: with an effect inside, a change of them may come too late. */
function unknownKind({ label, before, now }: Whole): string | undefined {
  if (now.effect === 'read' || JSON.stringify(before) === JSON.stringify(now)) return undefined
  return `'${label}' has changed inside, and it is made as '${now.kind}', of which it is not known in which order its parts run.`
}

/** Their calls and reviews are recorded under the name of the one tool. */
const GO_BY_NAME: ReadonlySet<string> = new Set(['leaf', 'gate', 'cache', 'idempotent'])

/** By the kinds whose labels are known. A leaf has no parts. A compound labels them as it likes: the replay finds out what it does now. */
const COMPARISONS: Readonly<Record<string, (whole: Whole) => string | undefined>> = {
  leaf: () => undefined,
  compound: recordedParts,
  pipe: inOrder,
  saga: inOrder,
  parallel: (whole) => gone(whole) ?? firstOf(whole.now.parts, (part) => inPart(whole, part, whole.isPast)),
  'parallel raced': recordedOnly,
  branch: recordedOnly,
  gate: recordedOnly,
  cache: recordedOnly,
  idempotent: recordedOnly,
  map: (whole) => everyTime(whole, /^\d+$/, () => whole.isPast),
  loop: (whole) => everyTime(whole, /^turn(#\d+)?$/, (turn) => whole.isPast || isStopDecided(whole, turn)),
}

/** What stands under the label of a part is that part. All else there is the combinator's own. */
function gone({ label, before, now, steps }: Whole): string | undefined {
  const part = before.parts.find((each) => steps?.below.has(each.label) === true && partOf(now, each.label) === undefined)
  return part === undefined ? undefined : `it did the step '${part.label}' in '${label}', which is no more.`
}

function inOrder(whole: Whole): string | undefined {
  const { before, now, steps } = whole
  const isRecorded = ({ label }: OutlinedPart): boolean => steps?.below.has(label) === true
  const forward = now.parts.filter(({ undoes }) => !undoes)
  const isFailed = before.parts.some((part) => part.undoes && isRecorded(part))
  const inStep = (part: OutlinedPart, index: number): string | undefined => {
    const later = forward.slice(index + 1).filter(isRecorded)
    if (!isRecorded(part) && takesEffect(part) && later.some((each) => !stoodBefore(before, part, each))) return tooLate(whole, part)
    return inPart(whole, part, whole.isPast || isFailed || later.length > 0)
  }
  return gone(whole) ?? firstOf(forward, inStep) ?? firstOf(now.parts.filter(isUndoing), (part) => inPart(whole, part, false))
}

/** Who had not ended when a race was decided does not run any more, no route is taken but the recorded one, and so on. */
function recordedOnly(whole: Whole): string | undefined {
  const { now, steps, isPast } = whole
  const isOver = isPast || steps?.below.has('.joined') === true
  const recorded = now.parts.filter(({ label }) => steps?.below.has(label) === true)
  return gone(whole) ?? firstOf(recorded, (part) => inPart(whole, part, isOver))
}

/** Parts of a compound that are recorded under the labels by which it declares them; of its other labels nobody here knows. */
function recordedParts({ before, now, steps, isPast }: Whole): string | undefined {
  return firstOf([...(steps?.below ?? [])], ([label, own]) => {
    const declared = label.replace(/#\d+$/, '')
    const [former, part] = [partOf(before, declared), partOf(now, declared)]
    if (former === undefined || part === undefined) return undefined
    return problemIn({ label, before: former.outline, now: part.outline, steps: own, isPast })
  })
}

/** The one part runs several times, under labels that are numbered. */
function everyTime({ label: whole, before, now, steps }: Whole, labels: RegExp, isPast: (label: string) => boolean): string | undefined {
  const [former, part] = [before.parts[0], now.parts[0]]
  if (former === undefined || part === undefined || steps === undefined) return undefined
  const times = [...steps.below].filter(([label]) => labels.test(label))
  if (times.length > (now.most ?? Infinity))
    return `it ran '${part.label}' of '${whole}' ${times.length} times, and may do so at most ${now.most} times now.`
  return firstOf(times, ([label, own]) =>
    problemIn({ label, before: former.outline, now: part.outline, steps: own, isPast: isPast(label) }),
  )
}

function isStopDecided({ steps }: Whole, turn: string): boolean {
  return steps?.below.has(turn.replace('turn', 'loop.stop')) === true
}

function inPart(whole: Whole, part: OutlinedPart, isPast: boolean): string | undefined {
  const { label, outline } = part
  const steps = whole.steps?.below.get(label)
  const former = partOf(whole.before, label)
  if (former !== undefined) return problemIn({ label, before: former.outline, now: outline, steps, isPast })
  return isPast && steps === undefined && takesEffect(part) ? tooLate(whole, part) : undefined
}

function tooLate({ label }: Whole, part: OutlinedPart): string {
  return `it is past the place of the step '${part.label}' in '${label}', which takes effect and was not there before.`
}

function partOf({ parts }: PlanOutline, label: string): OutlinedPart | undefined {
  return parts.find((part) => part.label === label)
}

function isUndoing({ undoes }: OutlinedPart): boolean {
  return undoes
}

function takesEffect({ outline, undoes }: OutlinedPart): boolean {
  return !undoes && (typeof outline === 'string' || outline.effect !== 'read')
}

/** Then it had nothing to record: it stands no earlier than it did. */
function stoodBefore(before: PlanOutline, part: OutlinedPart, later: OutlinedPart): boolean {
  const [place, laterPlace] = [part, later].map(({ label }) => before.parts.findIndex((each) => each.label === label))
  return place !== undefined && laterPlace !== undefined && place >= 0 && place < laterPlace
}

function firstOf<T>(items: readonly T[], problem: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = problem(item, index)
    if (found !== undefined) return found
  }
  return undefined
}
