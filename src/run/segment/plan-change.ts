import type { AgentTool } from '../../tool/agent-tool.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import type { PlanOrder } from '../../tool/plan-node.ts'
import { type OutlinedPart, type PlanOutline, planPrint, readPrint } from './plan-print.ts'

export interface PlanChange {
  readonly run: string
  /** The print of the plan by which the run came as far as it has. */
  readonly before: string
  readonly tool: AgentTool
  /** Everything that the run has recorded. */
  readonly paths: readonly string[]
}

/**
 * Whether a run can go on under the plan of this tool: every step that it recorded must still be there, no step that takes effect may have
 * come before one that was recorded, what asked for an approval must still ask, and what came from another server must still come from there. It goes by what plans declare (their order, their labels,
 * the record that closes them), never by the name of a combinator. What it cannot tell of code that calls its parts freely, the replay finds out before anything new begins.
 */
export function checkPlan({ run, before, tool, paths }: PlanChange): void {
  const [former, now] = [readPrint(before), readPrint(planPrint(tool))]
  const problem =
    former === undefined || now === undefined
      ? unreadable(paths)
      : (changed(former, now, { tool, paths }) ?? unasked(former, now) ?? fromElsewhere(former, now))
  if (problem === undefined) return
  throw new ConfigurationError(
    'plan_changed',
    `The run '${run}' cannot go on under this version of '${tool.name}': ${problem} Let it end under the version that began it, or cancel it and begin anew.`,
  )
}

function unreadable(paths: readonly string[]): string | undefined {
  if (paths.length === 0) return undefined
  return 'the plan by which it came as far as it has is kept in a form that this version of Toolwright cannot read.'
}

function changed(
  before: PlanOutline | string,
  now: PlanOutline | string,
  { tool, paths }: Pick<PlanChange, 'tool' | 'paths'>,
): string | undefined {
  return paths.length === 0 ? undefined : problemIn({ label: tool.name, before, now, steps: recordedSteps(paths), isPast: false })
}

/**
 * A person was to be asked before a tool, and would not be now. This holds for a run of which nothing is recorded, too. A tool that also stood
 * in other places without a gate may stand in as many of them now.
 */
function unasked(before: PlanOutline | string, now: PlanOutline | string): string | undefined {
  const asked = new Set(asking(before))
  if (asked.size === 0) return undefined
  const [former, present] = [unguarded(before), unguarded(now)]
  const places = (names: readonly string[], name: string): number => names.filter((each) => each === name).length
  const name = present.find((each) => asked.has(each) && places(present, each) > places(former, each))
  return name === undefined ? undefined : `'${name}' asked for an approval when it began, and does not ask now.`
}

/** A tool of the same name comes from elsewhere: it is another one, which may make something else of the same input. Nothing need be recorded. */
function fromElsewhere(before: PlanOutline | string, now: PlanOutline | string): string | undefined {
  const former = new Map(leavesOf(before))
  const other = leavesOf(now).find(([name, source]) => former.has(name) && former.get(name) !== source)
  if (other === undefined) return undefined
  const [name, source] = other
  const place = (from: string | undefined): string => (from === undefined ? 'of its own program' : `of '${from}'`)
  return `'${name}' was a tool ${place(former.get(name))} when it began, and is one ${place(source)} here.`
}

function leavesOf(outline: PlanOutline | string): readonly (readonly [name: string, source: string | undefined])[] {
  if (typeof outline === 'string') return []
  const { name, order, source, parts } = outline
  return order === 'leaf' ? [[name, source]] : parts.flatMap((part) => leavesOf(part.outline))
}

/** The names of the tools before which a person is asked. */
function asking(outline: PlanOutline | string): readonly string[] {
  if (typeof outline === 'string') return []
  return [...(outline.asks ? [outline.name] : []), ...outline.parts.flatMap((part) => asking(part.outline))]
}

/** The names of the tools that run though nobody is asked before them, nor before a whole that they are in. */
function unguarded(outline: PlanOutline | string): readonly string[] {
  if (typeof outline === 'string' || outline.asks) return []
  const { name, parts } = outline
  // A layer has the name of the tool inside, which may ask: that one decides.
  const isLayer = parts.some(({ outline: inner }) => typeof inner === 'string' || inner.name === name)
  return [...(isLayer ? [] : [name]), ...parts.flatMap((part) => unguarded(part.outline))]
}

interface Progress {
  /** What is recorded of a step; undefined where nothing is. */
  readonly steps: RecordedSteps | undefined
  /** Something that comes after it is recorded: a new step in it would come too late. */
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
  const whole: Whole = { ...more, before, now, isPast: isPast || isClosed(now, steps) }
  return otherMeaning(whole) ?? otherName(whole) ?? COMPARISONS[now.order](whole)
}

/** The record that closes it is there: nothing new begins in it. One whose labels are numbered is closed each time by itself. */
function isClosed({ labels, closedBy }: PlanOutline, steps: RecordedSteps | undefined): boolean {
  return labels !== 'numbered' && closedBy !== undefined && steps?.below.has(closedBy) === true
}

