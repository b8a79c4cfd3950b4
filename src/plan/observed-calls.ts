import type { PlanPart } from '../tool/plan-node.ts'
import { coreOf, type Place, type PlacedPart, type Survey } from './survey.ts'

/** An entry of a journal, as far as `check` reads it. */
export interface RecordedEntry {
  readonly kind: string
  readonly path: string
  /** Of a call: the name of the tool. */
  readonly tool?: string | null | undefined
}

/** The journal of one run, in the order in which its entries began: `memoryJournal().entries`, or the `journal` of an exported run. */
export type RecordedRun = Iterable<RecordedEntry>

/** The parts that one call of a compound called, each time that it did, in the order in which they began. */
export type ObservedCalls = readonly PlacedPart[]

/** For each compound whose own code decides the order, the calls of it that are recorded. */
export function observedCalls({ root }: Survey, recorded: Iterable<RecordedRun>): ReadonlyMap<Place, readonly ObservedCalls[]> {
  const observed = new Map<Place, ObservedCalls[]>()
  for (const run of recorded)
    for (const { place, parts } of callsIn(root, run)) {
      const calls = observed.get(place) ?? []
      calls.push([...parts.values()])
      observed.set(place, calls)
    }
  return observed
}

/** A call of a compound, by its path in the run. */
interface Called {
  readonly place: Place
  readonly parts: Map<string, PlacedPart>
}

function callsIn(root: Place, run: RecordedRun): Iterable<Called> {
  const called = new Map<string, Called>()
  for (const { kind, path, tool } of run) {
    if (kind !== 'call') continue
    const labels = path.split('/')
    if (labels[0] !== root.path) continue
    let place: Place | undefined = root
    for (let depth = 1; depth < labels.length && place !== undefined; depth++) {
      const label = labels[depth] as string
      const each = partAt(place, label, depth === labels.length - 1 ? tool : undefined)
      if (each !== undefined && place.plan.order === 'free') {
        const whole = labels.slice(0, depth).join('/')
        const known = called.get(whole) ?? { place, parts: new Map<string, PlacedPart>() }
        called.set(whole, known)
        // A retry is the same step.
        const step = label.replace(/@\d+$/, '')
        if (!known.parts.has(step)) known.parts.set(step, each)
      }
      place = each?.place
    }
  }
  return called.values()
}

/** The part that is called under a label. Code of its own may call a part under any label: then the tool tells which part it is. */
function partAt({ plan, parts }: Place, given: string, tool: string | null | undefined): PlacedPart | undefined {
  const label = given.replace(/@\d+$/, '')
  if (plan.labels === 'index') return /^\d+$/.test(label) ? parts[0] : undefined
  const isCalled = ({ label: own }: PlanPart): boolean =>
    own === label || (plan.labels === 'numbered' && own === label.replace(/#\d+$/, ''))
  const named = parts.find(({ part }) => isCalled(part))
  if (named !== undefined || plan.order !== 'free' || tool === undefined) return named
  return parts.find(({ place }) => place !== undefined && coreOf(place).tool.name === tool)
}
