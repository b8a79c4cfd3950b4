import { columnsOf, comparableRows } from './comparable-rows.ts'
import { type Executed, MemoryDatabase } from './memory-database.ts'
import { NO_JOB, type ScenarioAnswer, type ScenarioOutcome, type ScenarioStep, withJobs } from './scenario.ts'
import { Scheduler } from './scheduler.ts'
import { checkTexts } from './statements/check-text.ts'
import { STATEMENTS } from './statements/find-statement.ts'
import type { Statement } from './statements/statement.ts'
import { Transaction } from './transaction.ts'

/** Plays a scenario on the memory. Rows are cut to the columns that the expected answers have. */
export function playInMemory(steps: readonly ScenarioStep[], expected: readonly ScenarioOutcome[]): readonly ScenarioOutcome[] {
  const stage = new MemoryStage()
  return steps.map((step, index) => stage.play(step, expected[index]))
}

class MemoryStage {
  readonly #database = new MemoryDatabase({
    scheduler: new Scheduler(1),
    bounds: { lockMs: Infinity, statementMs: Infinity, idleMs: Infinity, answerMs: Infinity, connections: 10 },
    longestPath: Infinity,
    onCommit: () => {},
    deliver: () => {},
  })
  readonly #open = new Map<string, Transaction>()
  /** What came since the step began, by connection. */
  readonly #came = new Map<string, { readonly came: Executed; readonly statement: Pick<Statement, 'name' | 'text'> }>()

  play({ on, say, given = [] }: ScenarioStep, expected: ScenarioOutcome | undefined): ScenarioOutcome {
    this.#came.clear()
    const open = this.#open.get(on)
    if (say === 'BEGIN') this.#open.set(on, new Transaction(this.#database))
    else if (say === 'COMMIT' || say === 'ROLLBACK') this.#end(on, say === 'COMMIT')
    else this.#say(on, statementNamed(say), { given, open })
    if (['BEGIN', 'COMMIT', 'ROLLBACK'].includes(say))
      this.#came.set(on, { came: { rows: [], rowCount: 0 }, statement: { name: say, text: say } })
    const answers = Object.fromEntries(
      [...this.#came].map(([name, { came, statement }]) => {
        const wanted = name === on ? expected?.own : expected?.others[name]
        return [name, answerOf(came, wanted, statement)]
      }),
    )
    const { [on]: own = 'waits', ...others } = answers
    return { own, others }
  }

  #end(on: string, isCommit: boolean): void {
    const open = this.#open.get(on)
    this.#open.delete(on)
    if (open === undefined) return
    if (isCommit && !open.hasFailed) this.#database.commit(open)
    else this.#database.release(open)
  }

  #say(
    on: string,
    statement: Statement,
    { given, open }: { readonly given: readonly unknown[]; readonly open: Transaction | undefined },
  ): void {
    const transaction = open ?? new Transaction(this.#database)
    const jobs = transaction.all('job')
    const values = withJobs(given, ({ jobOf, ticket }) => jobs.find((job) => job.run === jobOf && job.ticket === ticket)?.id ?? NO_JOB)
    const done = (came: Executed): void => {
      if (open === undefined) {
        if ('error' in came) this.#database.release(transaction)
        else this.#database.commit(transaction)
      }
      this.#came.set(on, { came, statement })
    }
    try {
      checkTexts(values)
    } catch (error) {
      transaction.hasFailed = true
      return done({ error: error as Error })
    }
    this.#database.execute(transaction, statement.text, values, done)
  }
}

function statementNamed(name: string): Statement {
  const statement = STATEMENTS.find((each) => each.name === name)
  if (statement === undefined) throw new Error(`There is no statement '${name}'.`)
  return statement
}

function answerOf(
  came: Executed,
  expected: ScenarioAnswer | 'waits' | undefined,
  statement: Pick<Statement, 'name' | 'text'>,
): ScenarioAnswer {
  if ('error' in came) return { error: String((came.error as { code?: string }).code) }
  const columns = expected === undefined || expected === 'waits' || 'error' in expected ? columnsOf(came.rows) : columnsOf(expected.rows)
  return { rowCount: came.rowCount, rows: columns.length === 0 ? [] : comparableRows(came.rows, columns, statement) }
}
