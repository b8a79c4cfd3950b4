import type { EffectRecord } from './effect-order.ts'
import { isFinal, type Verdict } from './run-end.ts'
import { changedLabels, effectsOf, type UpgradeCase } from './upgrade-case.ts'

/** A run that was blocked, because the version of its workers would not go on with it. */
export interface Refusal {
  readonly code: string
  readonly message: string
  /** The labels of the steps that it had begun by then. */
  readonly recorded: readonly string[]
  /** A worker with the version that began it was there. */
  readonly couldGoOn: boolean
}

/** A run over an upgrade, when all is over: whoever was refused has been taken up again by the version that began it. */
export interface UpgradedRun {
  readonly id: string
  readonly upgrade: UpgradeCase
  readonly status: string
  readonly refusal?: Refusal | undefined
  readonly records: readonly EffectRecord[]
  /** What the run says that it did, where it says so. */
  readonly says?: string | undefined
}

const REFUSALS: ReadonlySet<string> = new Set(['plan_changed', 'replay_diverged'])
const CURE = /version that began|earlier version|former version|patched|resume/i

/** Whether the run did all that one of the versions does, once, and was refused where it had to be, with the words that help. */
export function upgradeVerdict(run: UpgradedRun): Verdict {
  const { status, records, upgrade, says } = run
  const did = records.filter(({ kind }) => kind === 'do').map(({ effect }) => effect)
  const undone = records.filter(({ kind }) => kind === 'undo').map(({ effect }) => effect)
  const twice = did.filter((effect, index) => did.indexOf(effect) !== index).map((effect) => `'${effect}' was done twice`)
  const lost: string[] = []
  if (status !== 'completed') lost.push(isFinal(run) ? `it is ${status}` : `it is ${status}, and has not ended`)
  else if (twice.length === 0 && !isOneOf(upgrade, did)) lost.push('it did what neither version does')
  else if (twice.length === 0 && says !== undefined && sorted(says.split(' ')) !== sorted(did))
    lost.push(`it says that it did ${says || 'nothing'}`)
  if (undone.length > 0) lost.push(`undone, though nothing failed: ${undone.join(' ')}`)
  return { lost, twice, notUndone: [], refusedWrongly: run.refusal === undefined ? [] : wrongly(run, run.refusal) }
}

function isOneOf({ steps }: UpgradeCase, did: readonly string[]): boolean {
  return Object.values(steps).some((version) => effectsOf(version).join(' ') === did.join(' '))
}

function sorted(words: readonly string[]): string {
  return words.toSorted().join(' ')
}

function wrongly({ id, upgrade }: UpgradedRun, { code, message, recorded, couldGoOn }: Refusal): readonly string[] {
  const changed = changedLabels(upgrade)
  const problems: string[] = []
  if (!REFUSALS.has(code)) problems.push('this is not about the version')
  if (couldGoOn) problems.push('a worker that could go on with it was there')
  if (!recorded.some((label) => changed.includes(label))) problems.push('it was not past the change')
  if (!message.includes(id)) problems.push('the message does not name the run')
  if (!changed.some((label) => message.includes(label))) problems.push(`the message names no step of ${changed.join(', ')}`)
  if (!CURE.test(message)) problems.push('the message names no cure')
  return problems.map((problem) => `refused with ${code}: ${problem}: ${message}`)
}
