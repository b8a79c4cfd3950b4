#!/usr/bin/env node
import { guardOutput } from './guard-output.ts'
import { helpText } from './help-text.ts'
import { nodeBeside, nodeProblem } from './node-problem.ts'

const HELP_FLAGS: readonly string[] = ['--help', '-h', 'help']

/** Not listed: the completion scripts of the shells call it. */
const COMPLETE = '__complete'

async function main(): Promise<void> {
  guardOutput()
  const problem = nodeProblem(process.versions.node, { own: nodeBeside(import.meta.url) })
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`)
    process.exitCode = 1
    return
  }
  const [first = '', ...others] = process.argv.slice(2)
  if (others.length === 0 && HELP_FLAGS.includes(first)) {
    process.stdout.write(helpText(process.stdout.columns))
    return
  }
  if (first === COMPLETE) {
    const { answerCompletion } = await import('./completion/answer-completion.ts')
    return answerCompletion(others)
  }
  const { runProgram } = await import('./describe-program.ts')
  await runProgram()
}

// Not awaited at the top: the chunks of the commands may import this one, and would wait for it.
void main()
