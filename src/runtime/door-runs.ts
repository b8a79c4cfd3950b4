import type { RunHandle } from '../run/run-handle.ts'
import type { Runs } from '../run/runs.ts'
import { isFinal } from '../run/state/run-state.ts'
import type { StartOptions } from '../run/start-run.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { CallOptions } from '../tool/context.ts'
import { isConfigurationError } from '../tool/errors/configuration-error.ts'
import { isExitEarly } from '../tool/errors/exit-early.ts'
import { isToolError, ToolError } from '../tool/errors/tool-error.ts'
import { notPermitted } from '../tool/engine/authorize.ts'
import { hashOf } from '../tool/journal/hash.ts'
import { missingPermissions, type Principal } from '../tool/principal.ts'
import { principalKey } from '../tool/principal-key.ts'
import type { Runtime } from './create-runtime.ts'
import { leftEffect } from './left-effect.ts'

/** Who calls. A run belongs to its caller: others are told that it is unknown. */
export interface Caller {
  /** Its id, and its tenant where it has one: the same id of another tenant is another principal. */
  readonly principal?: string | undefined
  readonly session?: string | undefined
  /** The client of a server, where principal and session do not tell clients apart. */
  readonly client?: string | undefined
}

/** The caller of a call, in the words of its options; where they name none, that of the runtime. */
export function callerOf(runtime: Runtime, { principal, session }: Pick<CallOptions, 'principal' | 'session'>, client?: string): Caller {
  return { principal: principalKey(principal ?? runtime.caller.principal), session: session ?? runtime.caller.session, client }
}

/**
 * Throws where the caller may not call the tool now. A run checks its permissions itself, but those that its caller had when it began: who has
 * lost one must neither join that run nor read how it ended.
 */
export function checkPermitted({ caller }: Pick<Runtime, 'caller'>, tool: AgentTool, principal: Principal | undefined): void {
  const who = principal ?? caller.principal
  const missing = missingPermissions(tool.permissions, who)
  if (missing.length > 0) throw notPermitted(tool.name, who, missing)
}

/** Whether the caller may call the tool now. */
export function isPermitted({ caller }: Pick<Runtime, 'caller'>, tool: AgentTool, principal: Principal | undefined): boolean {
  return missingPermissions(tool.permissions, principal ?? caller.principal).length === 0
}

/** A call as it is recorded. */
export interface Subject {
  readonly tool: AgentTool
  readonly input: unknown
}

export interface Joining {
  readonly caller: Caller
  readonly options: Omit<StartOptions, 'key'>
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Tells equal calls of the caller apart, where it is known which of them are the same call. */
  readonly scope?: string | undefined
  /** The run belongs to another call, which this one does not join. */
  readonly isApart: (run: string) => boolean
}

/** The run of a call. */
export interface JoinedRun {
  readonly run: RunHandle
  /** It was denied or cancelled before this call came, and has not ended yet. */
  readonly isEnding: boolean
  /** The caller named it: the call is about this run, and about no other one. */
  readonly isNamed?: boolean | undefined
  /** Why decisions that the call brought do not count. */
  readonly refused?: readonly string[] | undefined
}

const A_MINUTE_MS = 60_000

/**
 * The open run of an equal call of the same caller, else a new run: a caller who lost its answer, and calls again, gets the same run. A caller
 * without a name may be anybody, and joins nothing. Two processes that start equal calls in the same minute use the same keys, so that they
 * cannot both begin one.
 */
export async function joinRun(runtime: Runtime, subject: Subject, joining: Joining): Promise<JoinedRun> {
  const { caller, options, now, scope, isApart } = joining
  const starts = await keyStarts(runtime, caller, { subject, scope })
  const [first = ''] = starts
  const start = (end: string): Promise<RunHandle> =>
    runtime.start(subject.tool, subject.input as never, { ...options, key: `${first}${end}` })
  if (!isNamed(caller)) return { run: await start(crypto.randomUUID()), isEnding: false }
  for (const each of starts) {
    const known = await openRun(runtime, each, isApart)
    if (known !== undefined) return known
  }
  const minute = Math.floor(now / A_MINUTE_MS).toString(36)
  for (let turn = 1; ; turn++) {
    const run = await start(`${minute}.${turn}`)
    if (run.isNew || (!isApart(run.id) && !isFinal((await run.status()).status))) return { run, isEnding: false }
  }
}

/**
 * The run of one call of a peer that may make it again, as after a restart; its scope names it. It gets the same run, also if that has ended,
 * but for a run that was cancelled before it took effect.
 */
