import type { Meter } from './meter.ts'
import type { Instruction, Program } from './pattern-program.ts'

/** All the ways on which a match may be after some characters. */
interface State {
  /** The instructions that are next, before those that read nothing are followed. */
  readonly places: readonly number[]
  readonly isStart: boolean
  /** The last character belongs to a word. */
  readonly wasWord: boolean
  /** The states after the next character, by its class. */
  readonly next: State[]
}

/** The place between two characters. */
interface Between {
  readonly isStart: boolean
  readonly isEnd: boolean
  readonly isBoundary: boolean
}

const ASCII = 128
const STEPS_PER_TEST = 2
const CHARACTERS_PER_STEP = 16
/** The most numbers that one pattern keeps. */
const MOST_KEPT = 10_000
const KEPT_PER_STATE = 8
const MOST_CLASSES_KEPT = 1000

const MATCH: State = { places: [], isStart: false, wasWord: false, next: [] }

/**
 * Runs a pattern state by state. The states are made when a text first needs them, and kept: a text whose states are known takes one look
 * into a table for each character. For patterns without looks ahead and behind.
 */
export class PatternAutomaton {
  readonly #code: readonly Instruction[]
  readonly #states = new Map<string, State>()
  /** Characters that no instruction tells apart have the same class. */
  readonly #matchers: readonly Matcher[]
  readonly #classes = new Map<string, number>()
  readonly #asciiClasses: readonly number[]
  readonly #otherClasses = new Map<number, number>()
  readonly #first: State = { places: [0], isStart: true, wasWord: false, next: [] }
  #kept = 0

  constructor({ code }: Program) {
    this.#code = code
    this.#matchers = [...new Set([isWord, ...code.flatMap((each) => (each.op === 'char' ? [each.matches] : []))])]
    this.#asciiClasses = Array.from({ length: ASCII }, (_, codePoint) => this.#newClassOf(codePoint))
  }

  /** Whether a text has a match anywhere; undefined if that takes too many states. */
  test(text: string, meter: Meter): boolean | undefined {
    meter.spend(STEPS_PER_TEST + Math.floor(text.length / CHARACTERS_PER_STEP))
    let state = this.#first
    for (let place = 0; place < text.length; place++) {
      const codePoint = text.codePointAt(place) as number
      if (codePoint > 0xffff) place++
      const kind = codePoint < ASCII ? (this.#asciiClasses[codePoint] as number) : this.#classOf(codePoint)
      let next = state.next[kind]
      if (next === undefined) {
        if (this.#kept > MOST_KEPT) return undefined
        state.next[kind] = next = this.#after(state, codePoint, meter)
        this.#kept++
      }
      if (next === MATCH) return true
      state = next
    }
    const { isStart, wasWord } = state
    return this.#follow(state, { isStart, isEnd: true, isBoundary: wasWord }, meter) === undefined
  }

  #after(state: State, codePoint: number, meter: Meter): State {
    const wasWord = isWord(codePoint)
    const ways = this.#follow(state, { isStart: state.isStart, isEnd: false, isBoundary: wasWord !== state.wasWord }, meter)
    if (ways === undefined) return MATCH
    const places = [0, ...ways.filter((way) => way.matches(codePoint)).map((way) => way.next)].toSorted((a, b) => a - b)
    const key = `${wasWord ? 'w' : ''}${places.join()}`
    let known = this.#states.get(key)
    if (known === undefined) {
      known = { places, isStart: false, wasWord, next: [] }
      this.#states.set(key, known)
      this.#kept += KEPT_PER_STATE + places.length
    }
    return known
  }

  /** Runs all instructions that read nothing. Gives those that read the next character; undefined if a match is complete. */
  #follow({ places }: State, { isStart, isEnd, isBoundary }: Between, meter: Meter): readonly Way[] | undefined {
    const ways: Way[] = []
    const reached = new Set(places)
    const holds = { start: isStart, end: isEnd, boundary: isBoundary, 'no-boundary': !isBoundary }
    for (const at of reached) {
      meter.spend(2)
      const instruction = this.#code[at]
      if (instruction === undefined || instruction.op === 'done') return undefined
      if (instruction.op === 'char') ways.push({ matches: instruction.matches, next: at + 1 })
      else if (instruction.op === 'fork') for (const to of instruction.to) reached.add(to)
      else if (instruction.op === 'assert' && holds[instruction.where]) reached.add(at + 1)
    }
    return ways
  }

  #classOf(codePoint: number): number {
    let kind = this.#otherClasses.get(codePoint)
    if (kind === undefined) {
      kind = this.#newClassOf(codePoint)
      if (this.#otherClasses.size >= MOST_CLASSES_KEPT) this.#otherClasses.clear()
      this.#otherClasses.set(codePoint, kind)
    }
    return kind
  }

  #newClassOf(codePoint: number): number {
    const takers = this.#matchers.flatMap((matches, index) => (matches(codePoint) ? [index] : [])).join()
    let kind = this.#classes.get(takers)
    if (kind === undefined) this.#classes.set(takers, (kind = this.#classes.size))
    return kind
  }
}

type Matcher = (codePoint: number) => boolean

/** An instruction that reads the next character, and the one behind it. */
interface Way {
  readonly matches: Matcher
  readonly next: number
}

function isWord(codePoint: number): boolean {
  return codePoint < ASCII && /\w/.test(String.fromCodePoint(codePoint))
}

/** Whether a program looks neither ahead nor behind. */
export function isAutomaton({ code }: Program): boolean {
  return code.every(({ op }) => op !== 'look')
}
