import { describe, expect, test } from 'vitest'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { tool } from '../../tool/tool.ts'
import { cache } from './cache.ts'

function counting(): AgentTool<string, string> {
  let count = 0
  return tool({ name: 'look', description: 'd', effect: 'read', execute: (input) => `${input} ${++count}` })
}

describe('principals', () => {
  const as = (id: string) => ({ principal: { id, permissions: [] } })

  test('have results of their own, unless they share them', async () => {
    const own = cache(counting(), { ttl: '1h' })
    const shared = cache(counting(), { ttl: '1h', share: 'everyone' })
    const texts = async (cached: typeof own) => [
      (await cached.call('a', as('ann'))).text,
      (await cached.call('a', as('bob'))).text,
      (await cached.call('a')).text,
    ]
    expect(await texts(own)).toEqual(['a 1', 'a 2', 'a 3'])
    expect(await texts(shared)).toEqual(['a 1', 'a 1', 'a 1'])
  })

  test('share results with everyone or not at all', () => {
    expect(() => cache(counting(), { ttl: '1h', share: 'all' as never })).toThrow(/'share' of the cache of 'look'/)
  })
})
