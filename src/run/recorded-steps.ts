/** What a run recorded, as a tree of labels. A label stands without its attempts: a retry is the same step. */
export interface RecordedSteps {
  /** What is recorded of the step itself: a call, or a decision or a review of its own. */
  readonly isRecorded: boolean
  readonly below: ReadonlyMap<string, RecordedSteps>
}

interface Growing {
  isRecorded: boolean
  readonly below: Map<string, Growing>
}

/** The tree below the root of a run. */
export function recordedSteps(paths: readonly string[]): RecordedSteps {
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
