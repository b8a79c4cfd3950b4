import type { RoutedConversation } from '../context/routed-conversation.ts'
import type { OutputRouter } from '../context/output-router.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { ToolSuccess } from '../tool/result/result.ts'
import type { Runtime } from '../runtime/create-runtime.ts'
import type { BridgeOptions, Caller } from './bridge-options.ts'
import { ownerOf } from './call-identity.ts'
import { LatestOf } from './latest-of.ts'

/** A call whose result goes to a model. */
export interface RoutedCall {
  readonly tool: AgentTool
  readonly caller: Caller
  /** What the model is asked to do, if the bridge can see it. */
  readonly task?: string | undefined
}

const MOST_CONVERSATIONS = 1000

/** What the models behind a bridge read of results: without a router, all of it. */
export class RoutedResults {
  readonly #router: OutputRouter | undefined
  readonly #runtime: Runtime | undefined
  readonly #conversations = new LatestOf<RoutedConversation>(MOST_CONVERSATIONS)

  constructor({ router, runtime }: Pick<BridgeOptions, 'router' | 'runtime'>, bridge: string) {
    if (router !== undefined && typeof router.conversation !== 'function')
      throw new ConfigurationError('invalid_option', `'router' of ${bridge} is what outputRouter({ ... }) of 'toolwright/context' returns.`)
    this.#router = router
    this.#runtime = runtime
  }

  get isOn(): boolean {
    return this.#router !== undefined
  }

  /** The tools with those that read stored outputs. */
  withReaders(named: ReadonlyMap<string, AgentTool>, bridge: string): ReadonlyMap<string, AgentTool> {
    const own = this.#router?.tools ?? []
    const taken = own.find(({ name }) => named.has(name))
    if (taken !== undefined)
      throw new ConfigurationError(
        'duplicate_name',
        `A tool of ${bridge} is named '${taken.name}', which is a tool of its router. Rename it.`,
      )
    return own.length === 0 ? named : new Map([...named, ...own.map((each) => [each.name, each] as const)])
  }

  /** A success with the text that enters the context. A part that is not text enters only with a result that enters whole. */
  async told(success: ToolSuccess, { tool, caller, task }: RoutedCall): Promise<ToolSuccess> {
    if (this.#router === undefined) return success
    const conversation = this.#conversationOf(caller, this.#router)
    // The bridge does not see how long the conversation is: every output counts by itself.
    conversation.ledger.replace([])
    const isReader = this.#router.tools.includes(tool)
    const { text, pointer } = await conversation.admit(success, {
      tags: tool.tags,
      task: task ?? caller.task,
      ...(isReader ? { level: 'verbatim' } : {}),
    })
    const { content, ...rest } = success
    return {
      ...rest,
      text,
      ...(pointer === undefined && content !== undefined ? { content: content.filter(({ type }) => type !== 'text') } : {}),
    }
  }

  #conversationOf(caller: Caller, router: OutputRouter): RoutedConversation {
    const principal = caller.principal ?? this.#runtime?.caller.principal
    const session = caller.session ?? this.#runtime?.caller.session
    const key = ownerOf({ principal, session })
    const known = this.#conversations.get(key)
    if (known !== undefined) return known
    const conversation = router.conversation({ principal, session })
    this.#conversations.set(key, conversation)
    return conversation
  }
}
