import fc from 'fast-check'
import { type AgentTool, compound, gate, tool, type ToolContext } from 'toolwright'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { isFull } from '../fixtures/is-full.ts'
import { DURABLE_OUTLETS, durably } from './durable-outlets.ts'
import { awkwardSecrets, FORMS, isEncodedTooOften, LEAKS, traceOf } from './secret-leaks.ts'

const CASES = isFull ? 600 : 60

const inputSchema = z.object({ to: z.string(), code: z.string().meta({ sensitive: true }) })
type Input = z.infer<typeof inputSchema>

const cases = fc.record({
  secret: awkwardSecrets,
  form: fc.constantFrom(...Object.keys(FORMS)),
  leak: fc.constantFrom(...Object.keys(LEAKS)),
  source: fc.constantFrom('the provider', 'the input', 'the edit'),
  isGated: fc.boolean(),
  crashes: fc.boolean(),
  by: fc.constantFrom('nobody', 'the note', 'the name'),
})

test(`no outlet of a durable run tells a secret, before and after a crash, in ${CASES} runs [T13]`, { timeout: 600_000 }, async () => {
  let told = 0
  await fc.assert(
    fc.asyncProperty(cases, async ({ secret, form, leak, source, isGated, crashes, by }) => {
      // Nothing tells a secret of the provider before it was handed out: the approval comes first.
      fc.pre(!isEncodedTooOften({ form, leak }) && (source !== 'the provider' || by === 'nobody'))
      const written = (FORMS[form] as (text: string) => string)(secret)
      const leaks = tool({
        name: 'leaks',
        description: 'd',
        effect: 'read',
        inputSchema,
        execute: async (_input: Input, context: ToolContext): Promise<never> => {
          if (source === 'the provider') await context.secret('KEY')
          return LEAKS[leak]?.(written, context) as never
        },
      }) as unknown as AgentTool<Input>
      const inner = isGated || source === 'the edit' ? (gate(leaks, { why: 'Go on?' }) as AgentTool<Input>) : leaks
      const whole = compound({
        name: 'whole',
        description: 'd',
        inputSchema,
        parts: { inner },
        run: (given, { call }) => call('inner', inner, given),
      }) as unknown as AgentTool<never, unknown>
      const isInput = source === 'the input'
      const keeps = durably({
        tool: whole,
        input: { to: 'bob', code: isInput ? secret : 'another-code-1' },
        crashes,
        secrets: { get: () => secret },
        people: [
          async (inbox, id) => {
            const who = by === 'the name' ? `ada ${written}` : 'ada'
            const note = by === 'the note' ? { note: `It is ${written} .` } : {}
            if (source === 'the edit') await inbox.edit(id, { patch: { code: secret } }, who)
            else await inbox.approve(id, who, note)
          },
        ],
      })
      for (const outlet of DURABLE_OUTLETS) await keeps(outlet, traceOf(form, written))
      told++
    }),
    { numRuns: CASES },
  )
  expect(told).toBe(CASES)
})