export async function rejoinRun(
  runtime: Runtime,
  subject: Subject,
  { caller, options, scope }: Pick<Joining, 'caller' | 'options' | 'scope'>,
): Promise<JoinedRun> {
  const [first = '', ...former] = await keyStarts(runtime, caller, { subject, scope })
  for (const each of former) {
    const known = await openRun(runtime, each, () => false)
    if (known !== undefined) return { ...known, isNamed: true }
  }
  for (let turn = 1; ; turn++) {
    const run = await runtime.start(subject.tool, subject.input as never, { ...options, key: `${first}call.${turn}` })
    if (run.isNew || (await run.status()).status !== 'cancelled' || (await leftEffect(runtime, run.id, subject.tool)))
      return { run, isEnding: false, isNamed: true }
  }
}

/**
 * The run of a call under the key that its caller gave it: the same one for every repetition, also if it has ended. A failure after which the same
 * call may go well, and that left nothing behind, is no answer to keep: the repetition begins another run. The same key with another input is a
 * conflict. Equal calls under different keys are different calls, since their caller says so.
 */
export async function keyedRun(
  runtime: Runtime,
  subject: Subject,
  { caller, options, key }: Pick<Joining, 'caller' | 'options'> & { readonly key: string },
): Promise<JoinedRun> {
  const [first = '', ...former] = await keyedStarts(runtime, caller, { tool: subject.tool, key })
  for (const each of former) {
    const known = await openRun(runtime, each, () => false)
    if (known === undefined) continue
    await checkSameInput(runtime, known.run, subject)
    return known
  }
  for (let turn = 1; ; turn++) {
    const run = await startKeyed(runtime, subject, { ...options, key: `${first}${turn}` })
    if (run.isNew) return { run, isEnding: false, isNamed: true }
    if (!(await isOver(run))) {
      const open = await openRun(runtime, first, (id) => id !== run.id)
      if (open !== undefined) return { ...open, isNamed: !open.isEnding }
    }
    if (!(await isWithoutAnswer(runtime, run, subject.tool))) return { run, isEnding: false, isNamed: true }
  }
}

/** Whether a run that has ended was cancelled, or failed so that it may be tried again, and took no effect. */
async function isWithoutAnswer(runtime: Runtime, run: RunHandle, tool: AgentTool): Promise<boolean> {
  const { status } = await run.status()
  if (!isFinal(status) || status === 'completed') return false
  if (status !== 'cancelled') {
    const result = await run.result().catch((stopped: unknown) => (isExitEarly(stopped) ? undefined : Promise.reject(stopped)))
    if (result === undefined || result.ok || !result.error.retryable || result.error.outcome === 'unknown') return false
  }
  return !(await leftEffect(runtime, run.id, tool))
}

/** A start with the key of a run that is there begins nothing: it compares tool and input. */
async function checkSameInput(runtime: Runtime, run: RunHandle, subject: Subject): Promise<void> {
  const { key } = await run.status()
  if (key !== undefined) await startKeyed(runtime, subject, { key })
}

async function startKeyed({ start }: Runtime, { tool, input }: Subject, options: StartOptions): Promise<RunHandle> {
  try {
    return await start(tool, input as never, options)
  } catch (error) {
    if (!isConfigurationError(error) || error.code !== 'key_conflict') throw error
    throw new ToolError(`Tool '${tool.name}' was called before with the same key and another input.`, {
      code: 'idempotency_conflict',
      outcome: 'not_started',
      cause: error,
    })
  }
}

/** The run of one call, which its scope names, if it has not ended. */
export async function openRunOf(
  runtime: Runtime,
  subject: Subject,
  { caller, scope }: Pick<Joining, 'caller' | 'scope'>,
): Promise<RunHandle | undefined> {
  for (const each of await keyStarts(runtime, caller, { subject, scope })) {
    const known = await openRun(runtime, each, () => false)
    if (known !== undefined) return known.run
  }
  return undefined
}

export async function isOver(run: RunHandle): Promise<boolean> {
  return isFinal((await run.status()).status)
}

/** More open runs of one caller are not looked through. */
const MOST_PAGES = 50

