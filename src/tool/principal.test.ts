import fc from 'fast-check'
import { expect, test } from 'vitest'
import { missingPermissions, type Principal, sealedPrincipal, stillPermitted } from './principal.ts'

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

const word = fc.stringMatching(/^[ab:]{0,3}$/)
const permission = fc.oneof(
  word,
  word.map((each) => `${each}*`),
)

class User implements Principal {
  readonly #name = 'Ada'
  readonly id = 'ada'
  readonly permissions: readonly string[]

  constructor(permissions: readonly string[]) {
    this.permissions = permissions
  }

  name(): string {
    return this.#name
  }
}

test('a principal keeps what it held and still holds, and gains nothing [T8]', () => {
  fc.assert(
    fc.property(fc.array(permission), fc.array(permission), word, fc.boolean(), (before, now, wanted, isInstance) => {
      const principal = sealedPrincipal(isInstance ? new User(before) : held(...before))
      const kept = stillPermitted(principal, isInstance ? new User(now) : held(...now))
      const isHeld = (each: Principal) => missingPermissions([wanted], each).length === 0
      expect(isHeld(kept)).toBe(isHeld(held(...before)) && isHeld(held(...now)))
      expect(kept instanceof User ? kept.name() : 'Ada').toBe('Ada')
      expect(Object.isFrozen(kept.permissions)).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

const unreadable: Principal = {
  id: 'ada',
  get permissions(): readonly string[] {
    throw new Error('gone')
  },
}

test.each([
  ['nobody', undefined],
  ['somebody else', { id: 'bob', permissions: ['a'] }],
  ['the same id of another tenant', { id: 'ada', tenant: 'tribune', permissions: ['a'] }],
  ['permissions that cannot be read', unreadable],
  ['no permissions', { id: 'ada', permissions: 'a' as never }],
])('%s leaves no permission [T8]', (_, now) => {
  expect(stillPermitted(sealedPrincipal(held('a')), now).permissions).toEqual([])
})
