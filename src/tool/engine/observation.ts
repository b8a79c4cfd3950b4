import type { KnownSecrets } from '../secrets/known-secrets.ts'

/** A validated input that is not the given one. A default or a transform may have made secrets that the given input does not hold. */
interface Validated {
  readonly input: unknown
  /** Undefined until a text about the call, or about one around it, is masked. */
  secrets: readonly string[] | undefined
}

/** The secrets that were found in the inputs of a call, and in those of the calls around it. */
interface Searched {
  readonly given: unknown
  readonly validated: Validated | undefined
  readonly secrets: KnownSecrets
}

/** State of a call that somebody observes, or about which a text is masked. Apart from `LazyState`, which is several times as large. */
export class Observation {
  startedAt = 0
  validated: Validated | undefined
  searched: Searched | undefined
  /** The secrets of an ended call, with those of the calls inside. */
  secretsAtEnd: KnownSecrets | undefined
}
