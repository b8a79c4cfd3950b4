import type { Meter } from './meter.ts'
import type { Assertion, PatternNode } from './pattern-syntax.ts'

/** One instruction of a program. */
export type Instruction =
  | { readonly op: 'char'; readonly matches: (codePoint: number) => boolean }
  /** Goes on at all of these places. */
  | { readonly op: 'fork'; to: readonly number[] }
  | { readonly op: 'assert'; readonly where: Assertion }
  | { readonly op: 'look'; readonly program: Program; readonly negative: boolean }
  | { readonly op: 'done' }

/** The instructions of a pattern. One of a look behind reads backwards. */
export interface Program {
  readonly code: readonly Instruction[]
  readonly backwards: boolean
}

const MOST_INSTRUCTIONS = 20_000

/** Writes a pattern as a program. A pattern with huge repetitions is an error. */
export function toProgram(root: PatternNode, backwards = false): Program {
  const code: Instruction[] = []
  write(root, code, backwards)
  code.push({ op: 'done' })
  return { code, backwards }
}

function write(node: PatternNode, code: Instruction[], backwards: boolean): void {
  if (code.length > MOST_INSTRUCTIONS) throw new Error('a pattern repeats too much')
  switch (node.kind) {
    case 'char':
      code.push({ op: 'char', matches: node.matches })
      return
    case 'assertion':
      code.push({ op: 'assert', where: node.where })
      return
    case 'look':
      code.push({ op: 'look', program: toProgram(node.part, node.behind), negative: node.negative })
      return
    case 'sequence':
      for (const part of backwards ? node.parts.toReversed() : node.parts) write(part, code, backwards)
      return
    case 'choice':
      writeChoice(node.parts, code, backwards)
      return
    case 'repeat':
      writeRepeat(node, code, backwards)
  }
}

function writeChoice(parts: readonly PatternNode[], code: Instruction[], backwards: boolean): void {
  const fork: Instruction & { op: 'fork' } = { op: 'fork', to: [] }
  code.push(fork)
  const starts: number[] = []
  const ends: (Instruction & { op: 'fork' })[] = []
  for (const part of parts) {
    starts.push(code.length)
    write(part, code, backwards)
    const end: Instruction & { op: 'fork' } = { op: 'fork', to: [] }
    ends.push(end)
    code.push(end)
  }
  fork.to = starts
  for (const end of ends) end.to = [code.length]
}

function writeRepeat({ part, min, max }: PatternNode & { readonly kind: 'repeat' }, code: Instruction[], backwards: boolean): void {
  for (let copy = 0; copy < min; copy++) write(part, code, backwards)
  if (max === Infinity) {
    const fork: Instruction & { op: 'fork' } = { op: 'fork', to: [] }
    const start = code.push(fork)
    write(part, code, backwards)
    code.push({ op: 'fork', to: [start - 1] })
    fork.to = [start, code.length]
    return
  }
  const forks: { fork: Instruction & { op: 'fork' }; next: number }[] = []
  for (let copy = min; copy < max; copy++) {
    const fork: Instruction & { op: 'fork' } = { op: 'fork', to: [] }
    forks.push({ fork, next: code.push(fork) })
    write(part, code, backwards)
  }
  for (const { fork, next } of forks) fork.to = [next, code.length]
}

/** Whether a text has a match anywhere. All ways are followed at once, so that each instruction runs once at each place at most. */
export function runProgram(program: Program, text: string, meter: Meter): boolean {
  return new Machine(program, text, meter).isMatch(0, true)
}

class Machine {
  readonly #program: Program
  readonly #text: string
  readonly #meter: Meter
  /** By instruction, the last round in which it was reached. */
  readonly #reached: Int32Array
  readonly #looks = new Map<Program, Machine>()
  readonly #open: number[] = []
  #round = 0
  #followed = 0
  #ways: number[] = []

  constructor(program: Program, text: string, meter: Meter) {
    this.#program = program
    this.#text = text
    this.#meter = meter
    this.#reached = new Int32Array(program.code.length).fill(-1)
  }

  /** From a place on, or from any place after it. */
  isMatch(from: number, anywhere: boolean): boolean {
    const { code, backwards } = this.#program
    let place = from
    this.#ways = []
    this.#round++
    if (this.#follow(0, place)) return true
    for (;;) {
      const codePoint = backwards ? before(this.#text, place) : this.#text.codePointAt(place)
      if (codePoint === undefined || (this.#ways.length === 0 && !anywhere)) return false
      place += (codePoint > 0xffff ? 2 : 1) * (backwards ? -1 : 1)
      const ways = this.#ways
      this.#ways = []
      this.#round++
      this.#meter.spend(1 + (ways.length >> 1))
      for (const at of ways) {
        const instruction = code[at]
        if (instruction?.op === 'char' && instruction.matches(codePoint) && this.#follow(at + 1, place)) return true
      }
      if (anywhere && this.#follow(0, place)) return true
    }
  }

  /** Runs all instructions that read nothing. True if the end of the program is reached. */
  #follow(start: number, place: number): boolean {
    const open = this.#open
    open.length = 0
    open.push(start)
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (this.#reached[at] === this.#round) continue
      this.#reached[at] = this.#round
      if ((++this.#followed & 1) === 0) this.#meter.spend(1)
      const instruction = this.#program.code[at]
      if (instruction === undefined || instruction.op === 'done') return true
      if (instruction.op === 'char') this.#ways.push(at)
      else if (instruction.op === 'fork') open.push(...instruction.to)
      else if (instruction.op === 'assert' ? this.#holds(instruction.where, place) : this.#look(instruction, place)) open.push(at + 1)
    }
    return false
  }

  #holds(where: Assertion, place: number): boolean {
    if (where === 'start') return place === 0
    if (where === 'end') return place === this.#text.length
    return (isWordAt(this.#text, place - 1) !== isWordAt(this.#text, place)) === (where === 'boundary')
  }

  #look({ program, negative }: Instruction & { op: 'look' }, place: number): boolean {
    let machine = this.#looks.get(program)
    if (machine === undefined) this.#looks.set(program, (machine = new Machine(program, this.#text, this.#meter)))
    return machine.isMatch(place, false) !== negative
  }
}

/** The character before a place. */
function before(text: string, place: number): number | undefined {
  if (place <= 0) return undefined
  const pair = place > 1 ? text.codePointAt(place - 2) : undefined
  return pair !== undefined && pair > 0xffff ? pair : text.charCodeAt(place - 1)
}

function isWordAt(text: string, place: number): boolean {
  return /\w/.test(text.charAt(place))
}
