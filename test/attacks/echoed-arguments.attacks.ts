import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { type AgentTool, type CallOptions, resolve, tool, ToolError } from 'toolwright'
import * as v from 'valibot'
import { z } from 'zod'
import type { Attack } from './attack.ts'
import { keeps, OUTLETS } from './outlets.ts'

const SECRET = 'k-4711-echoed-89'
const NUMBER = 471_147_114_711

function taking(inputSchema: object): AgentTool {
  return tool({ name: 'take', description: 'd', inputSchema: inputSchema as never, execute: () => 'done' }) as unknown as AgentTool
}

const sensitive = z.string().meta({ sensitive: true })
const declared = taking(z.object({ to: z.string().optional(), k: sensitive }))
const raw = taking({ type: 'object', properties: { k: { type: 'string', sensitive: true } }, required: ['k'], additionalProperties: false })
const named = taking(v.object({ to: v.optional(v.string()), apiKey: v.string() }))
const nested = taking(z.object({ login: z.object({ k: sensitive }) }))

type Sent = readonly [tool: AgentTool, argumentsText: string, fell: boolean]

/** Arguments that are not the JSON object that a tool takes: nothing tells what in them is secret, so that nothing of them is repeated. */
const UNREADABLE: Readonly<Record<string, Sent>> = {
  'a list of inputs': [declared, JSON.stringify([{ k: SECRET }]), true],
  'a list of texts': [declared, JSON.stringify([SECRET]), true],
  'a list for a tool with a key': [named, JSON.stringify([{ apiKey: SECRET }, SECRET]), true],
  'a text': [declared, JSON.stringify(SECRET), true],
  'a text for a tool with a key': [named, JSON.stringify(SECRET), true],
  'a text for a JSON Schema': [raw, JSON.stringify(SECRET), true],
  'an input that is encoded twice and cut off': [declared, JSON.stringify(`{"k":"${SECRET}`), true],
  'an input that is encoded three times': [declared, JSON.stringify(JSON.stringify(JSON.stringify({ k: SECRET }))), true],
  'a number': [declared, String(NUMBER), true],
  'text that is no JSON': [named, `{"to":"x","apiKey":${SECRET}`, true],
  'text that ends too early': [named, `{"to":"x","note":"${SECRET}`, true],
  'text that goes on after its end': [named, `{"to":"x"} ${SECRET}`, true],
  'text that is no JSON, for a declared secret': [declared, `{"k":"${SECRET}`, false],
}

const unreadable: readonly Attack[] = Object.entries(UNREADABLE).flatMap(([what, [each, text, fell]]) =>
  ['the result', ...Object.keys(OUTLETS)].map((outlet): Attack => ({
    name: `${what} stands in ${outlet}`,
    // A tool that declares secrets hid such arguments there.
    before: fell && (outlet !== 'events as printed' || each === named) ? 'fell' : 'held',
    attempt: async () => {
      const never = [SECRET, String(NUMBER)]
      const call = async (options: CallOptions) => (await resolve([each])).call('take', text, options)
      if (outlet !== 'the result') return keeps(outlet, { call, never })
      const result = await call({})
      assert.equal(!result.ok && result.error.code, 'invalid_arguments')
      for (const one of never) assert.ok(!JSON.stringify(result).includes(one), result.text)
    },
  })),
)

/** Secrets in a place that the schema does not describe. A result may repeat them to its caller, a view may not. */
const MISPLACED: Readonly<Record<string, readonly [tool: AgentTool, input: unknown, fell: boolean]>> = {
  'one level too deep': [declared, { data: { k: SECRET } }, true],
  'in a wrapper of the model': [declared, { input: { k: SECRET } }, true],
  'in a list of a wrapper': [declared, { items: [{ k: SECRET }] }, true],
  'one level too high': [nested, { k: SECRET }, true],
  'under another name of the same level': [nested, { logins: { k: SECRET } }, true],
  'as a list': [declared, { k: [SECRET] }, false],
  'as an object': [declared, { k: { value: SECRET } }, false],
  'in a list at the root': [declared, [{ k: SECRET }], true],
  'alone in a list at the root': [declared, [SECRET], true],
  'as the root itself': [declared, SECRET, true],
}

