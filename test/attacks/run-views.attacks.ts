import { type AgentTool, compound, gate, type Inbox, pipe, tool, ToolError } from 'toolwright'
import { z } from 'zod'
import type { Attack } from './attack.ts'
import { DURABLE_OUTLETS, durably } from './durable-outlets.ts'

const SECRET = 'k-4711-viewed-89'
const NO_EFFECT = { description: 'd', effect: 'read' } as const

const named = z.object({ apiKey: z.string() })
const declared = z.object({ k: z.string().meta({ sensitive: true }) })
const trimmed = z.object({ k: z.string().trim().meta({ sensitive: true }) })
const decoded = z.object({
  k: z
    .string()
    .meta({ sensitive: true })
    .transform((text) => Buffer.from(text, 'base64').toString()),
})

function failing(inputSchema: object, name = 'failing'): AgentTool<never, unknown> {
  return tool({
    name,
    ...NO_EFFECT,
    inputSchema: inputSchema as never,
    execute: (input: Record<string, string>): string => {
      throw new ToolError(`No entry with ${Object.values(input).join()}.`, { hint: `Not with ${Object.values(input).join()}.` })
    },
  }) as unknown as AgentTool<never, unknown>
}

const gated = gate(tool({ name: 'gated', ...NO_EFFECT, inputSchema: declared, execute: () => 'done' })) as unknown as AgentTool<
  never,
  unknown
>
const plain = gate(tool({ name: 'plain', ...NO_EFFECT, inputSchema: z.object({ k: z.string() }), execute: () => 'done' }))
const whole = compound({
  name: 'whole',
  ...NO_EFFECT,
  inputSchema: declared,
  parts: { plain },
  run: ({ k }, { call }) => call('plain', plain, { k }),
}) as unknown as AgentTool<never, unknown>
const made = compound({
  name: 'made',
  ...NO_EFFECT,
  inputSchema: decoded,
  parts: {},
  run: ({ k }): string => {
    throw new ToolError(`No entry with ${k}.`)
  },
}) as unknown as AgentTool<never, unknown>

interface Told {
  readonly tool: AgentTool<never, unknown>
  readonly input: unknown
  readonly decide?: (inbox: Inbox, id: string) => Promise<void>
  readonly cancel?: string
  readonly secrets?: { readonly get: () => string }
  /** The outlets through which it leaked. */
  readonly fell: readonly string[]
}

const base64 = Buffer.from(SECRET).toString('base64')
const RUN_EVENTS = ['events of the run']
const RECORDS = ['events of the run', 'show', 'the timeline', 'export', 'runs', 'status']
const DECISIONS = ['events of the run', 'the inbox afterwards']

/** By what happens in the run: a secret that stands in a text of it. */
const TEXTS: Readonly<Record<string, Told>> = {
  'the failure of a step with a key': { tool: failing(named), input: { apiKey: SECRET }, fell: RUN_EVENTS },
  'the failure of a step with a declared secret': { tool: failing(declared), input: { k: SECRET }, fell: RUN_EVENTS },
  'the failure of a step whose secret is trimmed': { tool: failing(trimmed), input: { k: ` ${SECRET} ` }, fell: RECORDS },
  'the failure of a step whose secret is decoded': { tool: failing(decoded), input: { k: base64 }, fell: RECORDS },
  'the failure of a compound whose secret is decoded': { tool: made, input: { k: base64 }, fell: RECORDS },
  'the failure of a later step': { tool: pipe(failing(declared)) as AgentTool<never, unknown>, input: { k: SECRET }, fell: RUN_EVENTS },
  'an edit by a patch': {
    tool: gated,
    input: { k: 'another' },
    decide: (inbox, id) => inbox.edit(id, { patch: { k: SECRET } }, 'ada'),
    fell: DECISIONS,
  },
  'an edit of the whole input': {
    tool: gated,
    input: { k: 'another' },
    decide: (inbox, id) => inbox.edit(id, { input: { k: SECRET } }, 'ada'),
    fell: DECISIONS,
  },
  'the reason of a rejection': {
    tool: gated,
    input: { k: SECRET },
    decide: (inbox, id) => inbox.reject(id, `Not with ${SECRET}.`, 'ada'),
    fell: DECISIONS,
  },
  'the reason of a stop': {
    tool: gated,
    input: { k: SECRET },
    decide: (inbox, id) => inbox.stop(id, `Not with ${SECRET}.`, 'ada'),
    fell: DECISIONS,
  },
  'the note of an approval': {
    tool: gated,
    input: { k: SECRET },
    decide: (inbox, id) => inbox.approve(id, 'ada', { note: `It is ${SECRET}.` }),
    fell: DECISIONS,
  },
  'the reason of a cancellation': { tool: gated, input: { k: SECRET }, cancel: `Not with ${SECRET}.`, fell: [] },
  'the request of a part that declares no secret': {
    tool: whole,
    input: { k: SECRET },
    decide: (inbox, id) => inbox.approve(id, 'ada'),
    fell: DECISIONS,
  },
}

export const RUN_VIEWS_ATTACKS: readonly Attack[] = Object.entries(TEXTS).flatMap(([what, { decide, fell, ...run }]) =>
  [false, true].flatMap((crashes) => {
    const keeps = durably({ ...run, crashes, ...(decide === undefined ? {} : { people: [decide] }) })
    return DURABLE_OUTLETS.map((outlet): Attack => ({
      name: `a secret in ${what} stands in: ${outlet}${crashes ? ', after a crash' : ''}`,
      before: fell.includes(outlet) ? 'fell' : 'held',
      attempt: () => keeps(outlet, SECRET),
    }))
  }),
)
