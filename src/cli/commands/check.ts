import { check as checkTool } from '../../plan/check.ts'
import { isHarmless, isSound } from '../../plan/finding.ts'
import type { RecordedRun } from '../../plan/observed-calls.ts'
import { allotStrict } from '../../schema/dialects/allot-strict.ts'
import { dialectText } from '../../schema/dialects/dialect-text.ts'
import type { DialectTarget } from '../../schema/dialects/dialect-rules.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { RehearsedRun } from '../../run/segment/rehearse-runs.ts'
import type { Duration } from '../../tool/duration.ts'
import { printable } from '../../tool/printable.ts'
import type { ReviewHandler } from '../../tool/review.ts'
import { callPrincipal, type GivenPrincipal } from '../call-principal.ts'
import { CliError } from '../cli-error.ts'
import type { Command, CommonOptions } from '../command.ts'
import { dialectTarget } from '../dialect-target.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { type CheckedTool, counted, countsOf, findingsText, severityText } from '../findings-text.ts'
import { type DatabaseFlags, openDatabase } from '../open-database.ts'
import { openRunner } from '../open-runner.ts'
import type { OpenedRuns } from '../../run/open-runs.ts'
import type { Output } from '../output.ts'
import { openWorkspace, pickTool, type Workspace } from '../workspace.ts'

interface CheckOptions extends CommonOptions, GivenPrincipal, DatabaseFlags {
  readonly openRuns?: boolean | undefined
  readonly recorded?: boolean | undefined
  readonly strict?: boolean | undefined
  readonly deadline?: Duration | undefined
  readonly dialect?: string | undefined
}

/** `toolwright check [tool]`: what is wrong with a tool, or with any of them; with `--open-runs`, which open runs could not continue with these tools; with `--recorded`, also the order in which compounds ran; with `--dialect`, what a vendor's strict mode cannot express. */
export const check: Command<CheckOptions> = async ({ words: [name], options, output }) => {
  const { strict = false } = options
  const workspace = await openWorkspace(options)
  if (options.openRuns === true) {
    if (name !== undefined) throw new CliError('usage', '--open-runs checks all open runs; leave the name of the tool out.')
    return checkOpenRuns(workspace, options, output)
  }
  const { config, tools } = workspace
  const chosen = name === undefined ? tools.tools : [pickTool(workspace, name)]
  if (options.dialect !== undefined) return checkDialect(chosen, dialectTarget(options.dialect), output)
  const recorded = options.recorded === true ? await recordedOf(workspace, chosen, { options, output }) : undefined
  const principal = callPrincipal(options, config.principal)
  const deadline = options.deadline ?? (config.deadline instanceof Date ? undefined : config.deadline)
  // With a database, a program can decide at its inbox. Without a reviewer too, requests are decided by `toolwright approve`.
  const review = config.database === undefined ? (config.review ?? BY_NAME) : undefined
  const checked: readonly CheckedTool[] = chosen.map((tool) => {
    const findings = checkTool(tool, { principal, deadline, review, reviewers: config.reviewers, recorded: recorded?.get(tool.name) })
    return { tool: tool.name, sound: isSound(findings, { strict }), findings }
  })
  const all = name === undefined ? [...checked, ...checkedServers(workspace, strict)] : checked
  const sound = all.every((each) => each.sound)
  if (output.json) output.printJson({ sound, strict, ...countsOf(all), tools: all })
  else output.print(findingsText(all, output))
  return sound ? EXIT.ok : EXIT.failed
}

/** What is wrong with the MCP servers, each of which counts like a tool where something is. */
function checkedServers({ findings: found }: Workspace, strict: boolean): readonly CheckedTool[] {
  return [...new Set(found.map(({ server }) => server))].map((server) => {
    const findings = found
      .filter((each) => each.server === server)
      .map(({ severity, code, tool, message, hint }) => ({
        severity,
        code,
        path: tool === undefined ? server : `${server}/${tool}`,
        message,
        hint,
      }))
    return { tool: server, sound: findings.every(({ severity }) => isHarmless(severity, strict)), findings }
  })
}

