import { systemClock } from '../../tool/ports/clock.ts'
import { decidersText } from '../../tool/deciders-text.ts'
import { givenText } from '../../review/given-text.ts'
import type { InboxItem } from '../../review/inbox.ts'
import { TIMELINE_NAMES, type TimelineOptions, drawRows } from '../../telemetry/draw-timeline.ts'
import { oneLine } from '../../telemetry/one-line.ts'
import type { TimelineRow } from '../../telemetry/timeline-row.ts'
import { durationText } from '../../tool/duration-text.ts'
import { undoingOf } from '../../tool/journal/undoing.ts'
import type { ReviewDecision } from '../../tool/review.ts'
import type { SagaState } from '../../tool/result/result.ts'
import { isFinal, type RunStatus } from '../state/run-state.ts'
import { groupEnds } from './group-ends.ts'
import type { RunRecord, RunSleep, RunStep } from './run-record.ts'
import { stepPath } from './run-steps.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/**
 * Draws a run as bars over time: the run itself, its steps with their attempts, its sleeps, and who decided what. A light bar is time in
 * which nothing was under way. `now` is where a run that has not ended is cut off.
 */
export function drawRun(record: RunRecord, given: DrawRunOptions = {}): string {
  checkOptionNames(given, NAMES, 'The options of drawRun')
  const { now = systemClock.now(), ...options } = given
  return drawRows(runRows(record, now), options)
}

/** The options of `drawRun`. */
export interface DrawRunOptions extends TimelineOptions {
  /** Milliseconds since the epoch. */
  readonly now?: number | undefined
}

const NAMES = optionNames<DrawRunOptions>({ ...TIMELINE_NAMES, now: true })

type Row = Omit<TimelineRow, 'label' | 'duration' | 'notes'> & { readonly notes: readonly string[] }
type Wait = TimelineRow['waits'][number]

/** A place in the tree of labels, with what was recorded there. */
interface Place {
  readonly label: string
  readonly below: Map<string, Place>
  step?: RunStep
  sleep?: RunSleep
  readonly approvals: InboxItem[]
  undoing?: SagaState
  /** It ran a group, and enough of it succeeded. */
  isMet?: boolean
}

/** No terminal shows more indentation than this. */
const DEEPEST = 120

/** The rows of a run's timeline: the run, then what it is made of, by their paths. */
function runRows(record: RunRecord, now: number): readonly TimelineRow[] {
  const tree = treeOf(record)
  const rows: TimelineRow[] = [labelled(`${record.tool} ${record.id.slice(0, 8)}`, runRow(record, tree, now), now)]
  const draw = (place: Place, indent: string): void => {
    const children = [...place.below.values()]
    for (const [index, child] of children.entries()) {
      const isLast = index === children.length - 1
      rows.push(labelled(`${indent}${isLast ? '└─ ' : '├─ '}${nameOf(child)}`, rowOf(child, record, now), now))
      draw(child, indent.length < DEEPEST ? `${indent}${isLast ? '   ' : '│  '}` : indent)
    }
  }
  draw(tree, '')
  return rows
}

function treeOf({ steps, sleeps, approvals, decisions }: RunRecord): Place {
  const root: Place = { label: '', below: new Map(), approvals: [] }
  const at = (path: string): Place => {
    const [labels = ''] = stepPath(path).split(':')
    return labels
      .split('/')
      .slice(1)
      .reduce((place, label) => {
        const next = place.below.get(label) ?? { label, below: new Map<string, Place>(), approvals: [] }
        place.below.set(label, next)
        return next
      }, root)
  }
  // In the order in which they began, of whatever kind.
  const recorded: { readonly from: number; readonly put: () => void }[] = [
    ...steps.map((step) => ({ from: step.startedAt, put: () => (at(step.path).step = step) })),
    ...sleeps.map((sleep) => ({ from: sleep.from, put: () => (at(sleep.path).sleep = sleep) })),
    ...approvals.map((item) => ({ from: item.requestedAt, put: () => at(item.request.path).approvals.push(item) })),
  ].toSorted((a, b) => a.from - b.from)
  for (const { put } of recorded) put()
  // Nothing is drawn of a group without a step.
  for (const { path, isMet } of groupEnds(steps, decisions))
    if (steps.some((step) => step.path.startsWith(`${path}/`))) at(path).isMet = isMet
  for (const decision of decisions) {
    const undoing = undoingOf(decision)
    if (undoing !== undefined) at(undoing.path).undoing = undoing.state
  }
  return root
}

