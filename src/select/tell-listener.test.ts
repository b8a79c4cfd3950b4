import { once } from 'node:events'
import { expect, test } from 'vitest'
import { catalog } from './catalog.ts'

test('a listener that throws, at once or later, costs a request nothing and is told as a warning', async () => {
  for (const onGap of [
    (): never => {
      throw new Error('no')
    },
    async (): Promise<never> => {
      throw new Error('no')
    },
  ]) {
    const warned = once(process, 'warning')
    const tools = await catalog([], { onGap })
    expect((await tools.select('refund an order')).nothingFits).toBe(true)
    expect(String(await warned)).toContain('The onGap of a catalog threw: Error: no')
  }
})
