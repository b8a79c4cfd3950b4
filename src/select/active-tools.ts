import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import type { Catalog } from './catalog.ts'
import type { SelectOptions } from './selection.ts'
import { learned, type Strategy } from './strategies.ts'

/** Characters of a conversation that a request is made of. */
const MAX_REQUEST = 2000

/** The options of `activeTools`. */
export interface ActiveToolsOptions extends SelectOptions {
  /** Names of tools that every step may use. */
  readonly always?: readonly string[] | undefined
  /** How tools are chosen; `learned` unless given. */
  readonly strategy?: Strategy | undefined
}

const NAMES = optionNames<ActiveToolsOptions>({
  k: true,
  principal: true,
  tokens: true,
  allows: true,
  always: true,
  strategy: true,
})

/** A step of the AI SDK, as far as it is needed here. */
export interface PreparedStep {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
  /** The steps before, with the tools that they called. */
  readonly steps?: readonly { readonly toolCalls?: readonly { readonly toolName: string }[] }[] | undefined
}

/**
 * For `prepareStep` of the AI SDK: each step gets the schemas of the few tools that the last message of the user needs, and of those that
 * were called before. The tools themselves are given to the AI SDK as ever, by `toAiSdk`.
 * @example
 * const prepareStep = activeTools(await catalog([shout]), { k: 5, always: ['search_tools'] })
 * console.log(await prepareStep({ messages: [{ role: 'user', content: 'say it louder' }] }))
 */
export function activeTools(
  catalog: Catalog,
  options: ActiveToolsOptions = {},
): (step: PreparedStep) => Promise<{ readonly activeTools: string[] }> {
  checkOptionNames(options, NAMES, 'The options of activeTools')
  const { always = [], strategy = learned(), ...selection } = options
  return async ({ messages, steps = [] }) => {
    const { tools } = await strategy(catalog, lastRequest(messages), selection)
    const called = steps.flatMap(({ toolCalls = [] }) => toolCalls.map(({ toolName }) => toolName))
    const names = [...always, ...tools.map(({ tool }) => tool.name), ...called]
    return { activeTools: [...new Set(names)] }
  }
}

function lastRequest(messages: PreparedStep['messages']): string {
  const { content } = messages.findLast(({ role }) => role === 'user') ?? { content: '' }
  if (typeof content === 'string') return content.slice(0, MAX_REQUEST)
  if (!Array.isArray(content)) return ''
  const texts = content.map((part: unknown) => (part as { readonly text?: unknown } | null)?.text)
  return texts
    .filter((text) => typeof text === 'string')
    .join(' ')
    .slice(0, MAX_REQUEST)
}
