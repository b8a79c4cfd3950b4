import type { CallToolResult } from '@modelcontextprotocol/server'
import { isRecord } from '../../schema/json-schema.ts'
import { isRunStatus } from '../../runtime/run-status.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { type FailureCode, FAILURES, isFailureCode } from '../../tool/errors/error-codes.ts'
import type { Logger } from '../../tool/ports/logger.ts'
import type { FailureDetails, ToolFailure, ToolResult, ToolSuccess } from '../../tool/result/result.ts'
import { failureData } from '../../tool/result/failure-details.ts'
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
  record(log, { tool, id, code, text: message })
  return failedCall(`${reference(tool.name, code, id)} ${REPORT}`)
}

const REPORT = 'Do not repeat it as it is. Say that those who run the server must look at it.'
const UNKNOWN_OUTCOME = 'It is not known whether it took effect. Check that before you call again.'

/** Failures of what stands behind all tools. */
const HOUSE_CODES: ReadonlySet<string> = new Set<FailureCode>(['store_unavailable', 'store_credentials', 'store_full', 'journal_failed'])

function isWithheld({ internal, code }: Pick<FailureDetails, 'internal' | 'code'>): boolean {
  return internal === true || HOUSE_CODES.has(code)
}

function discreetFailure(tool: AgentTool, result: ToolFailure, log: Logger | undefined): ToolFailure {
  const { error, provenance } = result
  const id = provenance.invocationId
  const { pending } = error
  if (isWithheld(error)) {
    record(log, { tool, id, code: error.code, text: result.text })
    const told = discreetDetails(tool.name, error, id)
    return { ok: false, provenance, error: told, text: `Error: ${told.message}` }
  }
  if (pending?.problem === undefined) return { ok: false, provenance, error, text: withoutInternals(result, result.text, id) }
  record(log, { tool, id, code: error.code, text: pending.problem })
  const hidden = (text: string): string => text.replaceAll(pending.problem ?? '', `the log of the server has the reason under ${id}`)
  const told = { ...error, message: hidden(error.message), hint: hidden(error.hint), pending: { ...pending, problem: undefined } }
  return { ok: false, provenance, error: told, text: hidden(result.text) }
}

function discreetDetails(name: string, error: FailureDetails, id: string): FailureDetails {
  const { code, outcome } = error
  return { ...failureData(error), message: reference(name, code, id), hint: outcome === 'unknown' ? UNKNOWN_OUTCOME : hintFor(code) }
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
  if (text !== result.text) record(log, { tool, id, code: 'degraded', text: result.text })
  if (!isRunStatus(tool) || !isRecord(value)) return text === result.text ? result : { ok: true, text, value, content, provenance }
  return discreetStatus(tool, { ok: true, text, value, content, provenance }, log)
}

/** A run that is asked about has its failure in the value. */
function discreetStatus(tool: AgentTool, status: ToolSuccess, log: Logger | undefined): ToolSuccess {
  const {
    run,
    tool: name,
    error,
    problem,
  } = status.value as {
    readonly run: string
    readonly tool: string
    readonly error?: FailureDetails
    readonly problem?: string
  }
  if (error !== undefined && isWithheld(error)) {
    record(log, { tool, id: run, code: error.code, text: error.message })
    const told = discreetDetails(name, error, run)
    return { ...status, value: { ...(status.value as object), error: told }, text: `Error: ${told.message} ${told.hint}` }
  }
  if (problem === undefined) return status
  record(log, { tool, id: run, code: 'run_pending', text: problem })
  const text = status.text.replaceAll(problem, `the log of the server has the reason under ${run}`)
  return { ...status, value: { ...(status.value as object), problem: undefined }, text }
}

/** A result that goes on without a part, or after an attempt, may say why that one failed. */
function withoutInternals(result: ToolResult, text: string, id: string): string {
  let told = text
  for (const each of internalsIn(result, MOST_LEVELS))
    for (const line of each.split('\n'))
      if (line.trim().length > 3) told = told.replaceAll(line.trim(), `a reason in the log of the server, under ${id}`)
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
  readonly tool: AgentTool
  readonly id: string
  readonly code: string
  readonly text: string
}

const NO_SECRETS = new KnownSecrets()

function record(log: Logger | undefined, { tool, id, code, text }: Recorded): void {
  warn(log, `MCP: '${tool.name}' failed (${id}): ${maskText(text, NO_SECRETS)}`, { tool: tool.name, id, code })
}
