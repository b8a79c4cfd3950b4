import { expect, test } from 'vitest'
import { ToolError } from '../tool/errors/tool-error.ts'
import { tool } from '../tool/tool.ts'
import { endingOf } from './keep-result.ts'
import { Values } from './values.ts'

test('a cancelled run adds what stands to what its sagas have told, each step once [G2]', async () => {
  const whyOf = async (message: string, ...standing: readonly string[]): Promise<unknown> => {
    const cut = tool({
      name: 'cut',
      description: 'd',
      execute: () => {
        throw new ToolError(message, { code: 'cancelled' })
      },
    })
    const ended = { tool: 'cut', values: new Values(), isCancelled: true, standing, maskText: (text: string) => text }
    const { status, why } = endingOf(await cut.call('x'), ended)
    expect(status).toBe('cancelled')
    return (JSON.parse(why ?? '{}') as { readonly message: string }).message
  }
  expect(await whyOf('Cut off')).toBe('Cut off')
  expect(await whyOf('Cut off', 'a', 'in/b')).toBe('Cut off. Not undone: a, in/b.')
  expect(await whyOf('Cut off. Not undone: a, b.', 'in/a', 'in/b')).toBe('Cut off. Not undone: a, b.')
  expect(await whyOf('left (Not undone: a.).', 'left/a', 'right/a')).toBe('left (Not undone: a.). Not undone: right/a.')
})
