import type { Meter } from './meter.ts'
import { isAutomaton, PatternAutomaton } from './pattern-automaton.ts'
import { runProgram, toProgram } from './pattern-program.ts'
import { parsePattern, type PatternNode } from './pattern-syntax.ts'

/** The part of a regular expression that a validator needs. The meter counts the work. */
export interface Pattern {
  /** The engine of JavaScript may take more than linear time, and we do not. */
  readonly isFasterHere: boolean
  readonly test: (text: string, meter: Meter) => boolean
}

const patterns = new Map<string, Pattern>()
const MOST_KEPT = 500

/**
 * A pattern of a JSON Schema, which may come from a stranger. A text is matched by the engine of JavaScript only where it cannot take many
 * steps; otherwise by states that are kept, or by a machine that follows all ways at once. A pattern that none can run is an error.
 */
export function linearPattern(source: string): Pattern {
  let pattern = patterns.get(source)
  if (pattern === undefined) {
    pattern = compile(source)
    if (patterns.size >= MOST_KEPT) patterns.clear()
    patterns.set(source, pattern)
  }
  return pattern
}

/** The most steps that the engine of JavaScript may take for one text. */
const MOST_BACKTRACKING = 20_000
const STEPS_OF_ENGINE_PER_STEP = 32
/** A test of a short text. */
const STEPS_PER_TEST = 2

/** Newer engines take more patterns: flags inside a pattern, for one. */
function engineOf(source: string): RegExp {
  try {
    return new RegExp(source, 'u')
  } catch (cause) {
    throw new Error(`a pattern cannot be used. ${cause instanceof Error ? cause.message : ''}`, { cause })
  }
}

function compile(source: string): Pattern {
  const engine = engineOf(source)
  const root = parsed(source)
  const { ways, loops } = choicesOf(root)
  const degree = loops + (isAnchored(root) ? 0 : 1)
  const program = toProgram(root)
  const isLinear = degree <= 1 && ways <= MOST_WAYS
  const hasStates = !isLinear && isAutomaton(program)
  let automaton: PatternAutomaton | undefined
  const byStates = (text: string, meter: Meter): boolean | undefined => {
    if (hasStates) automaton ??= new PatternAutomaton(program)
    return automaton?.test(text, meter)
  }
  return {
    isFasterHere: hasStates,
    test: (text, meter) => {
      const found = byStates(text, meter)
      if (found !== undefined) return found
      const most = ways * Math.max(1, text.length) ** Math.max(1, degree)
      if (!isLinear && most > MOST_BACKTRACKING) return runProgram(program, text, meter)
      meter.spend(STEPS_PER_TEST + Math.floor(most / STEPS_OF_ENGINE_PER_STEP))
      return engine.test(text)
    },
  }
}

function parsed(source: string): PatternNode {
  try {
    return parsePattern(source)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(
      `the pattern ${JSON.stringify(source)} cannot be checked in linear time: ${why}. Use another pattern, or check it in the tool`,
      {
        cause: error,
      },
    )
  }
}

const MOST_WAYS = 32

interface Choices {
  /** In how many ways the pattern could go on, its loops aside. */
  readonly ways: number
  /** How many loops over one character have no end. */
  readonly loops: number
}

const NO_CHOICE: Choices = { ways: 1, loops: 0 }
const UNBOUNDED: Choices = { ways: Infinity, loops: 0 }

/** The choices that the engine of JavaScript may have to try one after another. */
function choicesOf(node: PatternNode): Choices {
  if (node.kind === 'look') return UNBOUNDED
  if (node.kind === 'repeat') return choicesOfRepeat(node)
  if (node.kind !== 'sequence' && node.kind !== 'choice') return NO_CHOICE
  const parts = node.parts.map(choicesOf)
  const ways =
    node.kind === 'choice' ? parts.reduce((sum, each) => sum + each.ways, 0) : parts.reduce((product, each) => product * each.ways, 1)
  return { ways, loops: parts.reduce((sum, each) => sum + each.loops, 0) }
}

function choicesOfRepeat({ part, min, max }: PatternNode & { readonly kind: 'repeat' }): Choices {
  if (max === Infinity) return part.kind === 'char' ? { ways: 1, loops: 1 } : UNBOUNDED
  if (part.kind === 'char') return { ways: max - min + 1, loops: 0 }
  const { ways, loops } = choicesOf(part)
  if (max > 1 && loops > 0) return UNBOUNDED
  return { ways: (max - min + 1) * ways ** max, loops }
}

function isAnchored(node: PatternNode): boolean {
  if (node.kind === 'choice') return node.parts.every(isAnchored)
  if (node.kind !== 'sequence') return node.kind === 'assertion' && node.where === 'start'
  return node.parts[0] !== undefined && isAnchored(node.parts[0])
}
