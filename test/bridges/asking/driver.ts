import type { AgentTool, Clock } from 'toolwright'
import type { MemoryRuns } from 'toolwright/testing'
import type { Decision, Ledger } from './ledger.ts'
import type { Shown } from './program.ts'

/** How long a call in memory waits for a decision. */
export const EXPIRY_MS = 1000

/** A call as the model makes it. */
export interface PlannedCall {
  readonly tool: string
  readonly input: string
}

/** What a person answers to one question: nothing, or a decision. */
export type Answer = Decision | 'leave'

/** One question of a peer, as a person reads it. With some peers, one answer is about several requests. */
export interface Question {
  /** By the id of a request. */
  readonly shows: ReadonlyMap<string, Shown>
}

/** What a program has stored of a conversation: the questions in it, and what people have answered. It may be used again at any time. */
export interface Stored {
  readonly questions: readonly Question[]
  /** By the place of a question. */
  readonly answers: ReadonlyMap<number, Answer>
  /** It also carries rejections of earlier questions. */
  readonly rejectedBefore?: boolean | undefined
}

/** What a process begins with. Its timers end with it, and what its tools do is known as done in it. */
export interface ProcessParts {
  readonly tools: readonly AgentTool[]
  readonly clock: Clock
}

/** The world that a driver plays in. */
export interface World {
  readonly ledger: Ledger
  readonly now: () => number
  /** For a process that begins now. */
  readonly begin: () => ProcessParts
  /** Where calls are durable: the database that all processes share. */
  readonly database: MemoryRuns | undefined
  /** The id of a call that the model makes now. */
  readonly callId: (place: number) => string
  /** An id that no call has had. */
  readonly newId: () => string
}

/** The place where people decide beside a conversation: an inbox, or the memory of a process. */
export interface Desk {
  /** The requests that wait there, with what they show. */
  readonly open: () => Promise<ReadonlyMap<string, Shown>>
  /** Decides. `now`: it has effect at once; `later`: with an approval in the conversation. */
  readonly decide: (request: string, decision: Decision) => Promise<'now' | 'later' | 'refused'>
  /** Cancels the durable run of a request. */
  readonly cancel: (request: string) => Promise<void>
}

/**
 * A framework, played through its own library. A driver does what a program, a model and a person can do with it, and judges nothing: it says what
 * was shown, and passes on what was decided.
 */
export interface Driver<S extends Stored> {
  /** Equal calls of one caller beside each other are one call of it. */
  readonly joinsEqualCalls?: boolean | undefined
  /** The answers that its conversations can carry. */
  readonly carries: readonly Answer[]
  /** The model makes these calls. Undefined where nothing is left to decide. */
  readonly start: (turn: readonly PlannedCall[]) => Promise<S | undefined>
  /** Adds answers; nothing runs. */
  readonly answer: (stored: S, answers: ReadonlyMap<number, Answer>) => Promise<S>
  /** Goes on with what is stored. Undefined where nothing is left to decide, `refused` where the framework does not go on with it. */
  readonly resume: (stored: S, signal: AbortSignal | undefined) => Promise<S | 'refused' | undefined>
  /** Whether the answer to a request in what is stored can still be given in this process; by default it can. */
  readonly hears?: ((stored: S, request: string) => boolean) | undefined
  /** The requests that wait, as far as this process knows, with what they show. */
  readonly open: () => Promise<ReadonlyMap<string, Shown>>
  /** Where a person decides beside the conversation. */
  readonly desk?: Desk | undefined
  /** Tells what a stored conversation denies, without going on. */
  readonly deny?: ((stored: S) => Promise<void>) | undefined
  /** The same conversation without a part of it. */
  readonly drop?: ((stored: S, how: number) => S) | undefined
  /** Executes a call of the conversation as the framework would, with a signal that is aborted. */
  readonly giveUp?: ((stored: S, place: number) => Promise<void>) | undefined
  /** The next steps happen in this process, which shares nothing in memory with the others. A number that was not there begins it. */
  readonly enter: (process: number) => Promise<void>
  readonly close: () => Promise<void>
}
