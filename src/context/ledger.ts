/** What takes tokens of a context. */
export type LedgerKind = 'system' | 'history' | 'memory' | 'reserve' | 'schemas' | 'arguments' | 'output'

/** One part of a context, and how many tokens it takes. */
export interface LedgerEntry {
  readonly kind: LedgerKind
  /** A word for people: the tool of an output, the name of a part. */
  readonly label: string
  readonly tokens: number
  /** Of an output: how it was shortened, and how many tokens the whole has, if they were counted. */
  readonly level?: string | undefined
  readonly whole?: number | undefined
  readonly pointer?: string | undefined
}

/** What was done to make a context shorter. */
export type CompileAction = 'results pruned' | 'compression raised' | 'schemas left out' | 'history summarised'

/** One thing that was done to make a context fit. */
export interface CompileStep {
  readonly action: CompileAction
  readonly id: string
  readonly tokensBefore: number
  readonly tokensAfter: number
}

/** Where the tokens of a context went. `remaining` is the window without all that is entered. */
export class ContextLedger {
  readonly window: number
  /** What was done to make the context fit, in order. */
  readonly steps: CompileStep[] = []
  readonly #entries = new Map<string, LedgerEntry>()
  #numbers = 0

  constructor(window: number) {
    this.window = window
  }

  get entries(): readonly LedgerEntry[] {
    return [...this.#entries.values()]
  }

  get used(): number {
    let used = 0
    for (const { tokens } of this.#entries.values()) used += tokens
    return used
  }

  get remaining(): number {
    return this.window - this.used
  }

  /** Enters a part that there is once, in place of what was entered before. */
  set(kind: LedgerKind, label: string, tokens: number): void {
    this.#entries.set(`${kind} ${label}`, { kind, label, tokens })
  }

  /** Enters one more. The answer takes it out again. */
  add(entry: LedgerEntry): () => void {
    const key = `#${++this.#numbers}`
    this.#entries.set(key, entry)
    return () => void this.#entries.delete(key)
  }

  /** The entries of a context that was compiled, in place of all others but the reserve. */
  replace(entries: readonly LedgerEntry[]): void {
    for (const [key, { kind }] of this.#entries) if (kind !== 'reserve') this.#entries.delete(key)
    for (const entry of entries) this.add(entry)
  }

  /** The tokens of each kind. */
  totals(): Readonly<Partial<Record<LedgerKind, number>>> {
    const totals: Partial<Record<LedgerKind, number>> = {}
    for (const { kind, tokens } of this.#entries.values()) totals[kind] = (totals[kind] ?? 0) + tokens
    return totals
  }

  /** A table for people. */
  toString(): string {
    const rows = [
      ...this.entries.map(({ kind, label, tokens, level, whole }) => [
        kind,
        label,
        String(tokens),
        level === undefined ? '' : `${level}${whole === undefined ? '' : ` of ${whole}`}`,
      ]),
      ['', 'remaining', String(this.remaining), `of ${this.window}`],
    ]
    const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
    return rows
      .map(([kind = '', label = '', tokens = '', note = '']) =>
        `${kind.padEnd(widths[0] ?? 0)}  ${label.padEnd(widths[1] ?? 0)}  ${tokens.padStart(widths[2] ?? 0)}  ${note}`.trimEnd(),
      )
      .join('\n')
  }
}
