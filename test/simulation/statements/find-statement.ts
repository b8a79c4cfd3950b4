import { claimStatements } from './claim-statements.ts'
import { idempotencyStatements } from './idempotency-statements.ts'
import { journalStatements } from './journal-statements.ts'
import { limitStatements } from './limit-statements.ts'
import { parkStatement } from './park-statement.ts'
import { queueStatements } from './queue-statements.ts'
import { readStatements } from './read-statements.ts'
import { reviewStatements } from './review-statements.ts'
import { runStatements } from './run-statements.ts'
import { startStatements } from './start-statements.ts'
import { plainText, type Statement } from './statement.ts'
import { workerStatements } from './worker-statements.ts'
import { writeStatements } from './write-statements.ts'

/** All statements that the memory knows. A new one of the engine gets a row in one of these lists. */
export const STATEMENTS: readonly Statement[] = [
  ...startStatements,
  ...claimStatements,
  ...runStatements,
  parkStatement,
  ...writeStatements,
  ...journalStatements,
  ...reviewStatements,
  ...limitStatements,
  ...workerStatements,
  ...queueStatements,
  ...readStatements,
  ...idempotencyStatements,
]

const byPlainText = new Map(STATEMENTS.map((statement) => [plainText(statement.text), statement]))
const byText = new Map<string, Statement>()

/** What a text does. One that is not known throws: the memory must be taught what it means. */
export function findStatement(text: string): Statement {
  const known = byText.get(text)
  if (known !== undefined) return known
  const statement = byPlainText.get(plainText(text))
  if (statement === undefined) {
    throw new Error(`The memory database does not know this statement. Add it to one of the lists in test/simulation/statements: ${text}`)
  }
  byText.set(text, statement)
  return statement
}
