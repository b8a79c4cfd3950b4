import type { InboxItem } from '../review/inbox.ts'
import type { JsonData } from '../tool/journal/codec.ts'
import type { JournalEntry } from '../tool/journal/journal.ts'
import type { RunInfo } from './run-info.ts'

/** A run as one JSON document. Inputs, options, results and what the journal holds are in the form in which the journal keeps values. */
export interface RunExport {
  readonly format: 'toolwright.run'
  /** Rises when a reader of older documents could not read newer ones. */
  readonly formatVersion: 1
  readonly exportedAt: number
  /** Secrets are masked: to be read, and not to be replayed. */
  readonly masked: boolean
  readonly run: RunInfo & {
    readonly plan: string
    readonly inputHash: string
    readonly input: JsonData
    readonly options: JsonData
    readonly result?: JsonData | undefined
  }
  /** In the order in which they began: what `memoryJournal` takes, with the times beside. */
  readonly journal: readonly ExportedEntry[]
  readonly approvals: readonly InboxItem[]
  readonly events: readonly { readonly no: number; readonly at: number; readonly type: string; readonly data: JsonData }[]
}

export type ExportedEntry = JournalEntry & { readonly begunAt: number; readonly endedAt?: number | undefined }
