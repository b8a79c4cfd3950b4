import { encode, type JsonData } from '../tool/journal/codec.ts'
import { type OpenedEntry, openedRun } from './opened-run.ts'
import { readRun } from './read-run.ts'
import type { ExportedEntry, RunExport } from './run-export.ts'
import { infoOf } from './run-row.ts'
import type { RunsContext } from './runs-context.ts'
import type { ShowParts } from './show-run.ts'
import type { StoredReview } from './revive-entry.ts'

/**
 * The whole run as one document, artifacts included. With `includeSecrets` it holds true values and can be replayed; otherwise secrets are
 * masked, so that it can be shown around.
 */
export async function exportRun(context: RunsContext, id: string, { includeSecrets = false, tools }: ShowParts = {}): Promise<RunExport> {
  const stored = await readRun(context, id, { largest: Infinity })
  const { input, options, why, result, entries, approvals, events } = openedRun(stored, { includeSecrets, tools })
  const { plan, input_hash: inputHash } = stored.row
  return {
    format: 'toolwright.run',
    formatVersion: 1,
    exportedAt: Date.now(),
    masked: !includeSecrets,
    run: {
      ...infoOf(stored.row, context.values),
      ...(why === undefined ? {} : { why }),
      plan,
      inputHash,
      input: encode(input),
      options: encode(options),
      ...(result === undefined ? {} : { result: encode(result) }),
    },
    journal: entries.map(entryOf),
    approvals,
    events: events.map(({ no, at, type, data }) => ({ no, at, type, data: data as JsonData })),
  }
}

function entryOf({ path, kind, tool, key, inputHash, input, data, begunAt, endedAt }: OpenedEntry): ExportedEntry {
  const times = { begunAt, ...(endedAt === undefined ? {} : { endedAt }) }
  switch (kind) {
    case 'call':
      return {
        kind,
        path,
        tool: tool ?? '',
        key: key ?? '',
        inputHash: inputHash ?? '',
        ...(input === undefined ? {} : { input: encode(input) }),
        ...(data === undefined ? {} : { result: encode(data) }),
        ...times,
      }
    case 'sleep':
      return { kind, path, until: data as number, ...times }
    case 'review':
      return { kind, path, ...(data as StoredReview), ...times }
    default:
      return { kind: 'decision', path, value: encode(data), ...times }
  }
}