const OUTCOMES: Partial<Record<RunStatus, TimelineRow['outcome']>> = {
  completed: 'success',
  failed: 'failure',
  cancelled: 'failure',
  stopped: 'failure',
  blocked: 'error',
}

/** The time between two stretches of work is waiting: for a worker, for a person, for a time. */
function runRow({ status, why, createdAt, endedAt, history, lost, usage }: RunRecord, tree: Place, now: number): Row {
  const parked = history.flatMap((stage, index): readonly Wait[] =>
    stage.status === 'running' || isFinal(stage.status) ? [] : [{ from: stage.at, to: history[index + 1]?.at ?? now }],
  )
  const taken = history.filter((stage) => stage.status === 'running').length
  const { tokens = 0, costUsd = 0 } = usage
  return {
    startedAt: createdAt,
    endedAt,
    waits: [...parked, ...lostWaits(lost, now)],
    outcome: OUTCOMES[status],
    notes: [
      why === undefined ? status : `${status}: ${why.message}`,
      ...(lost.length > 0 ? [`${lost.length} ${lost.length === 1 ? 'worker was' : 'workers were'} lost`] : []),
      ...notesOfPlace(tree),
      ...(taken > 1 ? [`taken up ${taken} times`] : []),
      ...(tokens > 0 ? [`${tokens} tokens`] : []),
      ...(costUsd > 0 ? [`$${costUsd.toFixed(4)}`] : []),
    ],
  }
}

function rowOf(place: Place, record: RunRecord, now: number): Row {
  const { step, sleep, approvals, below } = place
  const isOver = record.endedAt !== undefined
  const parts = [...below.values()].map((child) => rowOf(child, record, now))
  const own: readonly Pick<Row, 'startedAt' | 'endedAt'>[] = [
    ...(step === undefined ? [] : [{ startedAt: step.startedAt, endedAt: step.endedAt }]),
    ...(sleep === undefined ? [] : [{ startedAt: sleep.from, endedAt: isOver || sleep.until <= now ? sleep.until : undefined }]),
    ...approvals.map(({ requestedAt, closedAt }) => ({ startedAt: requestedAt, endedAt: closedAt })),
    ...parts,
  ]
  const ends = own.map(({ endedAt }) => endedAt ?? (isOver ? record.endedAt : undefined))
  return {
    startedAt: Math.min(...own.map(({ startedAt }) => startedAt)),
    endedAt: ends.includes(undefined) ? undefined : Math.max(...ends.map((end) => end ?? 0)),
    waits: [
      ...approvals.map(({ requestedAt: from, closedAt }) => ({
        from,
        to: closedAt === undefined ? (record.endedAt ?? now) : goesOn(closedAt, parts),
      })),
      ...(sleep === undefined ? [] : [{ from: sleep.from, to: Math.min(sleep.until, record.endedAt ?? now) }]),
      ...pausesOf(step),
      ...lostWaits(record.lost, now),
    ],
    outcome: outcomeOf(place, parts, now),
    notes: [...standingOf(step), ...failureOf(step), ...notesOfPlace(place)],
  }
}

/** What follows a decision begins when some worker has taken the run up again. */
function goesOn(decidedAt: number, parts: readonly Row[]): number {
  const next = Math.min(...parts.map(({ startedAt }) => startedAt).filter((startedAt) => startedAt >= decidedAt))
  return next === Infinity ? decidedAt : next
}

