import { begunBy, isGated, type Shown } from './program.ts'

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
  isUsed: boolean
  isDenied: boolean
  /** When it was decided last while it waited. */
  decidedAt: number
  /** What an approval in the conversation stands for, where a person has said more beside it. */
  prepared: Decision
}

/** How the world is made that the ledger is about. */
export interface LedgerOptions {
  /** Runs are told apart by what a person reads: the first effect of each adds a number to its input. */
  readonly textsDiffer: boolean
}

/**
 * The world outside: what happened, and what people have said about it. It knows the frameworks by nothing but what they show and what they do.
 *
 * The model of asking: an effect behind a gate uses up one asking that showed exactly this effect and this input, that a person let go on, and that
 * nobody denied before. A call that the model makes begins once.
 */
export class Ledger {
  readonly problems: string[] = []
  readonly #textsDiffer: boolean
  readonly #askings = new Map<string, Asking>()
  /** The calls that the model made, and those that began, by tool and input. */
  readonly #made = new Map<string, number>()
  readonly #begun = new Map<string, number>()
  /** The calls that the model made because it was told to call again, by the life in which it was told. */
  readonly #again: { readonly call: string; readonly life: number }[] = []
  readonly #effects = new Map<string, number>()
  #life = 0
  #numbers = 0
  #decisions = 0

  constructor({ textsDiffer }: LedgerOptions) {
    this.#textsDiffer = textsDiffer
  }

  /** How many effects calls with this input had. */
  effectsOf(input: string): number {
    return this.#effects.get(input) ?? 0
  }

  /** The model makes a call, or is allowed to begin one again. */
  made(tool: string, input: string): void {
    add(this.#made, `${tool} ${input}`)
  }

  /** The model makes a call again, as it was told. It goes on with the run that it was told of; a life that has forgotten that run may begin one. */
  madeAgain(tool: string, input: string): void {
    this.#again.push({ call: `${tool} ${input}`, life: this.#life })
  }

  /** From now on things happen in this life of a process. Of calls in memory, another life knows nothing. */
  enter(life: number): void {
    this.#life = life
  }

  /** A person is shown a request. */
  shown(id: string, { effect, input }: Shown): void {
    if (!this.#askings.has(id))
      this.#askings.set(id, { effect, input, allowed: new Set(), isUsed: false, isDenied: false, decidedAt: 0, prepared: 'approve' })
  }

  /** A decision of a person about a request is sent, which waits where it is heard or does not. */
  decided(id: string, sent: Decision, isOpen = true): void {
    const asking = this.#askings.get(id)
    if (asking === undefined) throw new Error(`${id} is decided, and nobody was shown it.`)
    const decision = sent === 'approve' ? asking.prepared : sent
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

  /** An effect happens; gives its output. */
  happens(effect: string, input: string): string {
    add(this.#effects, givenOf(input))
    this.#judgeAsking(effect, input)
    const tool = begunBy(effect)
    if (tool !== undefined) this.#judgeBeginning(tool, input)
    return this.#textsDiffer && !input.includes('.') ? `${input}.${++this.#numbers}` : input
  }

  #judgeAsking(effect: string, input: string): void {
    if (!isGated(effect)) return
    const same = [...this.#askings.values()].filter((each) => each.effect === effect && !each.isUsed)
    const approved = same.filter((each) => each.allowed.has(input))
    // Where several askings show the same, the latest decision is the one that is under way.
    const [used] = approved.filter((each) => !each.isDenied).toSorted((one, other) => other.decidedAt - one.decidedAt)
    if (used !== undefined) used.isUsed = true
    else if (approved.length > 0) this.problems.push(`${effect} of '${input}' happens, and it was denied`)
    else this.problems.push(`${effect} of '${input}' happens, and no approval of it is left`)
  }

  #judgeBeginning(tool: string, given: string): void {
    const call = `${tool} ${givenOf(given)}`
    add(this.#begun, `${this.#life}: ${call}`)
    const begun = this.#begun.get(`${this.#life}: ${call}`) ?? 0
    const again = this.#again.filter((each) => each.call === call && each.life !== this.#life).length
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
