import type { RoutedConversation } from '../context/routed-conversation.ts'
import type { MediaPart } from '../context/media-tokens.ts'
import type { OutputRouter } from '../context/output-router.ts'
import { newMark } from '../context/provenance-block.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { jsonSchema } from '../tool/contract.ts'
import type { ToolContext } from '../tool/context.ts'
import { shortName } from '../tool/identity.ts'
import type { ModelPrompt } from '../tool/ports/model.ts'
import type { ToolResult } from '../tool/result/result.ts'
import { success } from '../tool/result/returned.ts'
import { recordInputAs } from '../tool/recorded-form.ts'
import { tool } from '../tool/tool.ts'
import type { OfferedFunction } from './language-model.ts'
import type { OfferedTool } from './offered-tool.ts'
import { PromptWindow } from './prompt-window.ts'
import { shownMedia, withheldMedia } from './shown-media.ts'

/** What the model reads of a result. */
export interface ReadResult {
  readonly text: string
  readonly media: readonly MediaPart[]
  /** Where the whole is, if that is not all of it. */
  readonly pointer: string | undefined
}

/** Decides what of a result the model reads. In a recorded run the decision is recorded. */
export interface ResultDoor {
  readonly admit: (label: string, result: ToolResult, tags: readonly string[]) => Promise<ReadResult>
  /** Keeps prompts within the window of a router. */
  readonly window: PromptWindow | undefined
}

/** Every result enters whole. */
export function wholeResults(media: readonly string[]): ResultDoor {
  return {
    admit: async (_label, result) => {
      const shown = shownMedia(result, media)
      return { text: `${result.text}${withheldMedia(result, shown)}`, media: shown, pointer: undefined }
    },
    window: undefined,
  }
}

interface Routing {
  readonly router: OutputRouter
  readonly system: string
  readonly task: string
  readonly tools: readonly OfferedTool[]
  readonly functions: readonly OfferedFunction[]
  readonly media: readonly string[]
  /** Of the answer, as it is sent; empty without one. */
  readonly format: string
  readonly writer: AgentTool<WriterInput, string> | undefined
}

/** As it is recorded. */
interface Admitted {
  readonly text: string
  readonly tokens: number
  readonly pointer: string | null
  /** The numbers of the parts of the result that are shown. */
  readonly media: readonly number[]
}

/** The conversation of a run. Its delimiter is recorded: a run that is taken up goes on in the same blocks. */
export async function routedResults(context: ToolContext, routing: Routing): Promise<ResultDoor> {
  const { router, system, task, tools, functions, format } = routing
  const delimiter = await context.decide('delimiter', newMark)
  const conversation = router.conversation({ principal: context.principal, session: context.session, system, task, delimiter })
  const pinned = new Set(tools.filter(({ isReader, isPinned }) => isReader === true || isPinned === true).map(({ name }) => name))
  const window = new PromptWindow({ context, conversation, count: router.countTokens, functions, pinned, format })
  return {
    admit: (label, result, tags) => admit({ context, conversation, window, ...routing }, { label, result, tags }),
    window,
  }
}

interface Admitting extends Routing {
  readonly context: ToolContext
  readonly conversation: RoutedConversation
  readonly window: PromptWindow
}

interface Admission {
  readonly label: string
  readonly result: ToolResult
  readonly tags: readonly string[]
}

/** A pointer is made by chance, and the budget depends on all before: a run that is taken up reads what the first one was given. */
async function admit({ context, conversation, window, media, writer }: Admitting, { label, result, tags }: Admission): Promise<ReadResult> {
  const options = { tags, media, room: window.room, signal: context.signal }
  const given = writer === undefined ? undefined : await writtenText({ context, conversation, writer }, { label, result, options })
  const parts = result.ok ? (result.content ?? []) : []
  const admitted = await context.decide(`${label}.admitted`, async (): Promise<Admitted> => {
    const {
      text,
      tokens,
      pointer,
      media: shown,
    } = await conversation.admit(result, { ...options, ...(given === undefined ? {} : { written: given }) })
    return { text, tokens, pointer: pointer ?? null, media: shown.map((part) => parts.indexOf(part)) }
  })
  const pointer = admitted.pointer ?? undefined
  const text = admitted.text !== '' ? admitted.text : pointer === undefined ? DISCARDED : `${NO_ROOM} The output is stored: ${pointer}.`
  return { text, media: admitted.media.flatMap((at) => (parts[at] === undefined ? [] : [parts[at] as MediaPart])), pointer }
}

const DISCARDED = 'Done. The output is not shown here.'
const NO_ROOM = 'There is no room for the output.'

/** What the model of a router is asked to write. */
export interface WriterInput {
  /** The call whose output it is. */
  readonly of: string
  readonly prompt: ModelPrompt
}

interface Writing {
  readonly label: string
  readonly result: ToolResult
  readonly options: Parameters<RoutedConversation['writing']>[1]
}

/** The text of the step that asks the model of the router; empty if it failed: then the facts are found without it. */
async function writtenText(
  { context, conversation, writer }: Pick<Admitting, 'context' | 'conversation'> & { readonly writer: AgentTool<WriterInput, string> },
  { label, result, options }: Writing,
): Promise<string | undefined> {
  const prompt = await conversation.writing(result, options)
  if (prompt === undefined) return undefined
  const written = await context.call(`${label}.written`, writer, { of: result.provenance.invocationId, prompt })
  return written.ok ? written.value : ''
}

const WRITING = jsonSchema<WriterInput>({
  type: 'object',
  properties: { of: { type: 'string' }, prompt: { type: 'object' } },
  required: ['of', 'prompt'],
})
const WRITING_DEADLINE_MS = 60_000

/** The leaf that asks the model of a router: a step of the record, so that it is not asked twice. Undefined if the router has no model. */
export function writerTool({ model }: OutputRouter, owner: string): AgentTool<WriterInput, string> | undefined {
  if (model === undefined) return undefined
  const writing = tool({
    name: shortName(`${owner}_writer`),
    description: `Writes what the model of '${owner}' reads of large outputs.`,
    effect: 'read',
    inputSchema: WRITING,
    deadline: WRITING_DEADLINE_MS,
    async execute({ prompt }, context) {
      const { text, usage } = await model.generate({ ...prompt, signal: context.signal })
      if (usage !== undefined) context.usage(usage)
      return success(text, { text })
    },
  })
  // The prompt follows from the output, which is recorded.
  return recordInputAs(writing, ({ of }) => ({ of }))
}

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
    return { name, tool: part as AgentTool, isReader: name === 'read_output' }
  })
}
