import type { BenchOutput } from './bench-output.ts'
import { orderPages, searchResults } from './outputs/api.ts'
import { claimAttachments } from './outputs/attachments.ts'
import { auditEvents } from './outputs/audit.ts'
import { podTable } from './outputs/cluster.ts'
import { gitDiff } from './outputs/diff.ts'
import { handbook } from './outputs/handbook.ts'
import { accessLog, applicationLog } from './outputs/logs.ts'
import { chatExport, mailThread } from './outputs/messages.ts'
import { invoiceFeed, productPage } from './outputs/pages.ts'
import { shipmentTable, timeSeries } from './outputs/tables.ts'
import { testRun } from './outputs/tests.ts'
import { stackTraces } from './outputs/traces.ts'

const writers = [
  searchResults,
  shipmentTable,
  applicationLog,
  accessLog,
  productPage,
  orderPages,
  gitDiff,
  stackTraces,
  timeSeries,
  claimAttachments,
  mailThread,
  chatExport,
  podTable,
  handbook,
  invoiceFeed,
  auditEvents,
  testRun,
]

/** The outputs of one seed; each has random choices of its own, so that one can change without the others. */
export function outputsOf(seed: number): BenchOutput[] {
  return writers.map((write, at) => write(seed * 7919 + at * 104_729))
}
