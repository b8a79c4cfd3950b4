import fc from 'fast-check'
import { type AgentTool, createRuntime, gate, parallel, tool } from 'toolwright'
import { memoryRuns, recordEvents } from 'toolwright/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { isFull } from '../fixtures/is-full.ts'
import { type Decision, DOORS } from './doors.ts'

/** Fields of which a schema makes something else than what is given. */
const FIELDS: Readonly<Record<string, () => z.ZodType>> = {
  'as it is': () => z.string().optional(),
  'a default': () => z.string().default('everybody'),
  'a coerced number': () => z.coerce.number().catch(4711),
  'a trimmed text': () => z.string().trim().optional(),
  'a replacement': () => z.literal('yes').catch('yes'),
}

/** Those that an edit may change to any text. */
const TEXTS: ReadonlySet<string> = new Set(['as it is', 'a default', 'a trimmed text'])

const cases = fc.record({
  fields: fc.dictionary(fc.constantFrom('to', 'amount', 'note'), fc.constantFrom(...Object.keys(FIELDS)), { minKeys: 1, maxKeys: 3 }),
  input: fc.dictionary(fc.constantFrom('to', 'amount', 'note', 'more'), fc.constantFrom('0x10', ' bob ', '7'), { maxKeys: 3 }),
  isPart: fc.boolean(),
  patch: fc.option(fc.dictionary(fc.constantFrom('to', 'amount', 'note'), fc.constantFrom(' ada ', '9'), { minKeys: 1, maxKeys: 2 }), {
    nil: undefined,
  }),
})

interface Made {
  readonly whole: AgentTool
  readonly schema: z.ZodType
  readonly ran: Record<string, unknown>[]
}

function made(fields: Readonly<Record<string, string>>, isPart: boolean): Made {
  const ran: Record<string, unknown>[] = []
  const schema = z.object(Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, (FIELDS[field] as () => z.ZodType)()])))
  const pay = tool({ name: 'pay', description: 'Pays.', effect: 'write', inputSchema: schema, execute: (given) => `${ran.push(given)}` })
  const log = tool({ name: 'log', description: 'Logs.', effect: 'read', inputSchema: z.looseObject({}), execute: () => 'logged' })
  const whole = isPart ? gate(parallel({ pay, log } as never, { name: 'both' })) : gate(pay)
  return { whole: whole as unknown as AgentTool, schema, ran }
}

/** A text without the marks in which a door sets what it shows. */
function bare(text: string): string {
  return text.replaceAll(/\\n|[\s\\|]/g, '')
}

const TABLE = DOORS.flatMap(([door, through]) => ['memory', 'durable'].map((kind) => ({ door, through, kind })))

describe('what a person is shown at a door is what runs', () => {
  test.each(TABLE)('$door, $kind [T14]', { timeout: 60_000 }, async ({ door, through, kind }) => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ fields, input, isPart, patch }) => {
        const { whole, schema, ran } = made(fields, isPart)
        const runtime = kind === 'durable' ? createRuntime({ tools: [whole], database: memoryRuns() }) : undefined
        onTestFinished(() => runtime?.close())
        const kept = Object.fromEntries(Object.entries(patch ?? {}).filter(([key]) => TEXTS.has(fields[key] ?? '')))
        const decision: Decision = Object.keys(kept).length === 0 ? { action: 'approve' } : { action: 'edit', patch: kept }
        let shown = ''
        await through({ tool: whole, input, decision, on: recordEvents(), runtime, onAsked: (text) => void (shown = bare(text)) })
        const [paid, ...more] = ran
        expect(more).toEqual([])
        expect(shown).not.toBe('')
        const own = Object.fromEntries(Object.entries(input).filter(([key]) => key in fields))
        expect(paid).toEqual(schema.parse({ ...own, ...kept }))
        const unseen = Object.entries(paid ?? {}).filter(
          ([key, value]) => !(key in kept) && !shown.includes(bare(`${JSON.stringify(key)}:${JSON.stringify(value)}`)),
        )
        expect(unseen, `${door} shows ${shown}`).toEqual([])
      }),
      { numRuns: isFull ? 60 : 8 },
    )
  })
})
