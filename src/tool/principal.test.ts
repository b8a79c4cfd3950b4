import { expect, test } from 'vitest'
import { missingPermissions } from './principal.ts'

const held = (...permissions: readonly string[]) => ({ id: 'ada', permissions })

test.each([
  ['nothing is declared', [], undefined, []],
  ['nothing is declared and somebody asks', [], held('a'), []],
  ['nobody asks', ['orders:read'], undefined, ['orders:read']],
  ['somebody without permissions asks', ['orders:read'], held(), ['orders:read']],
  ['it is held', ['orders:read'], held('orders:read'), []],
  ['one of two is held', ['orders:read', 'orders:write'], held('orders:read'), ['orders:write']],
  ['a star covers it', ['orders:read', 'orders:write:own'], held('orders:*'), []],
  ['a star covers all', ['orders:read'], held('*'), []],
  ['a star covers something else', ['orders:read'], held('order:*', 'orders:r'), ['orders:read']],
  ['a star stands in the middle', ['orders:read'], held('*:read', 'o*:read'), ['orders:read']],
  ['the case differs', ['orders:read'], held('Orders:Read'), ['orders:read']],
  ['a star is declared and only a part is held', ['orders:*'], held('orders:read'), ['orders:*']],
  ['a star is declared and held', ['orders:*'], held('orders:*'), []],
])('where %s, what is missing is told [T8]', (_when, declared, principal, missing) => {
  expect(missingPermissions(declared, principal)).toEqual(missing)
})
