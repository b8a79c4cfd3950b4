import { expect, test } from 'vitest'
import { tool } from '../tool.ts'

const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
const hostile = (): object =>
  new Proxy(
    {},
    {
      getPrototypeOf: () => {
        throw new Error('no prototype')
      },
    },
  )

test.each([
  ['a revoked proxy, at once', () => revoked()],
  ['a revoked proxy in a promise', async () => [revoked()].at(0)],
  ['a proxy without a prototype, at once', () => hostile()],
  ['a proxy without a prototype in a promise', async () => [hostile()].at(0)],
])('a tool that gives %s fails, and its call ends', async (_what, execute) => {
  const odd = tool({ name: 'odd', description: 'Gives something odd.', effect: 'read', execute })
  const result = await odd.call('x')
  expect(result.ok).toBe(false)
})
