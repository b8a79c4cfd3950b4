import type { CallToolResult } from '@modelcontextprotocol/server'
import { isRecord } from '../../schema/json-schema.ts'
import { receiptTexts } from '../../runtime/run-receipt.ts'
import { isRunStatus } from '../../runtime/run-status.ts'
import { endedText, type EndedWithout } from '../../runtime/told-run.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { FAILURES, isFailureCode } from '../../tool/errors/error-codes.ts'
import { withoutRepeated } from '../../tool/errors/repeated-text.ts'
import { isWithheld } from '../../tool/errors/withheld.ts'
import type { Logger } from '../../tool/ports/logger.ts'
import type { PendingRun } from '../../tool/result/pending-run.ts'
import type { FailureDetails, ToolFailure, ToolResult, ToolSuccess } from '../../tool/result/result.ts'
import { failureData } from '../../tool/result/failure-details.ts'
import type { ReviewRequest } from '../../tool/review.ts'
import { KnownSecrets } from '../../tool/secrets/known-secrets.ts'
import { maskText } from '../../tool/secrets/mask-text.ts'
import { warn } from '../../tool/warn.ts'
import { callResult, failedCall } from './call-result.ts'

/**
 * What a client that comes over a network is told of a result. The words of a tool reach it; those that nobody wrote for a caller (of a database, of the
 * system, of a policy that threw) go to the log, under an id that the client gets instead.
 */
export function toldOutside(tool: AgentTool, result: ToolResult, { log, isText }: Outside): CallToolResult {
  return callResult(tool, result.ok ? discreetSuccess(tool, result, log) : discreetFailure(tool, result, log), isText)
}

interface Outside {
  readonly log: Logger | undefined
  /** Results are text alone. */
  readonly isText: boolean
}

/** The same of an error of the configuration, which is the operator's to mend. */
export function fatalOutside(
  tool: AgentTool,
  { code, message }: { readonly code: string; readonly message: string },
  log: Logger | undefined,
): CallToolResult {
  const id = crypto.randomUUID()
  record(log, { tool: tool.name, id, code, text: message })
  return failedCall(`${reference(tool.name, code, id)} ${REPORT}`)
}

const REPORT = 'Do not repeat it as it is. Say that those who run the server must look at it.'
const UNKNOWN_OUTCOME = 'It is not known whether it took effect. Check that before you call again.'

function discreetFailure(tool: AgentTool, result: ToolFailure, log: Logger | undefined): ToolFailure {
  const { error, provenance } = result
  const id = provenance.invocationId
  if (isWithheld(error)) {
    record(log, { tool: tool.name, id, code: error.code, text: result.text })
    const told = discreetDetails(tool.name, error, id)
    return { ok: false, provenance, error: told, text: `Error: ${told.message}` }
  }
  const receipt = error.pending === undefined ? undefined : discreetReceipt(error.pending, id)
  if (receipt === undefined) return { ok: false, provenance, error, text: withoutInternals(result, result.text, id) }
  record(log, { tool: tool.name, id, code: error.code, text: receipt.withheld })
  const { pending, message, hint } = receipt
  return { ok: false, provenance, error: { ...error, message, hint, pending }, text: `Error: ${message}` }
}

interface DiscreetReceipt {
  readonly pending: PendingRun
  readonly message: string
  readonly hint: string
  /** What the log gets. */
  readonly withheld: string
}

/** Undefined where all of a receipt may be told. */
function discreetReceipt(pending: PendingRun, id: string): DiscreetReceipt | undefined {
  const { problem, requests } = pending
  const inside = requests.flatMap(({ why, whyOutside }) => (whyOutside === undefined ? [] : [why]))
  const withheld = [...(problem === undefined ? [] : [problem]), ...inside].join('\n')
  if (withheld === '') return undefined
  const told = { ...pending, requests: requests.map(({ whyOutside, ...each }) => ({ ...each, why: whyOutside ?? each.why })) }
  const texts = receiptTexts({ ...told, problem: problem === undefined ? undefined : `The log of the server has the reason under ${id}.` })
  return { pending: { ...told, problem: undefined }, ...texts, withheld }
}