const misplaced: readonly Attack[] = Object.entries(MISPLACED).flatMap(([where, [each, input, fell]]) =>
  Object.keys(OUTLETS).map((outlet): Attack => ({
    name: `a declared secret ${where} stands in ${outlet}`,
    before: fell && outlet !== 'the trace' ? 'fell' : 'held',
    attempt: () => keeps(outlet, { call: (options) => each.call(input as never, options), never: [SECRET] }),
  })),
)

/** Messages of a library that repeat a value, in the place where the schema expects it. */
const MISFITS: Readonly<Record<string, readonly [schema: object, input: unknown]>> = {
  'an option of an enumeration': [z.object({ k: z.enum(['a', 'b']).meta({ sensitive: true }) }), { k: SECRET }],
  'a literal of valibot': [v.object({ apiKey: v.literal('x') }), { apiKey: SECRET }],
  'a value that valibot refuses': [v.object({ password: v.pipe(v.string(), v.email()) }), { password: SECRET }],
  'a discriminator': [
    v.object({ secret: v.variant('token', [v.object({ token: v.literal('a') }), v.object({ token: v.literal('b') })]) }),
    { secret: { token: SECRET } },
  ],
  'a rule of the author': [
    z.object({ apiKey: z.string().superRefine((text, context) => context.addIssue({ code: 'custom', message: `bad ${text}` })) }),
    { apiKey: SECRET },
  ],
  'a const of JSON Schema': [{ type: 'object', properties: { k: { const: 'x', sensitive: true } } }, { k: SECRET }],
}

const misfits: readonly Attack[] = Object.entries(MISFITS).flatMap(([what, [schema, input]]) =>
  Object.keys(OUTLETS).map((outlet): Attack => ({
    name: `a secret that does not fit ${what} stands in ${outlet}`,
    before: 'held',
    attempt: () => keeps(outlet, { call: (options) => taking(schema).call(input as never, options), never: [SECRET] }),
  })),
)

class Quiet {
  toJSON(): object {
    return {}
  }
}

const whole = z.object({ k: z.any().meta({ sensitive: true }) })

/** Secrets that are names, or stand where the JSON of an object does not show them. */
const NAMES: Readonly<Record<string, readonly [schema: object, input: unknown]>> = {
  'the name of a field in a declared object': [whole, { k: { [SECRET]: 1 } }],
  'the name of a field deep in a declared object': [whole, { k: { a: [{ [SECRET]: true }] } }],
  'a declared text object': [whole, { k: Object(SECRET) as unknown }],
  'a declared object whose toJSON lies': [whole, { k: Object.assign(new Quiet(), { value: SECRET }) }],
  'the key of a declared map': [whole, { k: new Map([[SECRET, 1]]) }],
  'a declared name of a record': [z.record(z.string().meta({ sensitive: true }), z.any()), { [SECRET]: 1 }],
}

const names: readonly Attack[] = Object.entries(NAMES).flatMap(([what, [schema, input]]) => {
  const fails = tool({
    name: 'take',
    description: 'd',
    inputSchema: schema as never,
    execute: (given: unknown): string => {
      throw new ToolError(`No entry with ${inspect(given, { depth: 9 })}.`)
    },
  }) as unknown as AgentTool
  return Object.keys(OUTLETS).map((outlet): Attack => ({
    name: `${what} stands in ${outlet}`,
    before: outlet === 'events as printed' && what !== 'a declared name of a record' ? 'held' : 'fell',
    attempt: () => keeps(outlet, { call: (options) => fails.call(input as never, options), never: [SECRET] }),
  }))
})

export const ECHOED_ARGUMENTS_ATTACKS: readonly Attack[] = [...unreadable, ...misplaced, ...misfits, ...names]
