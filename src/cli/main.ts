#!/usr/bin/env node
import { describeProgram, isCommanderError } from './program.ts'
import { guardOutput } from './standard-output.ts'

/** Printed help and version are the only ends of a parse that are well. */
async function main(): Promise<void> {
  guardOutput()
  try {
    await describeProgram().parseAsync()
  } catch (error) {
    if (!isCommanderError(error)) throw error
    const isWell = error.exitCode === 0
    if (!isWell && process.argv.includes('--json')) {
      const message = error.code === 'commander.help' ? 'No command is given.' : error.message.replace(/^error: /, '')
      process.stdout.write(`${JSON.stringify({ ok: false, error: { code: 'usage', message } }, undefined, 2)}\n`)
    }
    process.exitCode = isWell ? 0 : 2
  }
}

// Not awaited at the top: the chunks of the commands may import this one, and would wait for it.
void main()
