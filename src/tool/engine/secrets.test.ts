import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../../combinators/gate/gate.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import { compound } from '../compound.ts'
import { ToolError } from '../errors/tool-error.ts'
import { resolve } from '../resolve/resolve.ts'
import { failure } from '../result/returned.ts'
import { tool } from '../tool.ts'

const echo = tool({ name: 'echo', description: 'Says it again.', effect: 'read', execute: (input) => input })

describe('an event', () => {
  test('printed or sent as JSON shows nothing that its view masks', async () => {
    const login = tool({
      name: 'login',
      description: 'd',
      inputSchema: z.object({ user: z.string(), password: z.string() }),
      execute: ({ password }) => ({ welcome: 'ada', token: `t-${password}` }),
    })
    const shown: string[] = []
    const on = (event: object): void => void shown.push(JSON.stringify(event), inspect(event, { depth: 10 }))
    const gated = gate(login, { why: ({ password }) => `log in with ${password}` })
    await gated.call({ user: 'ada', password: 'hunter2-secret' }, { on, review: recordingReview(), services: { key: 'service-key' } })
    expect(shown.length).toBe(12)
    expect(shown.filter((text) => /hunter2|service-key/.test(text))).toEqual([])
    expect(shown.join()).toContain('"user":"ada"')
  })
})

test('a provider that fails is named, and a credential in its error is not shown', async () => {
  const read = tool({ name: 'read', description: 'd', effect: 'read', execute: async (_input, context) => context.secret('KEY') })
  const failing = async (thrown: unknown) => {
    const result = await read.call('x', { secrets: { get: () => Promise.reject(thrown as Error) } })
    return result.ok ? undefined : result.error
  }
  const error = await failing(new Error('vault down, token=abcd1234efgh'))
  expect(error).toMatchObject({ code: 'access_denied', outcome: 'failed', hint: 'Ask the operator to look at the secrets provider.' })
  expect(error?.message).toBe("The secret 'KEY' could not be read: vault down, token=••••••")
  expect(await failing(new ToolError('no', { code: 'rate_limited', outcome: 'failed' }))).toMatchObject({ code: 'rate_limited' })
})

describe('secrets', () => {
  const S = 'hunter2-secret'
  const seen = async (run: (on: (event: object) => void) => Promise<unknown>): Promise<string> => {
    const shown: string[] = []
    await run((event) => void shown.push(JSON.stringify(event)))
    return shown.join('\n')
  }

  test('that an object writes only as JSON, that a compound hands on in a text, or that stand in a hint are masked too', async () => {
    class Session {
      readonly #password = S
      toJSON(): object {
        return { password: this.#password }
      }
    }
    const session = tool({ name: 'session', description: 'd', execute: () => ({ session: new Session() }) })
    const hint = tool({
      name: 'hint',
      description: 'd',
      inputSchema: z.object({ password: z.string() }),
      execute: ({ password }) => {
        throw new ToolError('bad', { hint: `not ${password}`, code: `code ${password}` })
      },
    })
    const outer = compound({
      name: 'outer',
      description: 'd',
      inputSchema: z.object({ password: z.string() }),
      parts: { echo },
      run: ({ password }, { call }) => call('e', echo, `login with ${password}`),
    })
    expect(await seen((on) => session.call('', { on }))).not.toContain(S)
    expect(await seen((on) => hint.call({ password: S }, { on }))).not.toContain(S)
    expect(await seen((on) => outer.call({ password: S }, { on }))).not.toContain(S)
  })

  test('in arguments that cannot be read are not shown, nor those of the provider in what a tool shows a person', async () => {
    const card = tool({
      name: 'card',
      description: 'd',
      inputSchema: z.object({ card: z.string().meta({ sensitive: true }) }),
      execute: () => 1,
    })
    const tools = await resolve([card])
    expect(await seen((on) => tools.call('card', `{"card":"${S}"`, { on }))).not.toContain(S)
    const review = recordingReview()
    const mail = tool({
      name: 'mail',
      description: 'd',
      inputSchema: z.object({ password: z.string() }),
      execute: async ({ password }, context) => {
        const key = await context.secret('KEY')
        return context.review({ why: `send ${key}`, input: { text: `mail: ${key}`, password } })
      },
    })
    await mail.call({ password: S }, { review, secrets: { get: () => `${S}-key` } })
    expect(JSON.stringify(review.requests)).not.toContain(S)
  })
})

describe('a failure', () => {
  test('does not tell the model a secret that its tool was given', async () => {
    const options = { secrets: { get: () => 'k-4711-secret' } }
    const executes = {
      thrown: async (key: string): Promise<string> => {
        throw new ToolError(`The key ${key} was refused.`, { hint: `Ask for another key than ${key}.` })
      },
      returned: async (key: string) => failure(`The key ${key} was refused.`, { hint: `Ask for another key than ${key}.` }),
    }
    for (const execute of Object.values(executes)) {
      const pays = tool({ name: 'pays', description: 'd', execute: async (_input, { secret }) => execute(await secret('KEY')) })
      const whole = compound({ name: 'whole', description: 'd', parts: { pays }, run: (input, { call }) => call('pay', pays, input) })
      for (const each of [pays, whole]) {
        const result = await each.call('x', options)
        expect(result.text).toMatch(/^Error: The key .+ was refused\.$/)
        expect(JSON.stringify(result)).not.toContain('k-4711-secret')
      }
    }
  })
})
