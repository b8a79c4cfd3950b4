import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { AgentTool } from '../tool/agent-tool.ts'
import { CliError } from './cli-error.ts'
import { pairsToArguments, wantsText } from './pairs-to-arguments.ts'

export interface GivenInput {
  /** JSON, `-` for standard input, or `@file`. */
  readonly input?: string | undefined
  /** Pairs of key and value, or one text. */
  readonly words: readonly string[]
}

/** The text of the arguments, as a model would send it. */
export async function callInput(tool: AgentTool, { input, words }: GivenInput): Promise<string> {
  if (input === undefined) {
    if (words.length > 0) return JSON.stringify(pairsToArguments(words, tool.specification))
    if (!wantsText(tool.specification)) return ''
    throw new CliError('usage', `'${tool.name}' takes a text, and none is given.`, {
      hint: `Write it after the name: toolwright call ${tool.name} 'some text'. '' is the empty text, and --input - takes it from standard input.`,
    })
  }
  if (words.length > 0) {
    throw new CliError('usage', `The input is given twice: with --input and as '${words[0]}'.`, { hint: 'Use --input or key=value pairs.' })
  }
  if (input === '-') return text(process.stdin)
  return input.startsWith('@') ? readInput(input.slice(1)) : input
}

async function readInput(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CliError('usage', `The input could not be read from ${file}. ${why}`, { cause, hint: 'Check the path after @.' })
  }
}
