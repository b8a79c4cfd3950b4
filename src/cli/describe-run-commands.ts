import type { Command as Program } from 'commander'
import { addCommand, collect, DATABASE_URL, DEADLINE, HOME, INPUT, PERMISSION, PRINCIPAL } from './add-command.ts'

const BY = ['--by <name>', 'who decides (default: the user of this machine)'] as const
const STATUS = ['--status <status>', 'only runs of this status (repeatable)', collect] as const

/** Describes the commands for durable runs, what waits for people, and workers. */
export function describeRunCommands(program: Program): void {
  const durable: typeof addCommand = (...given) =>
    addCommand(...given)
      .option(...DATABASE_URL)
      .option(...HOME)

  durable(program, 'run <tool> [input...]', async () => (await import('./commands/run.ts')).run)
    .description('start a durable run of a tool, follow it and print the result')
    .option(...INPUT)
    .option('--key <key>', 'names the run: the same key gives the same run')
    .option('--detach', 'print the id of the run and leave')
    .option(...DEADLINE)
    .option(...PRINCIPAL)
    .option(...PERMISSION)
    .option('--progress', 'print every step as a line')
  durable(program, 'runs', async () => (await import('./commands/runs.ts')).runs)
    .description('list durable runs, newest first')
    .option(...STATUS)
    .option('--tool <name>', 'only runs of this tool')
    .option('--key <key>', 'only the run with this key')
    .option('--limit <number>', 'at most so many (default: 50)')
  durable(program, 'show <run>', async () => (await import('./commands/show.ts')).show)
    .description('show what a run was given, did and came to')
    .option('--timeline', 'draw it over time')
    .option('--export <file>', 'write all of it to a file, or with - to standard output, as one JSON document')
    .option('--include-secrets', 'show true values where secrets are masked')
  durable(program, 'cancel <run> [reason...]', async () => (await import('./commands/cancel.ts')).cancel).description(
    'ask a run to end; sagas undo what they did',
  )
  durable(program, 'resume [run]', async () => (await import('./commands/resume.ts')).resume)
    .description('take a blocked run up again, or all of them, when what blocked them is mended')
    .option('--all', 'all that are blocked')
    .option('--code <code>', 'of all, those that are blocked for this reason, such as plan_changed')
    .option('--tool <name>', 'of all, those of this tool')
  durable(program, 'retry-compensation <run>', async () => (await import('./commands/retry-compensation.ts')).retryCompensation)
    .description('try once more to undo what a saga could not')
    .option(...BY)
  durable(program, 'approvals [request]', async () => (await import('./commands/approvals.ts')).approvals)
    .description('list what waits for a person, or show one request in full')
    .option('--run <run>', 'only requests of this run')
    .option('--tool <name>', 'only requests about this tool')
    .option('--assignee <name>', 'only requests for this person')
  durable(program, 'approve <request>', async () => (await import('./commands/approve.ts')).approve)
    .description('let a request through, as it is, with another input, or with an answer')
    .option(...BY)
    .option('--input <json>', 'run with this input instead, all of it (@file for a file)')
    .option('--patch <json>', 'run with these fields changed: a JSON merge patch (@file for a file)')
    .option('--answer <json>', 'the answer to a question (@file for a file)')
    .option('--note <text>', 'what to note beside the decision')
  durable(program, 'reject <request> [reason...]', async () => (await import('./commands/reject.ts')).reject)
    .description('refuse a request; the caller can adapt')
    .option(...BY)
    .option('--stop', 'end the whole run')
  durable(program, 'assign <request> <who>', async () => (await import('./commands/assign.ts')).assign).description(
    "say who should decide a request; '' for nobody in particular",
  )
  durable(program, 'expire <request>', async () => (await import('./commands/expire.ts')).expire).description(
    'let what would happen at the time-out of a request happen now',
  )
  durable(program, 'prune', async () => (await import('./commands/prune.ts')).prune)
    .description('remove runs that have ended, and all that they left behind')
    .option('--older-than <duration>', 'those that ended longer ago, such as 30d')
    .option('--keep <number>', 'all but so many that ended last')
    .option(...STATUS)
  durable(program, 'worker', async () => (await import('./commands/worker.ts')).worker)
    .description('carry durable runs on until it is told to stop')
    .option('--concurrency <number>', 'runs at the same time (default: 20)')
    .option('--limit <tool=number>', 'runs of one tool at the same time, over all workers (repeatable)', collect)
    .option('--drain <duration>', 'how long what is under way may take to end after SIGTERM (default: 30s)')
}
