import { readFile } from 'node:fs/promises'
import { jsonProblem } from '../tool/input/json-problem.ts'
import { CliError } from './cli-error.ts'

/** The value of a flag that takes JSON, or `@file` with JSON in it. */
export async function jsonFlag(flag: string, given: string): Promise<unknown> {
  const text = given.startsWith('@') ? await fileText(flag, given.slice(1)) : given
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new CliError('usage', `${flag} is not valid JSON. ${jsonProblem(text, cause)}.`, {
      hint:
        flag === '--patch'
          ? `A patch holds the fields to change: ${flag} '{"field": "new value"}'.`
          : `A text needs its quotes: ${flag} '"some text"'.`,
    })
  }
}

async function fileText(flag: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new CliError('usage', `${flag} could not be read from ${file}. ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
  }
}