/** The time of a worker that nobody has followed yet goes on. */
function lostWaits(lost: RunRecord['lost'], now: number): readonly Wait[] {
  return lost.map(({ from, to = now }) => ({ from, to: Math.max(from, to) }))
}

/** The time between two attempts. */
function pausesOf(step: RunStep | undefined): readonly Wait[] {
  const attempts = step?.attempts ?? []
  return attempts.flatMap(({ endedAt: from }, index) => {
    const to = attempts[index + 1]?.startedAt
    return from === undefined || to === undefined ? [] : [{ from, to }]
  })
}

const UNDOING_OUTCOMES: Partial<Record<SagaState, TimelineRow['outcome']>> = {
  completed: 'success',
  compensated: 'failure',
  aborted: 'failure',
  compensation_failed: 'error',
}

/** What holds others is as well off as the one that ended last, be it a call or a person, unless it says so itself. */
function outcomeOf({ step, sleep, undoing, isMet, approvals }: Place, parts: readonly Row[], now: number): TimelineRow['outcome'] {
  if (undoing !== undefined) return UNDOING_OUTCOMES[undoing]
  if (step?.standing === 'cancelled') return 'failure'
  if (step !== undefined) return step.error !== undefined ? 'failure' : 'output' in step ? 'success' : undefined
  if (sleep !== undefined) return sleep.until <= now ? 'success' : undefined
  if (isMet === true) return 'success'
  if (parts.some(({ endedAt }) => endedAt === undefined)) return undefined
  if (approvals.some(({ status }) => status === 'open')) return undefined
  const ends: readonly Pick<Row, 'endedAt' | 'outcome'>[] = [...parts, ...approvals.flatMap(saidBy)]
  return ends.toSorted((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0)).at(-1)?.outcome
}

/** An answer is the result of the place, and a refusal its failure. An approval only lets it go on. */
function saidBy({ decision, closedAt: endedAt }: InboxItem): readonly Pick<Row, 'endedAt' | 'outcome'>[] {
  if (decision === undefined || decision.action === 'continue' || decision.action === 'edit') return []
  return [{ endedAt, outcome: decision.action === 'answer' ? 'success' : 'failure' }]
}

function standingOf(step: RunStep | undefined): readonly string[] {
  if (step?.standing === undefined) return []
  return [step.standing]
}

function failureOf(step: RunStep | undefined): readonly string[] {
  return step?.error === undefined || step.standing === 'cancelled' ? [] : [`${step.error.code}: ${step.error.message}`]
}

function notesOfPlace({ step, sleep, approvals, undoing }: Place): readonly string[] {
  const tries = step?.attempts.length ?? 1
  return [
    ...(undoing === undefined ? [] : [undoing]),
    ...(tries > 1 ? [`${tries} attempts`] : []),
    ...approvals.map(approvalText),
    ...(sleep === undefined ? [] : [`until ${new Date(sleep.until).toISOString()}`]),
  ]
}

function approvalText({ status, decision, requestedAt, closedAt = requestedAt, assignee }: InboxItem): string {
  if (status === 'open') return `waits for ${assignee ?? 'a person'}`
  if (decision === undefined) return 'request withdrawn'
  const given = givenText(decision)
  const said = given === '' ? '' : `: ${given}`
  return `waited ${durationText(Math.max(0, closedAt - requestedAt))}: ${decision.action}${byWhom(decision)}${said}`
}

function byWhom(decision: ReviewDecision): string {
  const names = decidersText(decision)
  return names === '' ? '' : ` by ${names}`
}

/** The label, and the tool where the label does not name it. */
function nameOf({ label, step }: Place): string {
  return step === undefined || label.replace(/[#@].*$/, '') === step.tool ? label : `${label}: ${step.tool}`
}

function labelled(label: string, { notes, ...row }: Row, now: number): TimelineRow {
  const { startedAt, endedAt } = row
  return {
    ...row,
    label: oneLine(label),
    duration: `${durationText(Math.max(0, (endedAt ?? now) - startedAt))}${endedAt === undefined ? ' …' : ''}`,
    notes: oneLine(notes.join(', ')),
  }
}
