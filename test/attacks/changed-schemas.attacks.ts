import assert from 'node:assert/strict'
import { type AgentTool, type ConfigurationError, createRuntime, gate, parallel, tool } from 'toolwright'
import { memoryRuns } from 'toolwright/testing'
import { z } from 'zod'
import type { Attack } from './attack.ts'

const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  'the text itself': z.object({ to: z.string() }),
  'the text with a sign': z.object({ to: z.string().transform((text) => `${text}!`) }),
  'its length': z.object({ to: z.string().transform((text) => text.length) }),
  'the trimmed text': z.object({ to: z.string().trim() }),
  'the text and another field': z.object({ to: z.string() }).transform((all) => ({ ...all, cc: 'mallory' })),
  'the text with a default beside it': z.object({ to: z.string(), cc: z.string().default('mallory') }),
}

const FORMS: Readonly<Record<string, (schema: z.ZodType, ran: unknown[]) => AgentTool<unknown>>> = {
  'a gate': (inputSchema, ran) => gate(payBy({ inputSchema, ran })),
  requireApproval: (inputSchema, ran) => payBy({ inputSchema, ran, requireApproval: true }),
  'a gate around several parts': (inputSchema, ran) => aroundSeveral(payBy({ inputSchema, ran })),
}

function aroundSeveral(pay: AgentTool<unknown>): AgentTool<unknown> {
  const note = tool({ name: 'note', description: 'Notes.', inputSchema: z.looseObject({}), execute: () => 'noted' })
  return gate(parallel({ pay, note } as never, { name: 'both' })) as unknown as AgentTool<unknown>
}

interface Paying {
  readonly inputSchema: z.ZodType
  readonly ran: unknown[]
  readonly requireApproval?: boolean
}

function payBy({ ran, ...rest }: Paying): AgentTool<unknown> {
  return tool({ name: 'pay', description: 'Pays.', ...rest, execute: (given: unknown) => `${ran.push(given)} paid` }) as AgentTool<unknown>
}

/** A person approves what one program showed, and another program goes on. */
async function upgraded(make: (schema: z.ZodType, ran: unknown[]) => AgentTool<unknown>, before: z.ZodType, after: z.ZodType) {
  const runs = memoryRuns()
  const old = make(before, [])
  const { id } = await createRuntime({ tools: [old], database: runs }).start(old, { to: ' bob ' })
  await runs.idle()
  runs.crash()
  const ran: unknown[] = []
  const runtime = createRuntime({ tools: [make(after, ran)], database: runs })
  const { inbox } = await runtime.runs()
  const [item] = await inbox.list()
  await inbox.approve(item?.request.id ?? '')
  await runs.idle()
  const run = await runtime.run(id)
  const code = await run.result().then(
    (result) => (result.ok ? undefined : result.error.code),
    (error: ConfigurationError) => error.code,
  )
  await runtime.close()
  return { ran, code }
}

const PAIRS = Object.entries(SCHEMAS).flatMap(([before, old]) =>
  Object.entries(SCHEMAS).map(([after, schema]) => ({ before, old, after, schema })),
)

/** Of what was shown as it was given, another thing was made. */
const FELL = new Set(['the text itself', 'the text with a sign', 'its length'])
/** These make the same of the input. */
const EQUAL = new Set(['the text and another field', 'the text with a default beside it'])

function hasFallen(form: string, before: string, after: string): boolean {
  if (before === after || (EQUAL.has(before) && EQUAL.has(after))) return false
  return form === 'a gate around several parts' || (FELL.has(before) && FELL.has(after))
}

export const CHANGED_SCHEMA_ATTACKS: readonly Attack[] = Object.entries(FORMS).flatMap(([form, make]) =>
  PAIRS.map(({ before, old, after, schema }): Attack => ({
    name: `${form}: ${before} was approved, and ${after} runs after an upgrade`,
    before: hasFallen(form, before, after) ? 'fell' : 'held',
    attempt: async () => {
      const { ran, code } = await upgraded(make, old, schema)
      if (before !== after && ran.length === 0) assert.equal(code, 'replay_diverged')
      else assert.deepEqual(ran, [await old.parseAsync({ to: ' bob ' })])
    },
  })),
)
