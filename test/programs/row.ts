import type { AgentTool } from '../../src/tool/agent-tool.ts'
import type { CallOptions } from '../../src/tool/context.ts'
import type { ReviewDecision, ReviewRequest } from '../../src/tool/review.ts'
import type { PlaceOrder } from './leaf-order.ts'
import type { LeafProgram, Program, ProgramKind, ProgramNodes } from './program.ts'
import type { RandomStream } from './random-stream.ts'
import type { StepMaker } from './step-maker.ts'
import type { WrongArguments } from './wrong-arguments.ts'

/** All that tests must know of one combinator, or of another way to make tools. */
export interface Row {
  /** The kinds of programs that it adds: simulation, torture and the replay law build them in every composition. */
  readonly kinds: { readonly [K in ProgramKind]?: NodeKind<ProgramNodes[K]> }
  /** Runs that are recorded with every release, and replayed by every later version. An example is only ever added, never changed. */
  readonly examples: Readonly<Record<string, Example>>
  readonly wrong: WrongArguments
}

/** One kind of program: how it is made, shown, built and shrunk. */
export interface NodeKind<N> {
  /** How often it comes up, beside the other kinds. */
  readonly weight: number
  readonly generate: (generating: Generating) => N
  /** The programs directly inside. */
  readonly parts: (node: N) => readonly Program[]
  /** With other programs inside, as many as before. */
  readonly withParts: (node: N, parts: readonly Program[]) => N
  /** In one line; its parts are shown already. */
  readonly show: (node: N, parts: readonly string[]) => string
  /** As a tool; its parts are built already. */
  readonly build: (node: N, parts: Parts, building: Building) => Part
  /** A little simpler, with the same parts or fewer. Parts are made simpler by others. */
  readonly simpler?: (node: N) => Iterable<N>
  /** Other versions that a worker may have; undefined where this one has no place for the change. */
  readonly upgrades?: { readonly [K in UpgradeKind]?: (node: N) => N | undefined }
  /** What a run of it has not kept of its promises. */
  readonly judge?: (node: N, run: JudgedRun) => readonly string[]
  /** What is cut off in it is undone: in races it comes up more. */
  readonly undoesItself?: true
  /** It waits for people or for the time: in sagas it comes up more. */
  readonly waits?: true
  /** It remembers between calls, also those of other runs: in the memory of its process, or in a store of the call. */
  readonly remembers?: 'in its process' | 'in a store'
  /** The like of it that ends the same way, whenever its parts end. In a replay, what is recorded ends at once. */
  readonly timeless?: (node: N) => N
}

/** How another version of a program differs: a step has another label, one is added at the end, a loop has a lower bound. */
export type UpgradeKind = 'rename_step' | 'rename_part' | 'add_behind' | 'lower_bound'

/** What the labels of steps are called in the other version. */
export const RENAMED = 'renamed'

/** A run that has ended. */
interface JudgedRun {
  readonly upgrade: UpgradeKind | undefined
  /** Why it did not complete; else empty. */
  readonly why: string
  /** The paths of all that it recorded. */
  readonly paths: readonly string[]
}

/** What a program is generated with. */
export interface Generating {
  readonly random: RandomStream
  /** No odd texts. */
  readonly isPlain: boolean
  readonly leaf: () => LeafProgram
  /** Any program, less deep than the one around it may be. */
  readonly program: () => Program
  /** So many programs as drawn between two numbers, both included. */
  readonly some: (least: number, most: number) => readonly Program[]
  /** A program for a race, in which it may be cut off: mostly one that undoes itself, since of others nothing is promised. */
  readonly contender: () => Program
  /** A leaf behind people or time, where they are not left out. */
  readonly delayed: () => Program
}

/** A program as a tool. */
export type Part = AgentTool<string, unknown>

/** Every kind but the leaf has parts, and the leaf does not look at them. */
export type Parts = readonly [Part, ...Part[]]

export interface BuildOptions {
  /** The names of all tools begin with it. */
  readonly prefix: string
  readonly order: PlaceOrder
  /** What every tool is given and gives; `x` by default. */
  readonly text?: string
}

/** What the tool of a program is made with. */
export interface Building {
  /** The position in the whole: `01` is the second part of the first part. */
  readonly at: string
  readonly prefix: string
  readonly order: PlaceOrder
  readonly text: string
  /** Gives the text to all that takes something else. */
  readonly begin: Part
  /** The names of leaves whose effects can be undone by a saga around them. */
  readonly undoable: Set<string>
  /** The name of the tool at this position. */
  readonly name: (kind: string) => string
  /** For the part with this number. */
  readonly inside: (index: number) => Building
}

/** A program whose runs are recorded. */
export interface Example {
  readonly make: (step: StepMaker) => AgentTool<never>
  readonly input: unknown
  /** What people say; without it they approve. */
  readonly decide?: (request: ReviewRequest) => ReviewDecision
  readonly options?: CallOptions
  /** It goes by what only its process knew: broken off, it may come to another end. */
  readonly isOfOneProcess?: boolean
}

type Field<F extends string> = { readonly [K in F]: Program | readonly Program[] }

/** For kinds that hold their parts in one field. */
export function partsIn<const F extends string>(
  field: F,
): {
  readonly parts: (node: Field<F>) => readonly Program[]
  readonly withParts: <N extends Field<F>>(node: N, parts: readonly Program[]) => N
} {
  return {
    parts: (node) => [node[field]].flat() as readonly Program[],
    withParts: (node, parts) => ({ ...node, [field]: Array.isArray(node[field]) ? parts : parts[0] }),
  }
}

/** The list without one of its members, each in turn, as long as the least number is left. */
export function shorter<T>(list: readonly T[], least: number): readonly (readonly T[])[] {
  return list.length > least ? list.map((_each, index) => list.toSpliced(index, 1)) : []
}

/** The members by label: by its letter and its number, where it has no label of its own. */
export function labelled<T>(letter: string, list: readonly T[], labels: readonly string[] = []): Record<string, T> {
  return Object.fromEntries(list.map((each, index) => [labels[index] ?? `${letter}${index}`, each]))
}

export const DESCRIPTION = 'A part of a program.'