/** The command line knows the deciders by their names. Any number of them can approve. */
const BY_NAME: Pick<ReviewHandler, 'deciders' | 'counts'> = { deciders: 'claimed', counts: true }

/** What a vendor's strict mode cannot express. Such rules still hold, so nothing is wrong. */
function checkDialect(tools: readonly AgentTool[], target: DialectTarget, output: Output): ExitCode {
  const allotted = allotStrict(
    tools.map(({ specification }) => specification),
    target,
  )
  if (output.json) {
    const shown = allotted.map(({ name, strict, dialect: { schema, moved, lost, narrowed, cost } }) => ({
      tool: name,
      strict,
      schema,
      moved,
      lost,
      narrowed,
      cost,
    }))
    output.printJson({ target, tools: shown })
    return EXIT.ok
  }
  const blocks = allotted.map(({ name, strict, dialect }) => {
    const text = dialectText(dialect)
    const lines = text === '' ? ['expressed in full'] : text.split('\n')
    return [`${output.paint('bold', printable(name))}${strict ? '  strict' : ''}`, ...lines.map((line) => `  ${printable(line)}`)].join(
      '\n',
    )
  })
  const strict = allotted.filter((each) => each.strict).length
  output.print([...blocks, `${counted(allotted.length, 'tool')} in ${target}, ${strict} strict.`].join('\n\n'))
  return EXIT.ok
}

interface Asked {
  readonly options: CheckOptions
  readonly output: Output
}

/** The newest runs of each tool, by its name. */
async function recordedOf(
  workspace: Workspace,
  tools: readonly AgentTool[],
  asked: Asked,
): Promise<ReadonlyMap<string, readonly RecordedRun[]>> {
  return withRuns(workspace, asked, async (runs) => {
    const recorded = new Map<string, readonly RecordedRun[]>()
    for (const { name } of tools) recorded.set(name, await runs.recorded({ tool: name }))
    return recorded
  })
}

async function withRuns<T>(workspace: Workspace, { options, output }: Asked, work: (runs: OpenedRuns) => Promise<T>): Promise<T> {
  const { database, app, close } = await openDatabase(options, workspace, { isThere: true })
  try {
    const runs = await openRunner(workspace, { database, app, output, worker: false })
    try {
      return await work(runs)
    } finally {
      await runs.close()
    }
  } finally {
    await close()
  }
}

/** Rehearses every open run under the tools of the workspace: before a deploy, this shows which runs would be refused. Nothing runs. */
async function checkOpenRuns(workspace: Workspace, options: CheckOptions, output: Output): Promise<ExitCode> {
  const { strict = false } = options
  const rehearsed = await withRuns(workspace, { options, output }, (runs) => runs.rehearse())
  const sound = rehearsed.every(({ severity }) => severity === undefined || (severity === 'warning' && !strict))
  if (output.json) output.printJson({ sound, strict, runs: rehearsed })
  else output.print(rehearsedText(rehearsed, output))
  return sound ? EXIT.ok : EXIT.failed
}

function rehearsedText(rehearsed: readonly RehearsedRun[], output: Output): string {
  const problems = rehearsed.flatMap(({ run, tool, status, severity, problem, doubt }) => {
    if (severity === undefined) return []
    const code = problem === undefined ? '' : `  ${output.paint('dim', problem.code)}`
    const head = `${severityText(severity, output)}${output.paint('bold', printable(run))}  ${printable(tool)} (${status})${code}`
    return [`${head}\n         ${printable(problem?.message ?? doubt ?? '')}`]
  })
  const refused = rehearsed.filter(({ problem }) => problem !== undefined).length
  const total = `${counted(rehearsed.length, 'open run')} rehearsed: ${refused} could not continue with these tools.`
  return [...problems, total].join('\n\n')
}
