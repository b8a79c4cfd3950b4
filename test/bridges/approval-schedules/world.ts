import { AsyncLocalStorage } from 'node:async_hooks'
import { type AgentTool, gate, pipe, tool, type ToolEvent } from 'toolwright'
import { fakeClock } from 'toolwright/testing'

/** How long a call waits for a decision. */
export const EXPIRY_MS = 1000

export const TOOLS = ['own', 'one', 'two'] as const
export const INPUTS = ['x', 'y'] as const

/** A call as the model makes it. */
export interface PlannedCall {
  readonly tool: (typeof TOOLS)[number]
  readonly input: (typeof INPUTS)[number]
}

/** What a person was shown at one time, and what they can decide about it. */
export interface Asked {
  /** The ids of the requests. */
  readonly requests: ReadonlySet<string>
}

interface Beginning {
  readonly number: number
  readonly callId: string
}

export interface WorldOptions {
  /** Whether the model gives its calls ids that it has given before. */
  readonly idsRepeat: boolean
  /** Whether what a person reads differs from run to run. */
  readonly textsDiffer: boolean
}

/**
 * Tools whose effects are watched. An effect knows the call in which its run began, whoever makes the run go on, so that each can be held against
 * what people have decided about exactly this run.
 */
export class World {
  readonly clock = fakeClock()
  readonly idsRepeat: boolean
  readonly problems: string[] = []
  readonly tools: readonly AgentTool[]
  readonly #beginning = new AsyncLocalStorage<Beginning>()
  readonly #textsDiffer: boolean
  /** By the id of a request: the effect that it is about. */
  readonly #effects = new Map<string, string>()
  readonly #approved = new Set<string>()
  readonly #denied = new Set<string>()
  readonly #done = new Set<string>()
  readonly #made = new Map<string, number>()
  readonly #begun = new Map<string, Set<number>>()
  #calls = 0
  #runs = 0
  #process = 0

  constructor({ idsRepeat, textsDiffer }: WorldOptions) {
    this.idsRepeat = idsRepeat
    this.#textsDiffer = textsDiffer
    const leaf = (name: string) =>
      tool({ name, description: 'd', effect: 'write', execute: (input) => (this.#happens(name), this.#output(name, input)) })
    this.tools = [
      gate(leaf('own')),
      pipe.named({ name: 'one', description: 'd' })(leaf('before'), gate(leaf('first'))),
      pipe.named({ name: 'two', description: 'd' })(leaf('before'), gate(leaf('first')), gate(leaf('second'))),
    ]
  }

  /** The id of a call that the model makes now. */
  callId(place: number): string {
    return this.idsRepeat ? `call_${place}` : `call_${this.#calls++}`
  }

  /** The model has made a call. */
  made(callId: string): void {
    this.#made.set(callId, (this.#made.get(callId) ?? 0) + 1)
  }

  /** The process has forgotten all calls: each that is stored may begin once in the next one, and waits for an approval of its own. */
  restarted(): void {
    this.#begun.clear()
  }

  /** Whatever begins in here, begins for this call. */
  within<T>(callId: string, run: () => T): T {
    return this.#beginning.run({ number: this.#runs++, callId }, run)
  }

  readonly listener = (event: ToolEvent): void => {
    if (event.type === 'review.requested') this.#effects.set(event.request.id, this.#effect(event.request.tool))
  }

  /** What happens from now on, happens in this process. */
  enter(process: number): void {
    this.#process = process
  }

  /** People send these decisions to the process. */
  decided({ approved, denied }: { readonly approved: readonly Asked[]; readonly denied: readonly Asked[] }): void {
    for (const { requests } of approved) for (const id of requests) this.#approved.add(this.#effects.get(id) ?? '')
    // A denial that comes after the effect is too late, and so is one that only another process hears.
    for (const { requests } of denied) for (const id of requests) this.#denied.add(this.#here(this.#effects.get(id) ?? ''))
  }

  #here(effect: string): string {
    return `${effect} in process ${this.#process}`
  }

  #effect(name: string): string {
    return `${name} of run ${this.#beginning.getStore()?.number}`
  }

  #output(name: string, input: unknown): string {
    return this.#textsDiffer && name === 'before' ? `${input} ${this.#beginning.getStore()?.number}` : String(input)
  }

  #happens(name: string): void {
    const { number = -1, callId = '' } = this.#beginning.getStore() ?? {}
    const effect = this.#effect(name)
    if (this.#done.has(effect)) this.problems.push(`${effect} happens twice`)
    this.#done.add(effect)
    if (name !== 'before' && !this.#approved.has(effect)) this.problems.push(`${effect} happens, and nobody has approved it`)
    if (name !== 'before' && this.#denied.has(this.#here(effect))) this.problems.push(`${effect} happens, and it was denied`)
    const begun = (this.#begun.get(callId) ?? new Set()).add(number)
    this.#begun.set(callId, begun)
    if (begun.size > (this.#made.get(callId) ?? 0)) this.problems.push(`${callId} takes effect as ${begun.size} runs: ${effect}`)
  }
}
