/** One thing that is said on a connection: a statement by its name, or a word of a transaction. */
export interface ScenarioStep {
  readonly on: string
  readonly say: string
  /** A job is named by its run: its id is another in every database. */
  readonly given?: readonly unknown[]
}

/** Stands for the id of a job. */
export interface JobOf {
  readonly jobOf: string
  readonly ticket: number
}

/** The id of a job that is not there. */
export const NO_JOB = '00000000-0000-4000-9000-000000000000'

/** Puts ids in the place of jobs. */
export function withJobs(given: readonly unknown[], idOf: (job: JobOf) => string): readonly unknown[] {
  return given.map((value) => (Array.isArray(value) ? value.map((each) => (isJob(each) ? idOf(each) : (each as unknown))) : value))
}

export function jobsIn(given: readonly unknown[]): readonly JobOf[] {
  return given.flat().filter(isJob)
}

function isJob(value: unknown): value is JobOf {
  return typeof value === 'object' && value !== null && 'jobOf' in value
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
