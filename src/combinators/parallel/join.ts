export type JoinKind = 'all' | 'quorum' | 'first' | 'best' | 'partial'

/** How the results of branches become one. Made by `all()`, `quorum(q)`, `first()`, `best(score)` and `partial({ after })`. */
export interface Join<K extends JoinKind = JoinKind, V = never> {
  readonly kind: K
  /** How many of so many branches must succeed. */
  readonly needed: (branches: number) => number
  /** It may be over before every branch has ended; the others are cancelled then. */
  readonly raced: boolean
  /** It is over as soon as enough have succeeded. */
  readonly stopsWhenMet: boolean
  /** It is over when this time is up. */
  readonly afterMs?: number | undefined
  readonly score?: ((value: V, label: string) => number) | undefined
}
