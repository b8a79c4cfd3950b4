import type { AgentTool } from '../tool/agent-tool.ts'
import { type Metadata, METADATA_NAMES } from '../tool/metadata.ts'
import { tool } from '../tool/tool.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

type Answer<O> = { readonly value: O } | { readonly error: Error }

/** The options of `scriptedTool`. */
export interface ScriptedOptions<O> extends Metadata {
  readonly name: string
  /** One for each call, in order; the last one for ever. */
  readonly answers: readonly [Answer<O>, ...Answer<O>[]]
}

const NAMES = optionNames<ScriptedOptions<unknown>>({ ...METADATA_NAMES, name: true, answers: true })

/** A string tool that follows a script and remembers its inputs. */
export interface ScriptedTool<O> {
  readonly tool: AgentTool<string, O>
  readonly inputs: readonly string[]
}

/**
 * A tool for tests: answers by script and records its inputs.
 * @example
 * const flaky = scriptedTool({ name: 'flaky', answers: [{ error: new Error('busy') }, { value: 'done' }] })
 * const first = await flaky.tool.call('a') // fails
 * const second = await flaky.tool.call('b') // second.ok is true
 */
export function scriptedTool<O>(options: ScriptedOptions<O>): ScriptedTool<O> {
  checkOptionNames(options, NAMES, 'The options of scriptedTool')
  const { name, answers, ...metadata } = options
  for (const answer of answers) checkOptionNames(answer, ['value', 'error'], `The fields of an answer of '${name}'`)
  const inputs: string[] = []
  const scripted = tool({
    ...metadata,
    name,
    description: `Answers by a script of ${answers.length}.`,
    execute: (input): O => {
      const answer = answers[Math.min(inputs.length, answers.length - 1)] ?? answers[0]
      inputs.push(input)
      if ('error' in answer) throw answer.error
      return answer.value
    },
  })
  return { tool: scripted as AgentTool<string, O>, inputs }
}
