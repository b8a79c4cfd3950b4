import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ModelPrompt } from '../../tool/ports/model.ts'
import { tool } from '../../tool/tool.ts'
import { heal } from './heal.ts'
import { HiddenSecrets } from './hidden-secrets.ts'
import { modelRepairer } from './model-repairer.ts'

const SCHEMA = {
  type: 'object',
  properties: {
    user: { type: 'string' },
    pin: { type: 'string', sensitive: true },
    password: { type: 'string' },
    note: { type: 'string' },
    keys: { type: 'array', items: { type: 'string', writeOnly: true } },
  },
}
const GIVEN = { user: 'ann', pin: '77', password: 'opensesame', note: 'log in with opensesame', keys: ['k-1', 'k-2'] }

describe('HiddenSecrets', () => {
  test('shows signs in place of secrets, declared or named so, and of their copies in texts', () => {
    const hidden = new HiddenSecrets(GIVEN, SCHEMA)
    expect(hidden.shown).toEqual({
      user: 'ann',
      pin: '[secret 1]',
      password: '[secret 2]',
      note: 'log in with [secret 2]',
      keys: ['[secret 3]', '[secret 4]'],
    })
    expect(hidden.text("The password 'opensesame' is too short.")).not.toContain('opensesame')
  })

  test('puts them back, also under the right name of their field', () => {
    const hidden = new HiddenSecrets({ user: 'ann', Password: 'opensesame', note: 'log in with opensesame' }, SCHEMA)
    expect(hidden.restore({ user: 'ann', password: '[secret 1]', note: 'Log in with [secret 1].' })).toEqual({
      value: { user: 'ann', password: 'opensesame', note: 'Log in with opensesame.' },
    })
  })

  test('puts back the given secret whatever the model has written in its place', () => {
    expect(new HiddenSecrets(GIVEN, SCHEMA).restore({ ...GIVEN, pin: '0000' })).toMatchObject({ value: { pin: '77' } })
  })

  test.each([
    ['moved into another field', { user: '[secret 2]' }],
    ['moved into another text', { user: 'ann', note: 'the pin is [secret 1]' }],
    ['invented', { user: 'ann', keys: ['k-1', 'k-2', 'k-3'] }],
  ])('takes no answer with a secret that was %s', (_how, answer) => {
    expect(new HiddenSecrets(GIVEN, SCHEMA).restore(answer)).toBeUndefined()
  })

  test('reads no sign that stood in the input before', () => {
    const hidden = new HiddenSecrets({ note: 'write [secret 1] here', pin: '77' }, SCHEMA)
    expect(hidden.shown).toEqual({ note: 'write [secret 1] here', pin: '[secret* 1]' })
    expect(hidden.restore({ note: 'write [secret 1] here', pin: '[secret* 1]' })).toEqual({
      value: { note: 'write [secret 1] here', pin: '77' },
    })
  })
})

describe('a model that repairs an input', () => {
  const seen: unknown[] = []
  const login = tool({
    name: 'login',
    description: 'Logs in.',
    effect: 'read',
    inputSchema: z.object({ user: z.string(), password: z.string(), minutes: z.int() }),
    execute: (input) => void seen.push(input),
  })
  const sent = { user: 'ann', password: 'opensesame', minutes: 'a while' } as never

  function scripted(answer: unknown) {
    const prompts: ModelPrompt[] = []
    const generate = (prompt: ModelPrompt) => Promise.resolve({ text: '', value: { input: answer }, prompt: prompts.push(prompt) })
    return { generate, prompts }
  }

  test('does not see its secrets, and the tool gets them [H3]', async () => {
    const model = scripted({ user: 'ann', password: '[secret 1]', minutes: 5 })
    expect(await heal(login, { model }).call(sent)).toMatchObject({ ok: true })
    expect(JSON.stringify(model.prompts)).not.toContain('opensesame')
    expect(seen.at(-1)).toEqual({ user: 'ann', password: 'opensesame', minutes: 5 })
  })

  test('sees them if the author says so', async () => {
    const model = scripted({ user: 'ann', password: 'opensesame', minutes: 5 })
    const repairer = modelRepairer({ model, showSecrets: true })
    expect(await heal(login, { repairers: [repairer] }).call(sent)).toMatchObject({ ok: true })
    expect(JSON.stringify(model.prompts)).toContain('opensesame')
    expect(() => modelRepairer({ showSecrets: 'yes' as never })).toThrow("'showSecrets' of modelRepairer must be true or false")
  })
})