/** The open runs of a caller's calls of a tool in a scope, whatever their input is. */
export async function openRunsIn(
  runtime: Runtime,
  tool: string,
  { caller, scope }: { readonly caller: Caller; readonly scope: string },
): Promise<readonly RunHandle[]> {
  const { openKeys, fingerprints } = await runtime.runs()
  const scopes = fingerprints(JSON.stringify(['scope', scope])).map((each) => `#${each}.`)
  const found: RunHandle[] = []
  for (const start of await keyPrefixes(runtime, caller)) {
    let below: string | undefined
    for (let page = 0; page < MOST_PAGES; page++) {
      const keys = await openKeys(start, below)
      for (const { id, key } of keys) if (scopes.some((each) => key.includes(each))) found.push(await runtime.run(id))
      if (keys.length === 0) break
      below = keys.at(-1)?.key
    }
  }
  const tools = await Promise.all(found.map(async (run) => (await run.status()).tool))
  return found.filter((_run, at) => tools[at] === tool)
}

/** The newest open run with such a key. */
async function openRun(runtime: Runtime, start: string, isApart: Joining['isApart']): Promise<JoinedRun | undefined> {
  const runs = await runtime.runs()
  let below: string | undefined
  for (;;) {
    const page = await runs.openKeys(start, below)
    const known = page.find(({ id }) => !isApart(id))
    if (known !== undefined) return { run: await runtime.run(known.id), isEnding: known.isCancelled || (await isDenied(runs, known.id)) }
    if (page.length === 0) return undefined
    below = page.at(-1)?.key
  }
}

async function isDenied(runs: Pick<Runs, 'show'>, run: string): Promise<boolean> {
  const { approvals } = await runs.show(run)
  return approvals.some(({ decision }) => decision?.action === 'reject' || decision?.action === 'stop')
}

interface RunOwner {
  readonly caller: Caller
  readonly subject?: Subject
  /** The key that the caller gave the call. */
  readonly key?: string | undefined
}

/**
 * A run of this caller; undefined for a run of somebody else as for one that does not exist. With a subject, of this tool and this input only, and
 * with a key, of a call under that key too.
 */
export async function findRun(runtime: Runtime, id: string, { caller, subject, key: given }: RunOwner): Promise<RunHandle | undefined> {
  const prefixes = await keyPrefixes(runtime, caller, subject)
  const keyed = subject === undefined || given === undefined ? [] : await keyedStarts(runtime, caller, { tool: subject.tool, key: given })
  try {
    const run = await runtime.run(id)
    const { key = '' } = await run.status()
    if (prefixes.some((each) => key.startsWith(each))) return run
    if (subject === undefined || !keyed.some((each) => key.startsWith(each))) return undefined
    await checkSameInput(runtime, run, subject)
    return run
  } catch (error) {
    if (isConfigurationError(error) && error.code === 'unknown_run') return undefined
    if (isToolError(error) && error.code === 'idempotency_conflict') return undefined
    throw error
  }
}

function isNamed({ principal, session, client }: Caller): boolean {
  return principal !== undefined || session !== undefined || client !== undefined
}

interface KeyOf {
  readonly subject: Subject
  readonly scope: string | undefined
}

/** How the keys of such calls begin. The first is for new runs; the others were made with former encryption keys. */
async function keyStarts(runtime: Runtime, caller: Caller, { subject, scope }: KeyOf): Promise<readonly string[]> {
  const calls = await keyPrefixes(runtime, caller, subject)
  if (scope === undefined) return calls.map((each) => `${each}.`)
  const { fingerprints } = await runtime.runs()
  const scopes = fingerprints(JSON.stringify(['scope', scope]))
  return calls.flatMap((call) => scopes.map((each) => `${call}${each}.`))
}

/** How the keys of the runs of one keyed call begin. They do not depend on its input. */
async function keyedStarts(
  runtime: Runtime,
  caller: Caller,
  { tool, key }: { readonly tool: AgentTool; readonly key: string },
): Promise<readonly string[]> {
  const callers = await keyPrefixes(runtime, caller)
  const { fingerprints } = await runtime.runs()
  const keys = fingerprints(JSON.stringify(['key', tool.name, key]))
  return callers.flatMap((each) => keys.map((print) => `${each}${print}#key.`))
}

/** The beginnings of all keys of a caller, or of its calls of one subject. */
async function keyPrefixes(runtime: Runtime, { principal, session, client }: Caller, subject?: Subject): Promise<readonly string[]> {
  const { fingerprints } = await runtime.runs()
  const callers = fingerprints(JSON.stringify(['caller', principal ?? null, session ?? null, client ?? null])).map(
    (each) => `door:${each}:`,
  )
  if (subject === undefined) return callers
  const calls = fingerprints(JSON.stringify(['call', subject.tool.name, hashOf(subject.input)]))
  return callers.flatMap((caller) => calls.map((call) => `${caller}${call}#`))
}
