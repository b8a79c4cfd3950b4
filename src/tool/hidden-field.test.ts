import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { hiddenField } from './hidden-field.ts'

describe('a hidden field', () => {
  test('keeps a note for each object, and no other field sees it', () => {
    const [one, other] = [hiddenField<object, string>(), hiddenField<object, string>()]
    const [a, b] = [{}, {}]
    one.set(a, 'first')
    one.set(a, 'second')
    expect([one.get(a), one.get(b), other.get(a)]).toEqual(['second', undefined, undefined])
    expect(Reflect.ownKeys(a)).toEqual([])
  })

  test('takes objects that are frozen, before or after their first note', () => {
    const field = hiddenField<object, string>()
    const [before, after] = [Object.freeze({}), {}]
    field.set(before, 'x')
    field.set(after, 'y')
    Object.freeze(after)
    field.set(after, 'z')
    expect([field.get(before), field.get(after)]).toEqual(['x', 'z'])
  })

  test('lets a small garbage collection remove an object whose note refers to it', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as (options: { readonly type: 'minor' | 'major' }) => void
    const field = hiddenField<object, object>()
    const make = (): void => {
      const key = { texts: Array.from({ length: 2000 }, () => 0.5) }
      field.set(key, { key })
    }
    make()
    collect({ type: 'major' })
    const before = process.memoryUsage().heapUsed
    for (let made = 0; made < 500; made++) make()
    collect({ type: 'minor' })
    collect({ type: 'minor' })
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(4_000_000)
  })
})
