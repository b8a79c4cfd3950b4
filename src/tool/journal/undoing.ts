import type { SagaState } from '../result/result.ts'
import { isRecord } from '../../schema/json-schema.ts'

/** How far a tool that undoes its parts has come. */
export interface Undoing {
  /** The path of the tool. */
  readonly path: string
  readonly state: SagaState
  /** The steps that were not undone, by their paths within the tool. Absent while it runs, if it completed, and while it is undone. */
  readonly notUndone?: readonly string[] | undefined
}

interface Recorded {
  readonly path: string
  readonly value?: unknown
}

/** The recorded state of such a tool; each transition replaces the one before. */
export function undoingValue<R>(record: R): { readonly undoing: R } {
  return { undoing: record }
}

/**
 * The state of undoing in an entry; undefined for all other entries. The record is a mark of the tool, after a colon: no label has a colon,
 * so no decision of a program is mistaken for it.
 */
export function undoingOf({ path, value }: Recorded): Undoing | undefined {
  const mark = path.indexOf(':', path.lastIndexOf('/') + 1)
  const record = mark < 0 || !isRecord(value) ? undefined : value['undoing']
  if (!isRecord(record)) return undefined
  const { state, notUndone } = record
  if (!isState(state)) return undefined
  const steps = Array.isArray(notUndone) && notUndone.every((step) => typeof step === 'string') ? notUndone : undefined
  return { path: path.slice(0, mark), state, ...(steps === undefined ? {} : { notUndone: steps }) }
}

const IS_OVER: Readonly<Record<SagaState, boolean>> = {
  running: false,
  completed: false,
  compensating: false,
  compensated: true,
  aborted: true,
  compensation_failed: true,
}

function isState(given: unknown): given is SagaState {
  return typeof given === 'string' && Object.hasOwn(IS_OVER, given)
}

/** The tool has undone its parts, or has reported those that it could not. */
export function isUndoingOver({ state }: Pick<Undoing, 'state'>): boolean {
  return IS_OVER[state]
}

/** The path of a person's request to retry the failed compensations of this round; `record` is the path of the tool's record. */
export function retryPath(record: string, round: number): string {
  return `${record}.retry#${round}`
}

const UNDO = 'undo.'

/** Stands in the path of every call that undoes a step, and of all that belongs to one. Its requests outlive the cancellation of a run. */
export const UNDO_MARK = `/${UNDO}`

/** The label of the part that undoes a step. */
export function undoLabel(step: string): string {
  return `${UNDO}${step}`
}

/** No step has such a label by itself. */
export function isUndoLabel(label: string): boolean {
  return label.startsWith(UNDO)
}

/** The path of the step that a call at this path undoes, in whichever attempt; undefined for a call that does not undo. */
export function undoneStep(path: string): string | undefined {
  const [, around, step] = /^(.*)\/undo\.([^/@]*)(?:@\d+)?$/.exec(path) ?? []
  return around === undefined || step === undefined ? undefined : `${around}/${step}`
}

/** Whether a call undoes a step, or belongs to one that does. */
export function isUndoPath(path: string): boolean {
  return path.includes(UNDO_MARK)
}
