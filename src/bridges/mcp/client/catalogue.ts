import type { McpImportOptions, McpToolChoice } from '../../../runtime/mcp-server-entry.ts'
import { isStatusThere } from '../../../runtime/upstream-status.ts'
import type { AgentTool } from '../../../tool/agent-tool.ts'
import { isConfigurationError } from '../../../tool/errors/configuration-error.ts'
import { reasonOf } from '../../../tool/errors/message-of.ts'
import { printable } from '../../../tool/printable.ts'
import { excerpt } from '../../../schema/quote.ts'
import type { McpFinding } from './finding.ts'
import { importedTool, type ImportSetting } from './imported-tool.ts'
import type { McpInput } from './mcp-input.ts'
import type { ListedTools } from './list-definitions.ts'
import { modelNames, readDefinition, type McpToolDefinition } from './tool-definition.ts'

/** A tool of a server that may be called. */
interface CatalogueEntry {
  readonly definition: McpToolDefinition
  readonly tool: AgentTool<McpInput>
  /** The tool waits for runs of the server. */
  readonly awaits: boolean
  /** False for a `run_status` that the user has not chosen: it answers about receipts of the tools that they have chosen. */
  readonly isChosen: boolean
}

/** The tools of a server at one moment. */
export interface Catalogue {
  /** By their names on the server, in its order. */
  readonly entries: ReadonlyMap<string, CatalogueEntry>
  /** What the server says of every tool that it has, refused ones too, by their names on the server. */
  readonly definitions: ReadonlyMap<string, McpToolDefinition>
  /** The same in the words of the server. */
  readonly told: readonly unknown[]
  readonly findings: readonly McpFinding[]
  /** The names of all tools that the server has, unusable ones and those that were not chosen too. */
  readonly names: ReadonlySet<string>
  /** The list was read to its end. */
  readonly isWhole: boolean
}

export const EMPTY_CATALOGUE: Catalogue = {
  entries: new Map(),
  definitions: new Map(),
  told: [],
  findings: [],
  names: new Set(),
  isWhole: false,
}

export interface CatalogueRules extends McpImportOptions, Pick<ImportSetting, 'server' | 'call' | 'runs' | 'asksHere'> {
  readonly prefix: string
}

const LONGEST_LABEL = 80