/** A question that the user of a client over a network is asked. */
export function askedOutside(request: ReviewRequest, log: Logger | undefined): ReviewRequest {
  const { whyOutside, ...inside } = request
  if (whyOutside === undefined) return request
  const { tool, invocationId: id, why } = inside
  record(log, { tool, id, code: ASKED, text: why })
  return { ...inside, why: whyOutside }
}

function discreetDetails(name: string, error: FailureDetails, id: string): FailureDetails {
  const { code, outcome, pending } = error
  const receipt = pending === undefined ? undefined : discreetReceipt(pending, id)
  const data = receipt === undefined ? failureData(error) : { ...failureData(error), pending: receipt.pending }
  return { ...data, message: reference(name, code, id), hint: outcome === 'unknown' ? UNKNOWN_OUTCOME : hintFor(code) }
}

/** A hint of the tool may be about its message, and so are some of ours. */
function hintFor(code: string): string {
  const hint = isFailureCode(code) ? FAILURES[code].hint : REPORT
  return hint.includes('message') ? REPORT : hint
}

function reference(name: string, code: string, id: string): string {
  return `'${name}' failed inside the server (${code}). The log of the server has the reason under ${id}.`
}

function discreetSuccess(tool: AgentTool, result: ToolSuccess, log: Logger | undefined): ToolSuccess {
  const { content, provenance, value } = result
  const id = provenance.invocationId
  const text = withoutInternals(result, result.text, id)
  if (text !== result.text) record(log, { tool: tool.name, id, code: 'degraded', text: result.text })
  if (!isRunStatus(tool) || !isRecord(value)) return text === result.text ? result : { ok: true, text, value, content, provenance }
  return discreetStatus(tool, { ok: true, text, value, content, provenance }, log)
}

/** A run that is asked about has its failure in the value. */
function discreetStatus(tool: AgentTool, status: ToolSuccess, log: Logger | undefined): ToolSuccess {
  const {
    run,
    tool: name,
    error,
    waitsFor,
  } = status.value as {
    readonly run: string
    readonly tool: string
    readonly error?: FailureDetails
    readonly waitsFor?: PendingRun['waitsFor']
  }
  if (error !== undefined && isWithheld(error)) {
    record(log, { tool: tool.name, id: run, code: error.code, text: error.message })
    const told = discreetDetails(name, error, run)
    const value: EndedWithout = { ...(status.value as EndedWithout), error: told }
    return { ...status, value, text: endedText(value) }
  }
  const receipt = waitsFor === undefined ? undefined : discreetReceipt(status.value as PendingRun, run)
  if (receipt === undefined) return status
  record(log, { tool: tool.name, id: run, code: 'run_pending', text: receipt.withheld })
  return { ...status, value: receipt.pending, text: `${receipt.message} ${receipt.hint}` }
}

/** A result that goes on without a part, or after an attempt, may say why that one failed. */
function withoutInternals(result: ToolResult, text: string, id: string): string {
  let told = text
  for (const each of internalsIn(result, MOST_LEVELS)) told = withoutRepeated(told, each, `a reason in the log of the server, under ${id}`)
  return told
}

const MOST_LEVELS = 20

function* internalsIn({ steps = [], attempts = [] }: ToolResult, left: number): Generator<string> {
  for (const { error } of attempts) if (error !== undefined && isWithheld(error)) yield error.message
  if (left === 0) return
  for (const { result } of steps) {
    if (!result.ok && isWithheld(result.error)) yield result.error.message
    yield* internalsIn(result, left - 1)
  }
}

interface Recorded {
  readonly tool: string
  readonly id: string
  readonly code: string
  readonly text: string
}

const ASKED = 'asked'
const NO_SECRETS = new KnownSecrets()

function record(log: Logger | undefined, { tool, id, code, text }: Recorded): void {
  warn(log, `MCP: '${tool}' ${code === ASKED ? 'asks' : 'failed'} (${id}): ${maskText(text, NO_SECRETS)}`, { tool, id, code })
}
