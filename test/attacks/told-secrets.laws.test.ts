import fc from 'fast-check'
import { type AgentTool, type CallOptions, compound, gate, pipe, retry, tool, type ToolContext } from 'toolwright'
import { agent } from 'toolwright/agent'
import { recordingReview } from 'toolwright/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { isFull } from '../fixtures/is-full.ts'
import { scriptedModel } from '../fixtures/scripted-language-model.ts'
import { OUTLETS } from './outlets.ts'
import { awkwardSecrets, FORMS, isEncodedTooOften, LEAKS, traceOf } from './secret-leaks.ts'

const CASES = isFull ? 3000 : 300

const inputSchema = z.object({ to: z.string(), code: z.string().meta({ sensitive: true }) })
type Input = z.infer<typeof inputSchema>

/** Around the tool, everything that tells of its parts again. */
const AROUND: Readonly<Record<string, (leaks: AgentTool<Input>) => (input: Input, options: CallOptions) => Promise<unknown>>> = {
  nothing: (leaks) => (input, options) => leaks.call(input, options),
  'a layer': (leaks) => (input, options) => retry(leaks, { attempts: 2, base: 0 }).call(input, options),
  'a gate': (leaks) => (input, options) => gate(leaks, { why: 'Go on?' }).call(input, { ...options, review: recordingReview() }),
  'a pipeline': (leaks) => (input, options) =>
    pipe(leaks, tool({ name: 'last', description: 'd', inputSchema: z.unknown(), execute: (given) => given })).call(input, options),
  'a compound': (leaks) => (input, options) =>
    compound({
      name: 'whole',
      description: 'd',
      inputSchema,
      parts: { leaks },
      run: (given, context) => context.call('leaks', leaks, given),
    }).call(input, options),
  'an agent': (leaks) => (input, options) => {
    const { model } = scriptedModel({ calls: [['leaks', input as never]] }, 'Done.')
    return agent({ name: 'clerk', role: 'Clerk', goal: 'Go.', model, tools: [leaks] as never }).run('Go.', options)
  },
  'an agent that repeats it': (leaks) => (input, options) => {
    const { model } = scriptedModel({ calls: [['leaks', input as never]] }, `The code was ${input.code} .`)
    return agent({ name: 'clerk', role: 'Clerk', goal: 'Go.', model, tools: [leaks] as never }).run('Go.', options)
  },
}

const cases = fc.record({
  secret: awkwardSecrets,
  form: fc.constantFrom(...Object.keys(FORMS)),
  leak: fc.constantFrom(...Object.keys(LEAKS)),
  around: fc.constantFrom(...Object.keys(AROUND)),
  outlet: fc.constantFrom(...Object.keys(OUTLETS)),
  source: fc.constantFrom('the provider', 'the input', 'the output'),
})

test(`no outlet tells a secret of the provider, of an input or of an output, in ${CASES} ways [T13]`, { timeout: 180_000 }, async () => {
  let told = 0
  await fc.assert(
    fc.asyncProperty(cases, async ({ secret, form, leak, around, outlet, source }) => {
      fc.pre(!isEncodedTooOften({ form, leak }))
      const written = (FORMS[form] as (text: string) => string)(secret)
      const leaks = tool({
        name: 'leaks',
        description: 'd',
        effect: 'read',
        inputSchema,
        ...(source === 'the output' ? { outputSchema: z.object({ mark: z.string().meta({ sensitive: true }), said: z.string() }) } : {}),
        execute: async (_input: Input, context: ToolContext): Promise<never> => {
          if (source === 'the provider') await context.secret('KEY')
          return (source === 'the output' ? { mark: secret, said: written } : LEAKS[leak]?.(written, context)) as never
        },
      }) as unknown as AgentTool<Input>
      const input = { to: 'bob', code: source === 'the input' ? secret : 'another-code-1' }
      const call = (options: CallOptions): Promise<unknown> =>
        (AROUND[around] as (typeof AROUND)[string])(leaks)(input, { ...options, secrets: { get: () => secret } })
      const text = await (OUTLETS[outlet] as (typeof OUTLETS)[string])(call)
      expect(text).not.toBe('')
      expect(text).not.toContain(traceOf(form, written))
      told++
    }),
    { numRuns: CASES },
  )
  expect(told).toBe(CASES)
})
