import type { DeciderRule } from '../deciders.ts'
import type { Outcome } from '../errors/tool-error.ts'
import type { Provenance } from '../result/result.ts'
import type { LabelCounts } from '../path.ts'
import type { Logger } from '../ports/logger.ts'
import type { KnownSecrets } from '../secrets/known-secrets.ts'

export const NO_CALLS: readonly never[] = []

/** A validated input that is not the given one. A default or a transform may have made secrets that the given input does not hold. */
export interface Validated {
  readonly input: unknown
  /** Undefined until a text about the call, or about one around it, is masked. */
  secrets: readonly string[] | undefined
}

/** The secrets that were found in the inputs of a call, and in those of the calls around it. */
export interface Searched {
  readonly given: unknown
  readonly validated: Validated | undefined
  readonly secrets: KnownSecrets
}

/**
 * State that few calls need; made on first use. It is not kept in weak maps by call: an entry in one takes longer than a whole call. Each call
 * writes two or three of the fields, so what is not written is read from the prototype, and takes no memory.
 */
export class LazyState<Part> {
  declare attempt: number
  declare generation: number
  declare keyedBy: string | undefined
  declare hasNewKeys: boolean
  declare patches: Map<string, Promise<boolean>> | undefined
  declare labels: LabelCounts | undefined
  declare id: string | undefined
  declare path: string | undefined
  declare log: Logger | undefined
  /** The view of its input in the request that is being decided. */
  declare shown: unknown
  declare provenance: Provenance | undefined
  declare usage: { tokens: number; costUsd: number } | undefined
  declare onIdle: (() => void) | undefined
  declare asking: number
  declare startedAt: number
  declare replayed: boolean
  /** In a resumed run: something of it, or of a call inside, happens for the first time. */
  declare isNew: boolean
  declare isUndone: boolean
  declare isShielded: boolean
  /** It was entered in a closed scope, only to reach records after it: nothing of it was done before, so that nothing in it is cleaned up. */
  declare onlyWalks: boolean
  declare isRetried: boolean
  declare hidden: readonly Part[]
  declare fatalOutcome: Outcome | undefined
  /** Of an observed call. */
  declare validated: Validated | undefined
  declare searched: Searched | undefined
  /** The secrets of an ended call, with those of the calls inside. */
  declare secretsAtEnd: KnownSecrets | undefined
  /** The names of the secrets that it, or a call inside, has read. */
  declare secretNames: Set<string> | undefined
  /** The input with which its function began, where a person may be asked about it. */
  declare accepted: { readonly input: unknown } | undefined
  /** The approved input, if its schema takes it as it is: the tool inside, with the same schema, need not ask the schema again. */
  declare passedOn: { readonly input: unknown } | undefined
  /** The rules of the approvals that it was given, where they name who decides. */
  declare approvedUnder: readonly DeciderRule[] | undefined

  static {
    const unwritten: { readonly [K in keyof LazyState<never>]: LazyState<never>[K] } = {
      attempt: 1,
      generation: 0,
      keyedBy: undefined,
      hasNewKeys: false,
      patches: undefined,
      labels: undefined,
      id: undefined,
      path: undefined,
      log: undefined,
      shown: undefined,
      provenance: undefined,
      usage: undefined,
      onIdle: undefined,
      asking: 0,
      startedAt: 0,
      replayed: false,
      isNew: false,
      isUndone: false,
      isShielded: false,
      onlyWalks: false,
      isRetried: false,
      hidden: NO_CALLS,
      fatalOutcome: undefined,
      validated: undefined,
      searched: undefined,
      secretsAtEnd: undefined,
      secretNames: undefined,
      accepted: undefined,
      passedOn: undefined,
      approvedUnder: undefined,
    }
    Object.assign(LazyState.prototype, unwritten)
  }
}
