import assert from 'node:assert/strict'
import { type AgentTool, compound, pipe, tool } from 'toolwright'
import { fakeClock } from 'toolwright/testing'
import type { Attack } from './attack.ts'

type AnyTool = AgentTool<unknown, unknown>

const reader = tool({
  name: 'reader',
  description: 'd',
  effect: 'read',
  execute: async (_input, { secret }) => `length ${(await secret('KEY')).length}`,
})
const READERS: Readonly<Record<string, AnyTool>> = {
  'a leaf': reader as AnyTool,
  'a pipe': pipe(reader) as AnyTool,
  'a compound': compound({
    name: 'whole',
    description: 'd',
    effect: 'read',
    parts: {},
    run: async (_input, { secret }) => `length ${(await secret('KEY')).length}`,
  }) as AnyTool,
}

const NO_TEXTS: Readonly<Record<string, unknown>> = {
  'a number': 12345678,
  'a buffer': Buffer.from('hunter2-secret'),
  bytes: new Uint8Array([1, 2, 3, 4]),
  'an object': { value: 'hunter2-secret' },
  'a list': ['hunter2-secret'],
  null: null,
  'a boolean': true,
  'a big integer': 12345678n,
  'a text object': Object('hunter2-secret'),
  'a function': () => 'hunter2-secret',
}

function providers(): Readonly<Record<string, () => Promise<void>>> {
  const rows: Record<string, () => Promise<void>> = {}
  for (const [kind, value] of Object.entries(NO_TEXTS))
    for (const [when_, give] of [
      ['', () => value],
      [' later', async () => value],
    ] as const)
      rows[`a secrets provider gives ${kind}${when_}`] = async () => {
        const result = await reader.call('', { secrets: { get: give as () => string } })
        assert.equal(result.ok ? result.text : result.error.code, 'access_denied')
        assert.doesNotMatch(JSON.stringify(result), /hunter2|12345678/)
      }
  for (const [where, whole] of Object.entries(READERS)) {
    const never = {
      'never settles': () => new Promise<string>(() => {}),
      'is a thenable that never settles': () => Object.defineProperty({}, ['th', 'en'].join(''), { value: () => {} }),
    }
    for (const [how, get] of Object.entries(never))
      rows[`a secrets provider ${how}, in ${where}`] = async () => {
        const clock = fakeClock()
        const result = await clock.until(whole.call('', { clock, deadline: 100, secrets: { get: get as () => Promise<string> } }))
        assert.equal(result.ok ? result.text : result.error.code, 'deadline_exceeded')
      }
    rows[`a secrets provider throws, in ${where}`] = async () => {
      const get = (): string => {
        throw new Error('the vault is closed')
      }
      assert.equal((await whole.call('', { secrets: { get } })).ok, false)
    }
  }
  rows['a secrets provider never settles, and the tool goes on without it'] = async () => {
    const clock = fakeClock()
    let seen: unknown
    const stubborn = tool({
      name: 'stubborn',
      description: 'd',
      execute: async (_input, { secret }) => {
        await secret('KEY').catch((error: unknown) => void (seen = (error as { code?: unknown }).code))
        return 'went on'
      },
    })
    const result = await clock.until(stubborn.call('', { clock, deadline: 100, secrets: { get: () => new Promise(() => {}) } }))
    assert.equal(result.ok, false)
    assert.equal(seen, 'deadline_exceeded')
  }
  return rows
}

/** The provider of secrets gives something else than a text, or nothing at all. */
export const SECRETS_PROVIDER_ATTACKS: readonly Attack[] = Object.entries(providers()).map(([name, attempt]): Attack => ({
  name,
  before: name.includes('gives') || name.includes('goes on') ? 'fell' : 'held',
  attempt,
}))
