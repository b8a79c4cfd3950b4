import { type AgentTool, identityOf } from '../agent-tool.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { IdentityOwners } from '../identity-owners.ts'

/** A tool of a list, with the provider that may give others at any time. */
export interface ListedTool {
  readonly tool: AgentTool
  readonly by: object | undefined
}

/** A tool of a provider that is not offered, because another tool had its name before. */
export interface LeftOutTool {
  readonly tool: AgentTool
  readonly message: string
  /** What to do next. */
  readonly hint: string
}

export interface SettledNames {
  readonly tools: readonly AgentTool[]
  readonly leftOut: readonly LeftOutTool[]
}

/**
 * Decides which tool has a name. In what the program itself lists, two tools with one name are a mistake, and an error. A provider that tells of
 * changes, such as a connection to another server, may take any name at any time: what it adds gives way to every tool of the program, and to the
 * provider that had the name before. One memory belongs to one list.
 */
export class NameMemory {
  #holders: ReadonlyMap<string, object> = new Map()
  #told: ReadonlySet<string> = new Set()

  settle(listed: readonly ListedTool[]): SettledNames {
    const owners = new IdentityOwners()
    const taken = new Set<string>()
    for (const { tool, by } of listed) {
      if (by !== undefined) continue
      if (taken.has(tool.name)) throw new ConfigurationError('duplicate_name', `Duplicate tool name: '${tool.name}'`)
      taken.add(tool.name)
    }
    claimAll(listed, owners)
    if (listed.every(({ by }) => by === undefined)) return { tools: listed.map(({ tool }) => tool), leftOut: NONE }
    return this.#settleChanging(listed, owners, taken)
  }

  /** Those of which nothing was said at the time before. */
  news(leftOut: readonly LeftOutTool[]): readonly LeftOutTool[] {
    if (leftOut.length === 0 && this.#told.size === 0) return NONE
    const news = leftOut.filter(({ message }) => !this.#told.has(message))
    this.#told = new Set(leftOut.map(({ message }) => message))
    return news
  }

  #settleChanging(listed: readonly ListedTool[], owners: IdentityOwners, taken: Set<string>): SettledNames {
    const changing = listed.filter(({ by }) => by !== undefined)
    const isHeld = ({ tool, by }: ListedTool): boolean => this.#holders.get(tool.name) === by
    const kept = new Set<ListedTool>(listed.filter(({ by }) => by === undefined))
    const leftOut: LeftOutTool[] = []
    const holders = new Map<string, object>()
    for (const each of [...changing.filter(isHeld), ...changing.filter((one) => !isHeld(one))]) {
      const { tool, by } = each
      const refused = taken.has(tool.name) ? takenName(tool) : takenIdentity(tool, owners)
      if (refused !== undefined) leftOut.push(refused)
      else {
        taken.add(tool.name)
        kept.add(each)
        if (by !== undefined) holders.set(tool.name, by)
        for (const part of treeOf([tool])) owners.claim(part)
      }
    }
    this.#holders = holders
    return { tools: listed.filter((each) => kept.has(each)).map(({ tool }) => tool), leftOut: Object.freeze(leftOut) }
  }
}

const NONE: readonly LeftOutTool[] = Object.freeze([])

function takenName(tool: AgentTool): LeftOutTool {
  const message = `A tool '${tool.name}'${from(tool)} is not offered: another tool had this name before.`
  return Object.freeze({ tool, message, hint: "Give the connection a 'prefix', or leave the tool out with 'exclude'." })
}

/** A part of another tool has the identity, often the same tool from before it was changed. */
function takenIdentity(tool: AgentTool, owners: IdentityOwners): LeftOutTool | undefined {
  for (const part of treeOf([tool])) {
    const owner = owners.ownerOf(part)
    if (owner === undefined) continue
    const what = owner.source !== undefined && owner.source === part.source ? 'an earlier form of it' : `another tool ${identityOf(owner)}`
    const message = `A tool '${tool.name}'${from(tool)} is not offered: ${what} is a part of a tool of the list.`
    return Object.freeze({ tool, message, hint: "Build the other tool again, or give the connection a 'prefix'." })
  }
  return undefined
}

function from({ source }: AgentTool): string {
  return source === undefined ? '' : ` of ${source}`
}

/** Refuses a list in whose trees two different tools have one identity. */
function claimAll(listed: readonly ListedTool[], owners: IdentityOwners): void {
  for (const each of treeOf(listed.flatMap(({ tool, by }) => (by === undefined ? [tool] : []))))
    if (owners.claim(each) !== undefined)
      throw new ConfigurationError(
        'duplicate_name',
        `Duplicate tool name: '${each.name}' (two different tools are both ${identityOf(each)}; give one another name or version)`,
      )
}

/** The tools and all of their parts, each once. */
function* treeOf(tools: readonly AgentTool[]): Generator<AgentTool> {
  const met = new Set(tools)
  // The iteration of a set includes elements added meanwhile.
  for (const each of met) {
    yield each
    for (const part of each.plan().parts) met.add(part.tool)
  }
}
