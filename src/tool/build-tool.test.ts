import { expect, test } from 'vitest'
import { behaviourOf } from './behaviour.ts'
import { tool } from './tool.ts'

const greet = tool({ name: 'greet', description: 'Greets a person.', effect: 'read', execute: (name) => `Hello, ${name}!` })

test('a copy, a derived object and a proxy of a tool have its specification', () => {
  const { specification } = greet
  expect({ ...greet }.specification).toBe(specification)
  expect((Object.create(greet) as typeof greet).specification).toBe(specification)
  expect(new Proxy(greet, {}).specification).toBe(specification)
})

test('a proxy of a tool is called like a tool of another copy', async () => {
  const behaviour = behaviourOf(new Proxy(greet, {}))
  expect(behaviour).not.toBe(behaviourOf(greet))
  expect(await new Proxy(greet, {}).call('Ada')).toMatchObject({ ok: true, value: 'Hello, Ada!' })
})

test('nothing that can be reached from a tool runs its function without the door', () => {
  const reachable = new Set<unknown>()
  const visit = (value: unknown): void => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || reachable.has(value)) return
    if (value === Object.prototype || value === Function.prototype || value === Function || value === Object) return
    reachable.add(value)
    for (const { value: own } of Object.values(Object.getOwnPropertyDescriptors(value))) visit(own)
    visit(Object.getPrototypeOf(value))
  }
  const { run } = behaviourOf(greet)
  visit(greet)
  expect(reachable.size).toBeGreaterThan(10)
  expect(reachable.has(run)).toBe(false)
  for (const each of reachable)
    if (typeof each === 'function' && each.name.startsWith('behaviour')) throw new Error(`'${each.name}' can be reached from a tool.`)
})
