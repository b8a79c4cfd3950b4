import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import type { SagaReport, ToolResult } from '../../tool/result/result.ts'
import { isDurable } from '../../tool/seam/whole.ts'
import type { SagaLedger } from './saga-ledger.ts'
import { askRetry } from './saga-record.ts'
import { reportOf } from './saga-report.ts'

/** Ledgers by their reports, as long as a report is referenced. */
const ledgers = new WeakMap<SagaReport, SagaLedger>()

/** The report of a failed saga. Its ledger is kept for a retry. */
export function keepForRetry(ledger: SagaLedger): SagaReport {
  const report = reportOf(ledger)
  if (ledger.canRetry) ledgers.set(report, ledger)
  return report
}

/**
 * Retries the failed compensations of a saga, each with a new budget and the same idempotency key, after a person has corrected the cause.
 * It works in the process that ran the saga, for a run that is not durable.
 * @example
 * const result = await refund.call(input)
 * if (result.compensation?.state === 'compensation_failed') await retryCompensation(result)
 */
export async function retryCompensation(result: ToolResult): Promise<SagaReport> {
  const { compensation } = result
  const ledger = compensation === undefined ? undefined : ledgers.get(compensation)
  if (ledger === undefined || !ledger.canRetry || isDurable(ledger.whole)) throw nothingToRetry(compensation)
  await askRetry(ledger.whole, ledger.round)
  await ledger.undoAgain()
  return keepForRetry(ledger)
}

function nothingToRetry(compensation: SagaReport | undefined): ConfigurationError {
  const why =
    compensation === undefined
      ? 'the result is not that of a saga'
      : compensation.durable
        ? 'the run is durable: retry it through the run'
        : compensation.state === 'compensation_failed'
          ? 'it has no failed compensation to retry, or it was retried already'
          : `the saga is '${compensation.state}'`
  return new ConfigurationError('invalid_option', `retryCompensation has nothing to do: ${why}.`)
}
