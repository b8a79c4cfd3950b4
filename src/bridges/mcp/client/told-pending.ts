import { isRecord } from '../../../schema/json-schema.ts'
import { excerpt } from '../../../schema/quote.ts'
import { printable } from '../../../tool/printable.ts'
import type { PendingRequest, PendingRun } from '../../../tool/result/pending-run.ts'
import { readableText } from './readable-text.ts'

const LONGEST_NAME = 200
const LONGEST_TEXT = 4000
const MOST_REQUESTS = 100
/** The last time that a date can hold. */
const LATEST = 8.64e15
const WAITS: ReadonlySet<unknown> = new Set<PendingRun['waitsFor']>(['person', 'time', 'worker', 'work', 'blocked'])
/** Words that a shell takes as they are: whoever copies a command of a server runs nothing but ours. */
const COMMAND = /^npx toolwright(?: (?:[\w@%+=:,./-]+|'[^'\\]*'))+$/

/**
 * The receipt that a server gives as data, as one of a run at that server; undefined where it is none. All of it is text of a stranger. Where it
 * waits is what this program knows, and not the word of the server, which may itself have got the receipt from another one.
 */
export function toldPending(told: unknown, server: string): PendingRun | undefined {
  if (!isRecord(told) || !WAITS.has(told['waitsFor']) || typeof told['run'] !== 'string' || told['run'] === '') return undefined
  const { run, tool, waitsFor, requests, refused, wakeAt, problem, server: behind, withoutStatus } = told
  return {
    run: name(run),
    tool: name(tool),
    waitsFor: waitsFor as PendingRun['waitsFor'],
    server: typeof behind === 'string' && behind !== '' ? `${server} > ${name(behind)}` : server,
    ...(withoutStatus === true ? { withoutStatus } : {}),
    requests: listOf(requests).filter(isRecord).map(requestOf),
    ...(Array.isArray(refused) ? { refused: listOf(refused).map(text) } : {}),
    ...(typeof wakeAt === 'number' && Math.abs(wakeAt) <= LATEST ? { wakeAt } : {}),
    ...(typeof problem === 'string' ? { problem: text(problem) } : {}),
  }
}

function requestOf({
  id,
  kind,
  tool,
  why,
  whyOutside,
  input,
  risk,
  command,
  approvals,
}: Readonly<Record<string, unknown>>): PendingRequest {
  return {
    id: name(id),
    kind: kind === 'question' ? 'question' : 'approval',
    tool: name(tool),
    why: text(why),
    ...(typeof whyOutside === 'string' ? { whyOutside: text(whyOutside) } : {}),
    input,
    risk: risk === 'low' || risk === 'medium' ? risk : 'high',
    command: typeof command === 'string' && command.length <= LONGEST_TEXT && COMMAND.test(command) ? command : '',
    ...(isCount(approvals) ? { approvals: { needed: approvals.needed, given: approvals.given } } : {}),
  }
}

function isCount(value: unknown): value is { readonly needed: number; readonly given: number } {
  return isRecord(value) && typeof value['needed'] === 'number' && typeof value['given'] === 'number'
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MOST_REQUESTS) : []
}

function name(value: unknown): string {
  return typeof value === 'string' ? printable(excerpt(value, LONGEST_NAME)) : ''
}

function text(value: unknown): string {
  return typeof value === 'string' ? readableText(value, LONGEST_TEXT) : ''
}
