import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fakeClock } from '../../testing/fake-clock.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { tool } from '../../tool/tool.ts'
import { map } from './map.ts'

const Item = z.object({ n: z.number(), note: z.string().optional() })
const double = tool({ name: 'double', description: 'Doubles.', inputSchema: Item, effect: 'read', execute: ({ n }) => n * 2 })
const items = (...numbers: readonly number[]) => numbers.map((n) => ({ n }))

/** Takes as many milliseconds as it is told, and counts how many do so at the same time. */
function timed(): { readonly tool: AgentTool<string, string>; readonly started: readonly string[]; readonly most: () => number } {
  const started: string[] = []
  let running = 0
  let most = 0
  const leaf = tool({
    name: 'timed',
    description: 'Takes its time.',
    effect: 'read',
    execute: async (text, { sleep }) => {
      started.push(text)
      most = Math.max(most, ++running)
      await sleep(Number(text))
      running--
      return text
    },
  })
  return { tool: leaf, started, most: () => most }
}

describe('a map', () => {
  test('calls the tool for each item and keeps their order [C4]', async () => {
    const clock = fakeClock()
    const { tool: leaf } = timed()
    const result = await clock.until(map(leaf).call(['30', '10', '20'], { clock }))
    expect(result).toMatchObject({ ok: true, value: ['30', '10', '20'], text: '["30","10","20"]' })
    expect(result.steps?.map(({ path }) => path)).toEqual(['map_timed/0', 'map_timed/1', 'map_timed/2'])
  })

  test('takes an empty list, and a list of one', async () => {
    expect(await map(double).call([])).toMatchObject({ ok: true, value: [] })
    expect(await map(double).call(items(4))).toMatchObject({ ok: true, value: [8] })
  })

  test.each([
    [undefined, 8],
    [3, 3],
    [1, 1],
    [100, 20],
  ])('with concurrency %s works on %i of 20 items at the same time [C4]', async (concurrency, most) => {
    const clock = fakeClock()
    const leaf = timed()
    await clock.until(
      map(leaf.tool, { concurrency }).call(
        Array.from({ length: 20 }, (_, index) => String(index % 7)),
        { clock },
      ),
    )
    expect(leaf.most()).toBe(most)
  })

  test('shows the model a list of what the tool takes, wrapped, and takes it wrapped or bare', async () => {
    const all = map(double)
    expect(all.specification).toMatchObject({
      name: 'map_double',
      description: 'For each item of a list: Doubles.',
      parameters: { type: 'object', required: ['input'], properties: { input: { type: 'array', items: double.specification.parameters } } },
    })
    expect(await all.execute({ input: items(1, 2) } as never)).toEqual([2, 4])
    expect(await all.execute(items(1, 2))).toEqual([2, 4])
    await expect(all.execute({ other: 1 } as never)).rejects.toThrow("'input' is missing")
  })

  test('moves the definitions of a schema to where references find them', () => {
    const Tree = {
      type: 'object',
      properties: {
        name: { $ref: '#/$defs/Name' },
        children: { type: 'array', items: { $ref: '#' } },
        first: { $ref: '#/properties/name' },
      },
      $defs: { Name: { type: 'string' } },
    } as const
    const walk = tool({ name: 'walk', description: 'd', inputSchema: Tree, outputSchema: Tree, effect: 'read', execute: () => ({}) })
    const moved = (root: string) => ({
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { $ref: '#/$defs/Name' },
          children: { type: 'array', items: { $ref: root } },
          first: { $ref: `${root}/properties/name` },
        },
      },
    })
    expect(map(walk).specification.parameters).toMatchObject({
      properties: { input: moved('#/properties/input/items') },
      $defs: { Name: { type: 'string' } },
    })
    expect(map(walk).specification.outputSchema).toEqual({ ...moved('#/items'), $defs: { Name: { type: 'string' } } })
    expect(map(walk, { onFailure: 'collect' }).specification.outputSchema).toMatchObject({
      items: { anyOf: [{ properties: { value: moved('#/items/anyOf/0/properties/value').items } }, {}] },
    })
  })

  test('leaves each item to the tool, which checks it once', async () => {
    let checked = 0
    const counted = tool({
      name: 'counted',
      description: 'd',
      inputSchema: z.object({ n: z.number().refine(() => ++checked > 0) }),
      effect: 'read',
      execute: ({ n }) => n,
    })
    expect((await map(counted).call(items(1, 2))).ok).toBe(true)
    expect(checked).toBe(2)
    expect(await map(double).call([{ n: 1 }, { n: 'two' as never }])).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', message: expect.stringMatching(/^Item at index 1 failed: Invalid input for tool 'double': 'n'/) },
    })
  })

  test('refuses what is no list, and a list that is too long, before anything runs', async () => {
    const leaf = timed()
    const most = map(leaf.tool, { maxItems: 2 })
    expect(await most.call(['0', '0', '0'])).toMatchObject({
      ok: false,
      error: {
        code: 'invalid_input',
        outcome: 'not_started',
        message: "Tool 'map_timed' takes at most 2 items, and the list has 3. Send it in parts.",
      },
    })
    expect(await map(leaf.tool).call('a' as never)).toMatchObject({
      error: { code: 'invalid_input', message: expect.stringContaining('expected a list') },
    })
    expect(await map(leaf.tool).call(Array.from({ length: 1001 }, () => '0'))).toMatchObject({ error: { code: 'invalid_input' } })
    expect(leaf.started).toEqual([])
  })

  test('is policed as a whole and item by item', async () => {
    const asked: string[] = []
    const result = await map(double).call(items(1, 2), {
      policy: ({ path, input }) => {
        asked.push(`${path} ${JSON.stringify(input)}`)
        return 'allow'
      },
    })
    expect(result.ok).toBe(true)
    expect(asked).toEqual(['map_double [{"n":1},{"n":2}]', 'map_double/0 {"n":1}', 'map_double/1 {"n":2}'])
  })

  test('follows its tool in effect and permissions, has the figures of one item, and shortens a name that grows too long', () => {
    const pay = tool({
      name: 'p'.repeat(64),
      description: 'd',
      effect: 'write',
      permissions: ['pay'],
      estimates: { latencyMs: 5 },
      execute: () => 'paid',
    })
    const all = map(pay, { concurrency: 2, onFailure: 'collect' })
    expect(all).toMatchObject({ effect: 'write', permissions: ['pay'], estimates: { latencyMs: 5 } })
    expect(all.name).toMatch(/^map_p+_[A-Za-z0-9]{8}$/)
    expect(all.name.length).toBe(64)
    expect(all.plan()).toMatchObject({
      kind: 'map',
      layer: false,
      detail: '2 at a time, collects failures',
      parts: [{ label: 'item', tool: pay, takes: 'item' }],
    })
  })

  test.each([
    { concurrency: 0 },
    { concurrency: 1.5 },
    { concurrency: Infinity },
    { maxItems: 0 },
    { maxItems: Number.NaN },
    { onFailure: 'ignore' as never },
  ])('refuses the options %j', (options) => {
    expect(() => map(double, options)).toThrow(expect.objectContaining({ code: 'invalid_option' }))
  })
})
