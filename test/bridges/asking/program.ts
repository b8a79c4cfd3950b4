import fc from 'fast-check'
import { type AgentTool, gate, type OnTimeout, parallel, pipe, tool } from 'toolwright'
import type { Ledger } from './ledger.ts'

/** What a gate does if nobody decides in time. */
export interface TimeOut {
  readonly ms: number
  readonly onTimeout: OnTimeout
}

interface Made {
  readonly name: string
  readonly ledger: Ledger
  /** The life of the process in which it runs. */
  readonly life: number
  /** That of every gate. */
  readonly timeOut: TimeOut | undefined
}

/**
 * The parts of one tool, in order. `e`: an effect that nobody is asked about. `g`: an effect behind a gate. `p`: two effects beside each other, each
 * behind a gate of its own; it stands last.
 */
export type Program = string

/** Few of them, so that calls are often equal; each kind of place for a gate is among them. */
export const programs: fc.Arbitrary<Program> = fc.constantFrom('g', 'eg', 'gg', 'ge', 'egg', 'ege', 'gegg', 'p', 'ep', 'gp')

/** A program as a tool whose effects are written into the ledger. What a person reads of a gate names its effect and the input of that. */
export function toolOf(program: Program, { name, ledger, life, timeOut }: Made): AgentTool {
  const rule = timeOut === undefined ? {} : { timeout: timeOut.ms, onTimeout: timeOut.onTimeout }
  const leaf = (own: string) =>
    tool({ name: own, description: 'd', effect: 'write', execute: (input: string) => ledger.happens(own, input, life) })
  const gated = (own: string) => gate(leaf(own), { why: (input: string) => ledger.asks(own, input), ...rule })
  const parts = [...program].map((kind, at) => {
    if (kind === 'e') return leaf(`${name}_${at}_free`)
    if (kind === 'g') return gated(`${name}_${at}_asked`)
    const both = { left: gated(`${name}_${at}_left`), right: gated(`${name}_${at}_right`) }
    return parallel(both, { name: `${name}_${at}`, description: 'd', merge: ({ left }) => left.value })
  })
  const [first, second, third, fourth] = parts
  if (first === undefined) throw new TypeError('A program has at least one part.')
  const named = pipe.named({ name, description: 'd' })
  if (second === undefined) return named(first)
  if (third === undefined) return named(first, second)
  return fourth === undefined ? named(first, second, third) : named(first, second, third, fourth)
}

/** Whether a person is asked before an effect. */
export function isGated(effect: string): boolean {
  return !effect.endsWith('_free')
}

/** The tool whose run begins with this effect. */
export function begunBy(effect: string): string | undefined {
  return /^(?<tool>[^_]+)_0_(?:free|asked|left)$/.exec(effect)?.groups?.['tool']
}

/** An effect as a person is asked about it. */
export interface Shown {
  readonly effect: string
  readonly input: string
}

/** What a person reads of an effect. */
export function questionOf({ effect, input }: Shown): string {
  return `<${effect}~${input}>`
}

/** The effects that a text asks a person about: what they read, and nothing else. */
export function shownIn(text: string): readonly Shown[] {
  const found = Array.from(text.matchAll(/<(\w+)~([^<>~]*)>/g), ([, effect = '', input = '']) => ({ effect, input }))
  return found.filter((each, at) => found.findIndex(({ effect, input }) => effect === each.effect && input === each.input) === at)
}
