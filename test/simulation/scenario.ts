/** One thing that is said on a connection: a statement by its name, or a word of a transaction. */
export interface ScenarioStep {
  readonly on: string
  readonly say: string
  readonly given?: readonly unknown[]
}

/** What was said, and in which order, on which connections. */
export interface Scenario {
  readonly title: string
  readonly steps: readonly ScenarioStep[]
}

/** What one connection was answered: rows without what differs from database to database, or the code of an error. */
export type ScenarioAnswer = { readonly rowCount: number; readonly rows: readonly object[] } | { readonly error: string }

/** What came of a step: its own answer, or that it waits, and the answers that others got because of it. */
export interface ScenarioOutcome {
  readonly own: ScenarioAnswer | 'waits'
  readonly others: Readonly<Record<string, ScenarioAnswer>>
}
