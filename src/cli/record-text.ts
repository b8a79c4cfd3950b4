import { decidersText } from '../tool/deciders-text.ts'
import { givenText } from '../review/given-text.ts'
import type { InboxItem } from '../review/inbox.ts'
import type { KeptResult } from '../run/view/run-info.ts'
import type { RunRecord, RunStarter, RunStep } from '../run/view/run-record.ts'
import { excerpt } from '../schema/quote.ts'
import { durationText } from '../tool/duration-text.ts'
import { printable } from '../tool/printable.ts'
import { failureMessage } from '../tool/result/failure-details.ts'
import type { ResultIssue } from '../tool/result/result.ts'
import { textOf } from '../tool/result/text-of.ts'
import { ago } from './ago.ts'
import { shortId } from './match-id.ts'
import type { Output } from './output.ts'
import { queuedText } from './queued-text.ts'
import { statusFormat } from './status-format.ts'
import { textTable } from './text-table.ts'
import { nameWithTenant } from '../tool/tenants.ts'
import { onOneLine } from '../review/on-one-line.ts'

const MOST_SHOWN = 2000

/** Where the facts begin. */
const INDENT = 10

/** A run as text: its facts, input and result, its steps and its approvals. */
export function recordText(record: RunRecord, output: Output): string {
  const { id, key, tool, version, status, why, worker, wakeAt, createdAt, endedAt, startedAt, starter, input, result, usage } = record
  const told = [why?.message ?? lostText(record) ?? queuedText(record, Date.now()), cancelReason(record)].filter(Boolean).join(' ')
  const took = endedAt === undefined || startedAt === undefined ? '' : `, took ${durationText(endedAt - startedAt)}`
  const facts: Readonly<Record<string, string | undefined>> = {
    run: printable(id),
    tool: printable(`${tool}@${version}`),
    key: key === undefined ? undefined : printable(key),
    starter: starter === undefined ? undefined : starterText(starter),
    status: `${output.paint(statusFormat(status), status)}${told === '' ? '' : `: ${printable(told)}`}`,
    worker: worker === undefined ? undefined : printable(worker),
    continues: wakeAt === undefined ? undefined : ago(wakeAt),
    created: `${new Date(createdAt).toISOString()} (${ago(createdAt)})${took}`,
    used: usedText(usage),
    input: shown(input),
    result: result === undefined ? undefined : resultText(result, id),
    level: result === undefined || 'artifact' in result ? undefined : levelText(result),
    issues: result === undefined || 'artifact' in result ? undefined : issuesText(result.issues),
  }
  const heading = (text: string): string => `\n${output.paint('bold', text)}`
  const lines = Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(INDENT - 1)} ${value}`]))
  if (record.steps.length > 0) lines.push(heading('steps'), stepsTable(record.steps, output))
  if (record.approvals.length > 0)
    lines.push(heading('approvals'), approvalsTable(record.approvals, output), ...record.approvals.flatMap(saidText))
  return lines.join('\n')
}

/** `ada of "acme", session s-1, agent desk, task refund 7` */
function starterText({ principal, session, agent, task }: RunStarter): string {
  const parts = [
    ...(principal === undefined ? [] : [nameWithTenant(principal.id, principal)]),
    ...Object.entries({ session, agent, task }).flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${textOf(value)}`])),
  ]
  return printable(excerpt(parts.join(', '), MOST_SHOWN))
}

function resultText(result: NonNullable<RunRecord['result']>, id: string): string {
  if ('artifact' in result) return `too large to show here (${result.bytes} bytes); toolwright show ${shortId(id)} --export <file> has it`
  return shown(result.ok ? result.value : failureMessage(result.error))
}

/** What the person said who cancelled it. */
function cancelReason({ status, result }: RunRecord): string | undefined {
  return status === 'cancelled' && result !== undefined && 'ok' in result && !result.ok ? result.error.hint : undefined
}

/** A run that is `running` may have lost its worker. */
function lostText({ lost }: RunRecord): string | undefined {
  const since = lost.find(({ to }) => to === undefined)
  return since === undefined
    ? undefined
    : `its worker is silent (its last record is of ${ago(since.from)}): another one takes it up, if one is there, as toolwright worker`
}

/** Which level of a fallback answered, and how sure the answer is; undefined if it says neither. */
function levelText(result: KeptResult): string | undefined {
  const confidence = result.ok && result.confidence !== undefined ? `confidence ${Number(result.confidence.toFixed(3))}` : undefined
  const parts = [result.level, confidence].filter((each) => each !== undefined)
  return parts.length === 0 ? undefined : printable(parts.join(', '))
}

/** Notes about the result; undefined if there are none. */
function issuesText(issues: readonly ResultIssue[] = []): string | undefined {
  const lines = issues.map(({ severity, message }) => shown(`${severity}: ${message}`))
  return lines.length === 0 ? undefined : lines.join(`\n${' '.repeat(INDENT)}`)
}

function usedText({ tokens = 0, costUsd = 0 }: RunRecord['usage']): string | undefined {
  const parts = [...(tokens > 0 ? [`${tokens} tokens`] : []), ...(costUsd > 0 ? [`$${costUsd.toFixed(4)}`] : [])]
  return parts.length === 0 ? undefined : parts.join(', ')
}

function shown(value: unknown): string {
  return printable(excerpt(textOf(value), MOST_SHOWN))
}

function stepsTable(steps: readonly RunStep[], output: Output): string {
  const rows = steps.map((step) => {
    const { path, attempts, durationMs, error } = step
    const took = durationMs === undefined ? '-' : durationText(durationMs)
    return [path, stateOf(step), took, String(attempts.length), error?.message ?? excerpt(textOf(step.output), MOST_SHOWN)]
  })
  return textTable([['path', 'state', 'took', 'attempts', 'gave'], ...rows], { width: output.width, paint: dimHead(output) })
}

function stateOf(step: RunStep): string {
  const { error, standing } = step
  if (standing === 'unknown') return 'outcome unknown'
  if (standing !== undefined) return standing === 'cancelled' ? 'cancelled' : `failed, ${standing}`
  if (error !== undefined) return 'failed'
  return 'output' in step ? 'done' : 'under way'
}

function approvalsTable(items: readonly InboxItem[], output: Output): string {
  const rows = items.map(({ request, status, assignee, requestedAt, decision }) => [
    shortId(request.id),
    request.path,
    decision === undefined ? status : `${decision.action}${decision.by === undefined ? '' : ` by ${decidersText(decision)}`}`,
    assignee ?? '-',
    ago(requestedAt),
    onOneLine(request.why),
  ])
  return textTable([['request', 'path', 'state', 'assignee', 'asked', 'why'], ...rows], {
    width: output.width,
    paint: dimHead(output),
  })
}

/** The words of the person who decided, whole: a cell of the table would cut them. */
function saidText({ request, decision }: InboxItem): readonly string[] {
  const given = decision === undefined ? '' : givenText(decision)
  if (decision === undefined || given === '') return []
  const names = decidersText(decision)
  return [shown(`${shortId(request.id)}: ${decision.action}${names === '' ? '' : ` by ${names}`}: ${given}`)]
}

function dimHead(output: Output): (text: string, cell: { readonly row: number }) => string {
  return (text, { row }) => (row === 0 ? output.paint('dim', text) : text)
}