function otherMeaning({ label, before, now, steps }: Whole): string | undefined {
  const isOther =
    before.order !== now.order ||
    before.labels !== now.labels ||
    before.compensates !== now.compensates ||
    ((now.order === 'one' || now.order === 'repeat') && before.parts[0]?.label !== now.parts[0]?.label)
  if (isOther && (steps !== undefined || now.effect !== 'read'))
    return `'${label}' was made as '${madeAs(before)}', and is made as '${madeAs(now)}' now.`
  const wasClosed = [...(steps?.below.keys() ?? [])].some((each) => withoutNumber(each) === before.closedBy)
  return wasClosed && before.closedBy !== now.closedBy
    ? `'${label}' was closed by the record '${before.closedBy}', which it does not know now.`
    : undefined
}

function madeAs({ kind, order }: PlanOutline): string {
  return kind === order ? kind : `${kind} (${order})`
}

/** The calls and reviews of a leaf, and of a layer around one, are recorded under the name of the one tool. */
function otherName({ label, before, now, steps }: Whole): string | undefined {
  if ((now.order !== 'leaf' && now.order !== 'one') || steps?.isRecorded !== true || before.name === now.name) return undefined
  return `it called '${before.name}' as '${label}', which is '${now.name}' now.`
}

const COMPARISONS: Readonly<Record<PlanOrder, (whole: Whole) => string | undefined>> = {
  leaf: () => undefined,
  one: recordedOnly,
  sequence: inOrder,
  together: (whole) => gone(whole) ?? firstOf(whole.now.parts, (part) => inPart(whole, part, whole.isPast)),
  race: recordedOnly,
  choice: recordedOnly,
  alternatives: inOrder,
  repeat: everyTime,
  free: calledFreely,
}

/** What stands under the label of a part is that part. All else there is the combinator's own. */
function gone({ label, before, now, steps }: Whole): string | undefined {
  const part = before.parts.find((each) => steps?.below.has(each.label) === true && partOf(now, each.label) === undefined)
  return part === undefined ? undefined : noMore(label, part)
}

function noMore(whole: string, { label }: OutlinedPart): string {
  return `it did the step '${label}' in '${whole}', which is no more.`
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

/** Parts that are not recorded do not run any more, or may be others: those that lost a race, routes that were not taken. */
function recordedOnly(whole: Whole): string | undefined {
  const { now, steps, isPast } = whole
  const recorded = now.parts.filter(({ label }) => steps?.below.has(label) === true)
  return gone(whole) ?? firstOf(recorded, (part) => inPart(whole, part, isPast))
}

/**
 * Nobody knows in which order code of its own calls its parts: where more than one thing is recorded in it, each may be past. A part that was
 * called must still be there. What is recorded under other labels than those of its parts, only the replay can judge.
 */
function calledFreely(whole: Whole): string | undefined {
  const { label: around, before, now, steps, isPast } = whole
  if (steps === undefined) return firstOf(now.parts, (part) => inPart(whole, part, isPast))
  return firstOf([...steps.below], ([label, own]) => {
    const former = partOf(before, label) ?? partOf(before, withoutNumber(label))
    if (former === undefined) return undefined
    const part = partOf(now, former.label)
    // Its own code may still call the tool under this label: only the list of its parts lacks it.
    if (part === undefined)
      return `${noMore(around, former)} Keep '${former.label}' among the \`parts\` of the compound while such runs are open.`
    return problemIn({ label, before: former.outline, now: part.outline, steps: own, isPast: isPast || steps.below.size > 1 })
  })
}

/** The one part runs several times, under labels that are numbered or stand for items. */
function everyTime({ label: whole, before, now, steps, isPast }: Whole): string | undefined {
  const [former, part] = [before.parts[0], now.parts[0]]
  if (former === undefined || part === undefined || steps === undefined) return undefined
  const times = [...steps.below].filter(([label]) => isTime(before, former, label))
  if (times.length > (now.most ?? Infinity))
    return `it ran '${part.label}' of '${whole}' ${times.length} times, and may do so at most ${now.most} times now.`
  return firstOf(times, ([label, own]) => {
    const closing = now.closedBy === undefined ? undefined : `${now.closedBy}${label.slice(former.label.length)}`
    const isOver = isPast || (now.labels === 'numbered' && closing !== undefined && steps.below.has(closing))
    return problemIn({ label, before: former.outline, now: part.outline, steps: own, isPast: isOver })
  })
}

function isTime({ labels }: PlanOutline, part: OutlinedPart, label: string): boolean {
  return labels === 'index' ? /^\d+$/.test(label) : withoutNumber(label) === part.label
}

function withoutNumber(label: string): string {
  return label.replace(/#\d+$/, '')
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

/** What a run recorded, as a tree of labels. A label stands without its attempts: a retry is the same step. */
interface RecordedSteps {
  /** What is recorded of the step itself: a call, or a decision or a review of its own. */
  readonly isRecorded: boolean
  readonly below: ReadonlyMap<string, RecordedSteps>
}

interface Growing {
  isRecorded: boolean
  readonly below: Map<string, Growing>
}

/** The tree below the root of a run. */
function recordedSteps(paths: readonly string[]): RecordedSteps {
  const root: Growing = { isRecorded: false, below: new Map() }
  for (const path of paths) {
    let step = root
    const [, ...labels] = (path.split(':', 1)[0] ?? '').split('/')
    for (const each of labels) {
      const label = each.replace(/@\d+$/, '')
      let next = step.below.get(label)
      if (next === undefined) step.below.set(label, (next = { isRecorded: false, below: new Map() }))
      step = next
    }
    step.isRecorded = true
  }
  return root
}
