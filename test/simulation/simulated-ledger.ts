import { type LeafOrder, orderFailure, type PlaceOrder, treatOrder } from '../programs/leaf-order.ts'
import { newProcess, type Scheduler, type SimulatedProcess } from './scheduler.ts'

/** Something that happened in the world outside. */
export interface Effect {
  readonly run: string
  readonly leaf: string
  readonly kind: 'do' | 'undo'
  readonly path: string
  readonly key: string
  readonly isKeyed: boolean
  readonly at: number
  /** How often it was ordered; under a key it happens once. */
  times: number
  /** It came after its own undoing, and changed nothing. */
  readonly isLate: boolean
}

/** The world outside: it acts on an order that arrives, though the caller be dead, and once for each key. */
export class SimulatedLedger {
  readonly effects: Effect[] = []
  readonly problems = new Set<string>()
  readonly #scheduler: Scheduler
  readonly #process: SimulatedProcess = newProcess('ledger')
  readonly #note: string
  readonly #onEffect: () => void
  readonly #orders = new Map<string, number>()
  readonly #byKey = new Map<string, Effect>()
  readonly #undone = new Set<string>()

  /** The note stands in every message of a refusal. */
  constructor(scheduler: Scheduler, { note, onEffect }: { readonly note: string; readonly onEffect: () => void }) {
    this.#scheduler = scheduler
    this.#note = note
    this.#onEffect = onEffect
  }

  readonly order: PlaceOrder = (order, { signal }) => {
    const scheduler = this.#scheduler
    const caller = scheduler.current
    const { ms, key, mode } = order
    return new Promise((resolve, reject) => {
      let isCalledOff = false
      // A service may listen to who gives up, or not.
      if (scheduler.random.chance(0.5)) signal.addEventListener('abort', () => (isCalledOff = true))
      const there = ms * scheduler.random.between(0.2, 0.8)
      scheduler.after(there, this.#process, () => {
        if (isCalledOff) return
        const times = (this.#orders.get(key) ?? 0) + 1
        this.#orders.set(key, times)
        const { takesEffect, says } = treatOrder(mode, times)
        if (takesEffect && order.kind !== 'look') this.#record(order, order.kind)
        const failure = says === 'done' ? undefined : orderFailure(order, says, this.#note)
        scheduler.after(ms - there, caller, () => (failure === undefined ? resolve() : reject(failure)))
      })
    })
  }

  #record({ run, leaf, path, key, isKeyed }: LeafOrder, kind: Effect['kind']): void {
    const { now } = this.#scheduler
    const known = this.#byKey.get(key)
    this.#scheduler.note(kind, `${run} ${path}${known === undefined ? '' : ' again'}`)
    if (known !== undefined) {
      known.times++
      // What stands inside of 'idempotent' shares a key on purpose.
      const isShared = path.includes('/once')
      if (!isShared && withoutAttempts(known.path) !== withoutAttempts(path))
        this.problems.add(`one key for two steps: ${known.path} and ${path}`)
      return
    }
    const place = `${run} ${placeOf(path, kind)}`
    const isLate = kind === 'do' && this.#undone.has(place)
    if (kind === 'undo') this.#undone.add(place)
    const effect: Effect = { run, leaf, kind, path, key, isKeyed, at: now, times: 1, isLate }
    this.#byKey.set(key, effect)
    this.effects.push(effect)
    this.#onEffect()
  }
}

/** The path of a step without the number of its attempt. */
export function withoutAttempts(path: string): string {
  return path.replace(/@\d+/g, '')
}

/** The step that an effect, or its undoing, belongs to. */
export function placeOf(path: string, kind: Effect['kind']): string {
  const own = withoutAttempts(path)
  return kind === 'undo' ? own.replace(/\/undo\.([^/]*)(?:\/gated)?$/, '/$1') : own
}
