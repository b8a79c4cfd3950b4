import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { resolve } from '../../tool/resolve/resolve.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { tool } from '../../tool/tool.ts'
import { pipe } from '../pipe/pipe.ts'
import { heal } from './heal.ts'

/** What models send, whatever the types say. */
const broken = (input: unknown): never => input as never

const meet = tool({
  name: 'meet',
  description: 'Finds a room.',
  effect: 'read',
  inputSchema: z.object({ day: z.iso.date(), page_size: z.int().max(50).optional(), password: z.string().optional() }),
  execute: ({ day }) => `a room on ${day}`,
})

describe('a healed tool tells its model', () => {
  test('why no other input was tried [H2]', async () => {
    const { text, attempts } = await heal(meet).call({ day: '03/04/2024' })
    expect(text).toContain("Error: Invalid input for tool 'meet'")
    expect(text).toContain(`No other input was tried. Rules: 'day': it could be "2024-04-03" or "2024-03-04".`)
    expect(attempts?.[0]?.error?.message).not.toContain('No other input')
  })

  test('in a bounded text, in which secrets are masked [H2]', async () => {
    const strict = tool({
      name: 'login',
      description: 'Logs in.',
      effect: 'read',
      inputSchema: z.object({ password: z.string().regex(/^\d+$/), notes: z.array(z.int()) }),
      execute: () => 'in',
    })
    const sent = { password: 'opensesame', notes: Array.from({ length: 500 }, () => 'never a number') }
    const { text, issues } = await heal(strict, { repairers: [({ input }) => ({ input, why: 'again' })] }).call(broken(sent))
    const own = text.slice(text.indexOf('No other input was tried.'))
    expect(own.length).toBeLessThan(700)
    expect([own, issues?.map(({ message }) => message)].join(' ')).not.toContain('opensesame')
    const asText = await heal(strict).call(broken(JSON.stringify({ password: 'opensesame', notes: 'never' })))
    expect(asText.text.slice(asText.text.indexOf('No other input'))).not.toContain('opensesame')
  })

  test('nothing of another notation of the same input, and all of another input [H2]', async () => {
    expect((await heal(meet).call({ day: 'March 5, 2024' })).text).toBe('a room on 2024-03-05')
    const clamped = await heal(meet).call(broken({ day: '2024-03-05', page_size: 500 }))
    expect(clamped.text).toBe('a room on 2024-03-05\nNote: The input was repaired. rules: page_size: clamp')
    const repairer = () => ({ input: { day: '2024-03-06', password: 'opensesame' } })
    const other = await heal(meet, { repairers: [repairer] }).call({ day: 'someday' })
    expect(other.text).toMatch(/^a room on 2024-03-06\nNote: The input was repaired\. .*called with \{"day":"2024-03-06"/)
    expect(other.text).not.toContain('opensesame')
    expect(other.issues).toMatchObject([{ severity: 'info', told: true }])
  })

  test('and gives the next step the output alone', async () => {
    const shout = tool({ name: 'shout', description: 'Shouts.', effect: 'read', execute: (text) => text.toUpperCase() })
    const result = await pipe(heal(meet), shout).call(broken({ day: '2024-03-05', page_size: 500 }))
    expect(result.text).toBe('A ROOM ON 2024-03-05')
  })

  test('nothing of inputs where none of them was the reason', async () => {
    const down = tool({
      name: 'down',
      description: 'd',
      effect: 'read',
      execute: () => Promise.reject(new ToolError('It is closed.', { class: 'authorization' })),
    })
    expect((await heal(down).call('a')).text).toBe('Error: It is closed.')
  })
})

test('arguments that are encoded twice reach a healed tool [T4] [H3]', async () => {
  const tools = await resolve([heal(meet)])
  expect((await tools.call('meet', JSON.stringify(JSON.stringify({ day: 'March 5, 2024' })))).text).toBe('a room on 2024-03-05')
})
