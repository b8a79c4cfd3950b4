import { beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { pipe } from '../combinators/pipe/pipe.ts'
import type { AgentTool } from './agent-tool.ts'
import { compound } from './compound.ts'
import { resolve } from './resolve/resolve.ts'
import { tool } from './tool.ts'

/** As when the command line is installed in one place and a configuration imports the package from another. */
describe('tools of another copy of the package', () => {
  let other: { readonly tool: typeof tool }
  let find: AgentTool<{ email: string }, string>
  let shout: AgentTool<string, string>
  beforeAll(async () => {
    vi.resetModules()
    other = await import('./tool.ts')
    find = other.tool({
      name: 'find',
      description: 'd',
      inputSchema: z.object({ email: z.string() }),
      effect: 'read',
      execute: ({ email }) => `found ${email}`,
    })
    shout = other.tool({ name: 'shout', description: 'd', effect: 'read', execute: (text) => text.toUpperCase() })
  })

  test('are really of another copy', () => {
    expect(other.tool).not.toBe(tool)
  })

  test('are called by a model as those of this copy are [T10]', async () => {
    const tools = await resolve([find, shout])
    expect(await tools.call('find', '{"email":"ada"}')).toMatchObject({ ok: true, value: 'found ada' })
    expect(await tools.call('find', '{"mail":"ada"}')).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    expect(await tools.call('shout', '{"input":"hello"}')).toMatchObject({ ok: true, value: 'HELLO' })
    expect(await tools.call('shout', 'not json')).toMatchObject({ ok: true, value: 'NOT JSON' })
  })

  test('are parts of compounds of this copy, and read texts as JSON there [T10]', async () => {
    const whole = compound({
      name: 'whole',
      description: 'd',
      parts: { find },
      run: (input, { call }) => call('find', find, { email: input }),
    })
    expect(await whole.call('ada')).toMatchObject({ ok: true, value: 'found ada' })
    const gives = tool({ name: 'gives', description: 'd', effect: 'read', execute: () => '{"email":"eve"}' })
    const forwardsInput: AgentTool<string, string> = pipe(gives, find as AgentTool<unknown, string>)
    expect(await forwardsInput.call('x')).toMatchObject({ ok: true, value: 'found eve' })
  })
})
