import { describe, expect, test } from 'vitest'
import { gate } from '../combinators/gate/gate.ts'
import { ToolPipeline } from '../combinators/pipe/tool-pipeline.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import { resolve } from './resolve/resolve.ts'
import { tool } from './tool.ts'

const called: string[] = []
const named = (name: string) =>
  tool({ name, description: 'd', effect: 'read', execute: (input) => (called.push(name), `${input}>${name}`) })
const [find, mail, other] = [named('find'), named('mail'), named('other')]
const order = ToolPipeline.of('order', 'd', find, gate(mail, { approval: false }))
const fake = (): string => 'fake'

describe('overrides', () => {
  test('with a name that no tool inside has call nothing, and name the nearest one', async () => {
    called.length = 0
    const calling = order.call('x', { overrides: { mial: fake } })
    await expect(calling).rejects.toThrow("The option 'overrides' of a call has 'mial', and no such tool is called. Did you mean 'mail'?")
    await expect(order.call('x', { overrides: { wholly_else: fake } })).rejects.toThrow('The tools that can be replaced are: find, mail.')
    await expect(order.call('x', { overrides: { order: fake } })).rejects.toThrow(
      "has 'order', which is made of other tools: replace those. The tools that can be replaced are: find, mail.",
    )
    await expect(order.call('x', { overrides: { mail: 'fake' as never } })).rejects.toThrow("must be a tool or a function for 'mail', not")
    expect(called).toEqual([])
    expect(await order.call('x', { overrides: { mail: fake, find: undefined as never } })).toMatchObject({ value: 'fake' })
    expect(called).toEqual(['find'])
  })

  test('that calls of several tools share may name any of them, and no others', async () => {
    const overrides = { mail: fake, other: fake }
    const tools = await resolve([order, other])
    expect(await tools.call('order', '{"input":"x"}', { overrides })).toMatchObject({ value: 'fake' })
    expect(await tools.call('nothing', '{}', { overrides })).toMatchObject({ error: { code: 'unknown_tool' } })
    await expect(tools.call('order', '{"input":"x"}', { overrides: { mial: fake } })).rejects.toThrow("Did you mean 'mail'?")
    const runtime = createRuntime({ tools: [order, other], overrides: { mail: fake, other: fake } })
    expect(await runtime.call(order, 'x')).toMatchObject({ value: 'fake' })
    expect(await runtime.call(other, 'x')).toMatchObject({ value: 'fake' })
    await expect(createRuntime({ tools: [order], overrides: { mial: fake } }).call(order, 'x')).rejects.toThrow("Did you mean 'mail'?")
  })

  test('of tools that a provider gives may be unknown to a call, unless they are misspelt', async () => {
    const provider = { tools: () => [other] }
    const overrides = { other: fake, mail: fake }
    const runtime = createRuntime({ tools: [order, provider], overrides })
    expect(await runtime.call(order, 'x')).toMatchObject({ value: 'fake' })
    expect(await runtime.callByName('other', '{"input":"x"}')).toMatchObject({ value: 'fake' })
    const misspelt = createRuntime({ tools: [order, provider], overrides: { mial: fake } })
    await expect(misspelt.call(order, 'x')).rejects.toThrow("Did you mean 'mail'?")
  })
})