/** What a list of a server means under the rules of the user. A tool of which nothing has changed stays the same object. */
export function catalogueOf({ tools, cut }: ListedTools, rules: CatalogueRules, before: Catalogue): Catalogue {
  const { server, include, exclude, pins, call, runs, asksHere, metadata, trustAnnotations = false } = rules
  const findings: McpFinding[] = []
  const find = (severity: McpFinding['severity'], code: McpFinding['code'], about: Pick<McpFinding, 'tool' | 'message' | 'hint'>): void =>
    void findings.push({ severity, code, server, ...about })
  if (cut !== undefined)
    find('warning', 'list_cut', { message: `Not all tools of MCP server '${server}' are taken: ${cut}.`, hint: CUT_HINT })

  const definitions = new Map<string, McpToolDefinition>()
  const told: unknown[] = []
  const there = new Set<string>()
  for (const each of tools) {
    const read = readDefinition(each)
    const { name } = read
    const label = excerpt(printable(name), LONGEST_LABEL)
    there.add(name)
    if ('problem' in read) {
      find('warning', 'tool_unusable', { tool: label, message: `Tool '${label}' cannot be used: ${read.problem}.`, hint: UNUSABLE_HINT })
    } else if (definitions.has(name)) {
      find('warning', 'name_taken', {
        tool: label,
        message: `The server lists '${label}' twice; the first one is taken.`,
        hint: UNUSABLE_HINT,
      })
    } else if (!isChosen(exclude, read.definition, false) && (isChosen(include, read.definition, true) || isStatus(read.definition))) {
      definitions.set(name, read.definition)
      told.push(each)
    }
  }
  const awaits = [...definitions.values()].some(isStatus)
  const names = modelNames([...definitions.keys()], rules.prefix)
  const entries = new Map<string, CatalogueEntry>()
  const taken = new Set<string>()
  for (const [name, definition] of definitions) {
    const label = excerpt(printable(name), LONGEST_LABEL)
    const pinned = pins === undefined ? definition.hash : Object.hasOwn(pins, name) ? pins[name] : undefined
    const isWanted = isChosen(include, definition, true)
    if (pinned === undefined) {
      find('warning', 'tool_unpinned', { tool: label, message: `Tool '${label}' is not pinned, and is not offered.`, hint: PIN_HINT })
      continue
    }
    if (pinned !== definition.hash) {
      const message = `The server has changed the description or a schema of tool '${label}' since it was pinned. The tool is refused.`
      find('error', 'tool_changed', { tool: label, message, hint: PIN_HINT })
      continue
    }
    const known = before.entries.get(name)
    const own = names.get(name) ?? name
    if (taken.has(own)) {
      find('warning', 'name_taken', {
        tool: label,
        message: `Another tool of the server is named '${own}' here already.`,
        hint: UNUSABLE_HINT,
      })
      continue
    }
    taken.add(own)
    if (known?.definition.hash === definition.hash && known.tool.name === own && known.awaits === awaits) {
      entries.set(name, known)
      continue
    }
    if (pins === undefined && (before.definitions.get(name)?.hash ?? definition.hash) !== definition.hash) {
      const message = `The server has changed the description or a schema of tool '${label}' since it was read before.`
      find('warning', 'tool_changed', { tool: label, message, hint: CHANGED_HINT })
    }
    try {
      const own_ = metadata !== undefined && Object.hasOwn(metadata, name) ? metadata[name] : undefined
      const made = importedTool(definition, { server, name: own, metadata: own_, trustAnnotations, runs, awaits, asksHere, call })
      entries.set(name, { definition, tool: made, awaits, isChosen: isWanted })
    } catch (error) {
      // A mistake in the metadata of the user.
      if (isConfigurationError(error) && error.code === 'invalid_option') throw error
      const why = excerpt(printable(reasonOf(error)), 300)
      find('warning', 'tool_unusable', { tool: label, message: `Tool '${label}' cannot be used: ${why}`, hint: UNUSABLE_HINT })
    }
  }
  for (const name of missingNames(rules, there)) {
    const label = excerpt(printable(name), LONGEST_LABEL)
    const isPinned = pins !== undefined && Object.hasOwn(pins, name)
    find('warning', isPinned ? 'tool_missing' : 'unknown_name', {
      tool: label,
      message: `The server has no tool '${label}', which the options name.`,
      hint: 'Correct the name, or remove it from the options and the pins.',
    })
  }
  return { entries, definitions, told, findings, names: there, isWhole: cut === undefined }
}

const CUT_HINT = "Choose the tools with 'include', or raise 'maxTools'."
const UNUSABLE_HINT = "Tell the author of the server, or leave the tool out with 'exclude'."
const PIN_HINT = 'Read what the server says of it now: toolwright pin --dry-run. Then accept it: toolwright pin.'
const CHANGED_HINT = 'Pin the tools of the server, so that changed ones are refused: toolwright pin.'

function isStatus({ name, inputSchema }: McpToolDefinition): boolean {
  return isStatusThere(name, inputSchema)
}

function isChosen(
  choice: McpToolChoice | undefined,
  { name, title, description, annotations }: McpToolDefinition,
  otherwise: boolean,
): boolean {
  if (choice === undefined) return otherwise
  return typeof choice === 'function' ? choice({ name, title, description, annotations }) === true : choice.includes(name)
}

function missingNames({ include, exclude, metadata = {}, pins = {} }: CatalogueRules, there: ReadonlySet<string>): readonly string[] {
  const lists = [include, exclude].flatMap((each) => (typeof each === 'function' ? [] : (each ?? [])))
  return [...new Set([...lists, ...Object.keys(metadata), ...Object.keys(pins)])].filter((name) => !there.has(name))
}
