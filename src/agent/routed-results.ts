import type { RoutedConversation } from '../context/conversation.ts'
import type { OutputRouter } from '../context/output-router.ts'
import { estimateTokens } from '../context/tokens.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { jsonSchema } from '../tool/contract.ts'
import type { ToolContext } from '../tool/context.ts'
import { shortName } from '../tool/identity.ts'
import type { ToolResult } from '../tool/result/result.ts'
import { tool } from '../tool/tool.ts'
import type { OfferedTool } from './offered-tool.ts'

/** Decides what of a result the model reads. In a recorded run the decision is recorded. */
export interface ResultDoor {
  readonly admit: (label: string, result: ToolResult, tags: readonly string[]) => Promise<string>
  /** Tokens that the model itself has added to the context. */
  readonly said: (label: string, tokens: number) => void
}

/** Every result enters whole. */
export const WHOLE_RESULTS: ResultDoor = { admit: async (_label, { text }) => text, said: () => {} }

interface Routing {
  readonly router: OutputRouter
  readonly system: string
  readonly task: string
  readonly tools: readonly OfferedTool[]
}

interface Admitted {
  readonly text: string
  readonly tokens: number
  readonly pointer: string | null
}

export function routedResults(context: ToolContext, { router, system, task, tools }: Routing): ResultDoor {
  const conversation = router.conversation({ principal: context.principal, session: context.session, system, task })
  conversation.ledger.set('schemas', 'tools', estimateTokens(JSON.stringify(tools.map(({ tool: { specification } }) => specification))))
  return {
    admit: (label, result, tags) => admit(context, conversation, { label, result, tags }),
    said: (label, tokens) => void conversation.ledger.add({ kind: 'history', label, tokens }),
  }
}

interface Admission {
  readonly label: string
  readonly result: ToolResult
  readonly tags: readonly string[]
}

/** A pointer is made by chance, and the budget depends on all before: a run that is taken up reads what the first one was given. */
async function admit(context: ToolContext, conversation: RoutedConversation, { label, result, tags }: Admission): Promise<string> {
  let isNew = false
  const admitted = await context.decide(`${label}.admitted`, async (): Promise<Admitted> => {
    isNew = true
    const { text, tokens, pointer } = await conversation.admit(result, { tags, signal: context.signal })
    return { text, tokens, pointer: pointer ?? null }
  })
  if (!isNew) conversation.ledger.add({ kind: 'output', label, tokens: admitted.tokens })
  if (admitted.text !== '') return admitted.text
  return admitted.pointer === null ? DISCARDED : `${NO_ROOM} The output is stored: ${admitted.pointer}.`
}

const DISCARDED = 'Done. The output is not shown here.'
const NO_ROOM = 'There is no room for the output.'

/** The tools of a router as parts of an agent, under names that are its own. */
export function routerTools(router: OutputRouter, owner: string): readonly OfferedTool[] {
  return router.tools.map((own) => {
    const { name, description, effect, idempotent, specification } = own
    const part = tool({
      name: shortName(`${owner}_${name}`),
      description,
      effect,
      idempotent,
      inputSchema: jsonSchema<Readonly<Record<string, unknown>>>(specification.parameters),
      execute: (input, context) => context.call('read', own, input as never),
    })
    return { name, tool: part as AgentTool }
  })
}
