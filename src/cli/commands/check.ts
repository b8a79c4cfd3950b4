import { check as checkTool } from '../../plan/check.ts'
import { type Finding, isSound, type Severity } from '../../plan/finding.ts'
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
import { type DatabaseFlags, openDatabase } from '../open-database.ts'
import { openRunner } from '../open-runner.ts'
import type { Format, Output } from '../output.ts'
import { openWorkspace, pickTool, type Workspace } from '../workspace.ts'

interface CheckOptions extends CommonOptions, GivenPrincipal, DatabaseFlags {
  readonly openRuns?: boolean | undefined
  readonly deadline?: Duration | undefined
  readonly dialect?: string | undefined
}

/** `toolwright check [tool]`: what is wrong with a tool, or with any of them; with `--open-runs`, which open runs could not continue with these tools; with `--dialect`, what a vendor's strict mode cannot express. */
export const check: Command<CheckOptions> = async ({ words: [name], options, output }) => {
  const workspace = await openWorkspace(options)
  if (options.openRuns === true) {
    if (name !== undefined) throw new CliError('usage', '--open-runs checks all open runs; leave the name of the tool out.')
    return checkOpenRuns(workspace, options, output)
  }
  const { config, tools } = workspace
  if (options.dialect !== undefined) {
    const given = name === undefined ? tools.tools : [pickTool(workspace, name)]
    return checkDialect(given, dialectTarget(options.dialect), output)
  }
  const principal = callPrincipal(options, config.principal)
  const deadline = options.deadline ?? (config.deadline instanceof Date ? undefined : config.deadline)
  // With a database, a program can decide at its inbox. Without a reviewer too, requests are decided by `toolwright approve`.
  const review = config.database === undefined ? (config.review ?? BY_NAME) : undefined
  const chosen = name === undefined ? tools.tools : [pickTool(workspace, name)]
  const checked: readonly CheckedTool[] = chosen.map((tool) => {
    const findings = checkTool(tool, { principal, deadline, review, reviewers: config.reviewers })
    return { tool: tool.name, sound: isSound(findings), findings }
  })
  const sound = checked.every((each) => each.sound)
  if (output.json) output.printJson({ sound, tools: checked })
  else output.print(findingsText(checked, output))
  return sound ? EXIT.ok : EXIT.failed
}

/** The command line knows the deciders by their names. Any number of them can approve. */
const BY_NAME: Pick<ReviewHandler, 'deciders' | 'counts'> = { deciders: 'claimed', counts: true }

/** What `check` found in one tool. */
interface CheckedTool {
  readonly tool: string
  readonly sound: boolean
  readonly findings: readonly Finding[]
}

const FORMATS: Readonly<Record<Severity, Format>> = { error: 'red', warning: 'yellow', note: 'cyan' }
const SEVERITY_WIDTH = 9

/** Findings for a person: severity and place, then what it is and what to do, then how many there are. */
function findingsText(checked: readonly CheckedTool[], output: Output): string {
  const all = checked.flatMap(({ findings }) => findings)
  const indent = ' '.repeat(SEVERITY_WIDTH)
  const blocks = all.map(({ severity, path, field, code, message, hint }) => {
    const place = field === undefined ? path : `${path} (${field})`
    const head = `${output.paint(FORMATS[severity], severity.padEnd(SEVERITY_WIDTH))}${output.paint('bold', printable(place))}  ${output.paint('dim', code)}`
    return [head, `${indent}${printable(message)}`, `${indent}${printable(hint)}`].join('\n')
  })
  const count = (severity: Severity): string => counted(all.filter((each) => each.severity === severity).length, severity)
  const total = `${counted(checked.length, 'tool')} checked: ${count('error')}, ${count('warning')}, ${count('note')}.`
  return [...blocks, total].join('\n\n')
}

function counted(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

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

/** Rehearses every open run under the tools of the workspace: before a deploy, this shows which runs would be refused. Nothing runs. */
async function checkOpenRuns(workspace: Workspace, flags: DatabaseFlags, output: Output): Promise<ExitCode> {
  const { database, close } = await openDatabase(flags, workspace.config.database)
  try {
    const runs = await openRunner(workspace, { database, app: flags.app, output, worker: false })
    try {
      const rehearsed = await runs.rehearse()
      const sound = rehearsed.every(({ problem }) => problem === undefined)
      if (output.json) output.printJson({ sound, runs: rehearsed })
      else output.print(rehearsedText(rehearsed, output))
      return sound ? EXIT.ok : EXIT.failed
    } finally {
      await runs.close()
    }
  } finally {
    await close()
  }
}

function rehearsedText(rehearsed: readonly RehearsedRun[], output: Output): string {
  const problems = rehearsed.flatMap(({ run, tool, status, problem, doubt }) => {
    const place = `${output.paint('bold', printable(run))}  ${printable(tool)} (${status})`
    if (problem !== undefined)
      return [`${output.paint('red', 'refused')}  ${place}  ${output.paint('dim', problem.code)}\n         ${printable(problem.message)}`]
    return doubt === undefined ? [] : [`${output.paint('yellow', 'unsure')}   ${place}\n         ${printable(doubt)}`]
  })
  const refused = rehearsed.filter(({ problem }) => problem !== undefined).length
  const total = `${rehearsed.length} open ${rehearsed.length === 1 ? 'run' : 'runs'} rehearsed: ${refused} could not continue with these tools.`
  return [...problems, total].join('\n\n')
}
