import type { Clock } from 'toolwright'
import { begunBy, isGated, questionOf, type Shown, type TimeOut } from './program.ts'

/** A person decides: to go on as shown, with the input changed, not at all, or not even with the rest of the run. */
export type Decision = 'approve' | 'edit' | 'reject' | 'stop'

/** What a person makes of an input that they edit. */
export function edited(input: string): string {
  return `${input}!`
}

/** One request that was shown to a person, by its id. */
interface Asking extends Shown {
  /** The inputs with which people have let it go on. */
  readonly allowed: Set<string>
  /** Its gate waits for no longer: it may have asked before it was shown. */
  readonly until: number
  isUsed: boolean
  isDenied: boolean
  /** When it was decided last while it waited. */
  decidedAt: number
  /** What an approval in the conversation stands for, where a person has said more beside it. */
  prepared: Decision
}

/** How the world is made that the ledger is about. */
export interface LedgerOptions {
  readonly clock: Pick<Clock, 'now'>
  /** That of every gate. */
  readonly timeOut: TimeOut | undefined
  /** Runs are told apart by what a person reads: the first effect of each adds a number to its input. */
  readonly textsDiffer: boolean
}

/**
 * The world outside: what happened, and what people have said about it. It knows the frameworks by nothing but what they show and what they do.
 *
 * The model of asking: an effect behind a gate uses up one asking that showed exactly this effect and this input, that a person let go on, and that
 * nobody denied before, while its gate waited. Where a gate goes on without an answer, one that has asked for so long, and that nobody denied, does as
 * well. A call that the model makes begins once.
 */
export class Ledger {
  readonly problems: string[] = []
  readonly #options: LedgerOptions
  readonly #askings = new Map<string, Asking>()
  /** What gates have asked, also what nobody was shown. */
  readonly #asked: (Shown & { readonly until: number })[] = []
  /** The calls that the model made, and those that began, by tool and input. */
  readonly #made = new Map<string, number>()
  readonly #begun = new Map<string, number>()
  /** The calls that the model made because it was told to call again, by the life in which it was told. */
  readonly #again: { readonly call: string; readonly life: number }[] = []
  readonly #effects = new Map<string, number>()
  #life = 0
  #numbers = 0
  #decisions = 0

  constructor(options: LedgerOptions) {
    this.#options = options
  }

  /** How long a gate waits. */
  get #patience(): number {
    return this.#options.timeOut?.ms ?? Infinity
  }

  get #now(): number {
    return this.#options.clock.now()
  }

  /** How many effects calls with this input had. */
  effectsOf(input: string): number {
    return this.#effects.get(input) ?? 0
  }

  /** The model makes a call, or is allowed to begin one again. */
  made(tool: string, input: string): void {
    add(this.#made, `${tool} ${input}`)
  }

  /** The model makes a call again, as it was told in that life. It goes on with the run that it was told of; a life that has forgotten that run may begin one. */
  madeAgain(tool: string, input: string, told: number = this.#life): void {
    this.#again.push({ call: `${tool} ${input}`, life: told })
  }

  get life(): number {
    return this.#life
  }

  /** From now on the model is heard in this life of a process. Of calls in memory, another life knows nothing. */
  enter(life: number): void {
    this.#life = life
  }

  /** A gate asks about an effect; gives the question. */
  asks(effect: string, input: string): string {
    this.#asked.push({ effect, input, until: this.#now + this.#patience })
    return questionOf({ effect, input })
  }

  /** A person is shown a request. */
  shown(id: string, { effect, input }: Shown): void {
    if (!this.#askings.has(id))
      this.#askings.set(id, {
        effect,
        input,
        allowed: new Set(),
        until: this.#now + this.#patience,
        isUsed: false,
        isDenied: false,
        decidedAt: 0,
        prepared: 'approve',
      })
  }

  /** A decision of a person about a request is sent, which waits where it is heard or does not. */
  decided(id: string, sent: Decision, isOpen = true): void {
    const asking = this.#askings.get(id)
    if (asking === undefined) throw new Error(`${id} is decided, and nobody was shown it.`)
    const decision = sent === 'approve' ? asking.prepared : sent
    if (asking.until <= this.#now) return
    if (isOpen) asking.decidedAt = ++this.#decisions
    if (decision === 'approve') asking.allowed.add(asking.input)
    else if (decision === 'edit') asking.allowed.add(edited(asking.input))
    else if (!asking.isUsed) asking.isDenied = true
  }

  /** A person says beside the conversation what an approval in it stands for. */
  prepared(id: string, decision: Decision): void {
    const asking = this.#askings.get(id)
    if (asking !== undefined) asking.prepared = decision
  }

  /** Takes back that a denial binds: an approval is under way at the same time. */
  undecided(id: string): void {
    const asking = this.#askings.get(id)
    if (asking !== undefined) asking.isDenied = false
  }

  isDenied(id: string): boolean {
    return this.#askings.get(id)?.isDenied === true
  }

  /** Whether the effect of a request has happened. */
  isUsed(id: string): boolean {
    return this.#askings.get(id)?.isUsed === true
  }

  /** An effect happens in this life; gives its output. */
  happens(effect: string, input: string, life: number): string {
    add(this.#effects, givenOf(input))
    this.#judgeAsking(effect, input)
    const tool = begunBy(effect)
    if (tool !== undefined) this.#judgeBeginning(`${tool} ${givenOf(input)}`, life)
    return this.#options.textsDiffer && !input.includes('.') ? `${input}.${++this.#numbers}` : input
  }

  #judgeAsking(effect: string, input: string): void {
    if (!isGated(effect)) return
    const same = [...this.#askings.values()].filter((each) => each.effect === effect && !each.isUsed)
    const approved = same.filter((each) => each.allowed.has(input))
    // Where several askings show the same, the latest decision is the one that is under way.
    const [used] = approved.filter((each) => !each.isDenied).toSorted((one, other) => other.decidedAt - one.decidedAt)
    if (used !== undefined) used.isUsed = true
    else if (this.#goesOnAlone(effect, input)) return
    else if (approved.length > 0) this.problems.push(`${effect} of '${input}' happens, and it was denied`)
    else this.problems.push(`${effect} of '${input}' happens, and no approval of it is left`)
  }

  /** Whether the gate of an effect goes on without an answer. */
  #goesOnAlone(effect: string, input: string): boolean {
    if (this.#options.timeOut?.onTimeout !== 'continue') return false
    const isOver = (each: Shown & { readonly until: number }): boolean =>
      each.effect === effect && each.input === input && each.until <= this.#now
    const shown = [...this.#askings.values()].filter(isOver)
    const asked = this.#asked.filter(isOver)
    const isSpent = ({ isUsed, isDenied }: Asking): boolean => isUsed || isDenied
    if (asked.length <= shown.filter(isSpent).length) return false
    const left = shown.find((each) => !isSpent(each))
    if (left === undefined) this.#asked.splice(this.#asked.findIndex(isOver), 1)
    else left.isUsed = true
    return true
  }

  #judgeBeginning(call: string, life: number): void {
    add(this.#begun, `${life}: ${call}`)
    const begun = this.#begun.get(`${life}: ${call}`) ?? 0
    const again = this.#again.filter((each) => each.call === call && each.life !== life).length
    const made = (this.#made.get(call) ?? 0) + again
    if (begun > made) this.problems.push(`'${call}' begins ${begun} times, and was called ${made} times`)
  }
}

/** The input that the model gave, of one that effects and people have changed. */
function givenOf(input: string): string {
  return input.replace(/[.!].*$/, '')
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
