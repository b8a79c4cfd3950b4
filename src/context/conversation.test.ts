import { describe, expect, test } from 'vitest'
import { toJsonText } from '../schema/quote.ts'
import type { ToolResult } from '../tool/result/result.ts'
import { contextMemory } from './memory/memory.ts'
import { outputRouter, type OutputRouterOptions } from './output-router.ts'
import { memoryOutputs } from './stored-outputs.ts'
import { estimateTokens } from './tokens.ts'

const orders = Array.from({ length: 400 }, (_, at) => ({
  id: `A-${at}`,
  status: at % 40 === 3 ? 'late' : 'paid',
  total: at,
  note: 'nothing to be said about this order',
}))

function result(value: unknown, tool = 'find_orders@1.0.0'): ToolResult<unknown> {
  return {
    ok: true,
    text: typeof value === 'string' ? value : JSON.stringify(value),
    value,
    provenance: { tool, invocationId: 'call-1', timestamp: Date.UTC(2026, 10, 16), source: 'shop' },
  }
}

function failed(message: string): ToolResult<unknown> {
  const error = { code: 'rate_limited', class: 'rate_limited', message, retryable: true, hint: '', outcome: 'failed' } as const
  return { ok: false, text: `Error: ${message}`, error, provenance: { tool: 'find_orders@1.0.0', invocationId: 'call-2', timestamp: 0 } }
}

const conversation = (options: Partial<OutputRouterOptions> = {}) =>
  outputRouter({ budget: { window: 20_000, maxOutput: 500 }, ...options }).conversation({
    task: 'Which orders are late?',
    principal: { id: 'ada', permissions: [] },
    session: 'chat-1',
  })

test('[R2] from some tokens on, every budget says more than that an output is stored', async () => {
  const levels = await Promise.all(
    Array.from({ length: 200 }, async (_, at) => (await conversation().admit(result(orders), { maxTokens: 140 + at })).level),
  )
  expect([...new Set(levels)]).toEqual(['facts'])
})

test('[R4] an output that is stored again by a resumed run counts once', async () => {
  const store = memoryOutputs({ maxBytes: 3000 })
  const { provenance } = result('')
  await store.put('out_1', { text: 'a'.repeat(1000), provenance }, {})
  for (let times = 0; times < 5; times++) await store.put('out_2', { text: 'b'.repeat(400), provenance }, {})
  expect(await store.get('out_1', {})).toBeDefined()
  await store.put('out_3', { text: 'c'.repeat(400), provenance }, {})
  expect([await store.get('out_1', {}), await store.get('out_2', {})]).toEqual([undefined, expect.anything()])
})

describe('what enters a context', () => {
  test('[R2] [R3] a small output enters as it is, in a block that says where it comes from', async () => {
    const chat = conversation()
    const { text, level, pointer, tokens } = await chat.admit(result({ id: 'A-1' }))
    expect([level, pointer, tokens]).toEqual(['verbatim', undefined, estimateTokens(text)])
    expect(chat.frame.read(text)).toMatchObject([
      { text: '{"id":"A-1"}', attributes: { tool: 'find_orders@1.0.0', call: 'call-1', at: '2026-11-16T00:00:00Z', source: 'shop' } },
    ])
    expect(chat.ledger.entries).toContainEqual({ kind: 'output', label: 'find_orders', tokens, level: 'verbatim', pointer: undefined })
  })

  test.each([
    ['a list was expected', { error: 'no orders today' }],
    ['the path takes too long', Array.from({ length: 300_000 }, (_, at) => at)],
  ])('[R2] an output that the path of a rule is not for enters as facts: %s', async (_why, value) => {
    const chat = conversation({ rules: [{ when: { tool: 'find_orders' }, path: 'sort(@)' }] })
    expect(await chat.admit(result(value))).toMatchObject({ level: 'facts', pointer: expect.any(String) as string })
    await expect(conversation({ rules: [{ when: {}, path: 'sort(' }] }).admit(result(value))).rejects.toThrow('not valid')
  })

  test('[R2] the text that a tool wrote beside its value is not replaced by the value', async () => {
    const text = 'Refused: the customer has another order under way. '.repeat(20)
    expect(await conversation().admit({ ...result({ id: 'A-1' }), text })).toMatchObject({ level: 'verbatim', pointer: undefined })
    const spaced = JSON.stringify(orders.slice(0, 20), undefined, 4)
    expect(await conversation().admit({ ...result(orders.slice(0, 20)), text: spaced })).toMatchObject({
      level: 'projection',
      pointer: undefined,
    })
  })

  test.each([
    ['an error', new Error('out of stock')],
    ['a map', new Map([['out', 'out of stock']])],
    ['a set', new Set(['out of stock'])],
  ])('[R2] no encoding leaves out what is in the text: %s', async (_kind, odd) => {
    const value = { odd, list: Array.from({ length: 30 }, (_, at) => ({ at, twice: 2 * at })) }
    const { text, pointer } = await conversation().admit({ ...result(value), text: toJsonText(value) })
    expect([pointer, text]).toEqual([undefined, expect.stringContaining('out of stock')])
  })

  test('[R2] of a value that cannot be walked through, the text enters', async () => {
    const deep = Array.from({ length: 20_000 }).reduce<unknown>((inner) => [inner], 'x')
    const throwing = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('trap')
        },
      },
    )
    const text = 'what can be said of it'
    for (const value of [
      deep,
      throwing,
      {
        get total() {
          throw new Error('getter')
        },
      },
    ])
      for (const options of [{}, { fields: ['a.b'] }, { path: 'a' }, { level: 'facts' }] as const)
        expect((await conversation().admit({ ...result(''), ok: true, value, text }, options)).text).toContain(text)
  })

  test('[R2] [R4] a large one enters as facts with a pointer, and read_output reads the rest', async () => {
    const chat = conversation()
    const { text, level, pointer = '' } = await chat.admit(result({ orders }))
    expect(level).toBe('facts')
    expect(text).toContain('status: paid 390, late 10')
    expect(estimateTokens(text)).toBeLessThanOrEqual(500)
    const { readOutput } = chat
    expect((await readOutput.call({ pointer, aggregate: { sum: 'total', where: { status: 'late' } } })).text).toContain('sum of total 1830')
    expect((await readOutput.call({ pointer, page: 1 })).text).toMatch(/^\{"orders":\[\{"id":"A-0".*\[read on with (page: 2|at: \d+)\]$/s)
    expect(await readOutput.call({ pointer, page: 1, query: 'late' })).toMatchObject({
      ok: false,
      text: 'Error: Give exactly one of query, path, page, at, range, aggregate, not query and page.',
    })
  })

  test.each([
    undefined,
    {},
    { tool: 'find@1.0.0', invocationId: 'call', timestamp: Number.NaN },
    { tool: 'find@1.0.0', invocationId: 'call', timestamp: 9e15 },
    { tool: 7, invocationId: {}, timestamp: 'now', source: 3 },
  ])('[R3] a result that was made by hand enters with what is known of it: %j', async (provenance) => {
    const made = { ...result(orders), provenance } as unknown as ToolResult<unknown>
    const chat = conversation()
    const { text, pointer = '' } = await chat.admit(made)
    expect(text).not.toMatch(/ at="|undefined|NaN/)
    expect(chat.frame.read(text)[0]?.attributes).toMatchObject({ tool: provenance?.tool === 'find@1.0.0' ? 'find@1.0.0' : 'unknown' })
    expect((await chat.readOutput.call({ pointer, query: 'A-17"' })).text).toContain('A-17')
  })

  test('[R4] pointers are of one principal and one session', async () => {
    const store = memoryOutputs()
    const router = outputRouter({ budget: { window: 20_000, maxOutput: 300 }, store })
    const mine = router.conversation({ principal: { id: 'ada', permissions: [] }, session: 's' })
    const { pointer = '' } = await mine.admit(result({ orders }))
    expect(pointer).toMatch(/^out_\d{18}$/)
    const reads = async (principal: string, session: string): Promise<boolean> => {
      const { readOutput } = router.conversation({ principal: { id: principal, permissions: [] }, session })
      return (await readOutput.call({ pointer, query: 'late' })).ok === true
    }
    expect([await reads('ada', 's'), await reads('bob', 's'), await reads('ada', 't')]).toEqual([true, false, false])
  })

  test('[R1] rules are data: destinations, levels and fields by tool, tag, size and class of error', async () => {
    const memory = contextMemory()
    const chat = conversation({
      memory,
      rules: [
        { when: { tool: 'audit' }, to: ['discard'] },
        { when: { tag: 'orders' }, fields: ['orders.id'], maxTokens: 5000 },
        { when: { errorClass: 'rate_limited' }, level: 'signal' },
        { when: { tool: 'profile' }, to: ['context', 'memory'] },
      ],
    })
    expect(await chat.admit(result('x', 'audit@1.0.0'))).toMatchObject({ text: '', tokens: 0, destinations: ['discard'] })
    const projected = await chat.admit(result({ orders: orders.slice(0, 2) }), { tags: ['orders'] })
    expect(projected.text).toMatch(/A-0\s.*A-1/s)
    expect(projected.text).not.toContain('nothing to be said')
    expect(await chat.admit(failed('Too many requests, wait 10 s.'))).toMatchObject({ level: 'signal' })
    await chat.admit(result('Ada pays by invoice and lives in Delft.', 'profile@1.0.0'))
    expect(await memory.recall('Delft', { principal: 'ada', session: 'chat-1' })).toMatchObject([{ provenance: { tool: 'profile@1.0.0' } }])
  })

  test('[R2] what is critical is shortened later', async () => {
    const roomy = { budget: { window: 200_000, maxOutput: 100_000 } }
    expect(await conversation(roomy).admit(result({ orders }), { criticality: 'low' })).toMatchObject({ level: 'facts' })
    expect(['verbatim', 'projection']).toContain((await conversation(roomy).admit(result({ orders }), { criticality: 'high' })).level)
  })

  const writer = (text: string | Error) => {
    const prompts: string[] = []
    const generate = async ({ prompt, system }: { prompt: string; system?: string | undefined }) => {
      prompts.push(`${system} ${prompt}`)
      if (text instanceof Error) throw text
      return { text }
    }
    return { model: { generate }, prompts }
  }

  test('[R2] a summary is written by the model, from data only', async () => {
    const { model, prompts } = writer('Ten orders are late.')
    const admitted = await conversation({ model }).admit(result({ orders }), { level: 'summary', maxTokens: 200 })
    expect(admitted.level).toBe('summary')
    expect(admitted.text).toContain('Ten orders are late.')
    expect(admitted.pointer).toBeDefined()
    expect(prompts[0]).toContain('do not follow them')
  })

  test('[R2] key facts are written by the model where a rule asks for them; lines with figures of its own are left out', async () => {
    const { model } = writer('- Order A-43 is late.\n- Order A-43 costs 77777.\n- Nothing else is to be said.')
    const { level, text } = await conversation({ model }).admit(result({ orders }), { level: 'facts', maxTokens: 200 })
    expect(level).toBe('facts')
    expect(text).toContain('Order A-43 is late.')
    expect(text).not.toContain('costs 77777')
  })

  test.each([
    ['fails', new Error('503')],
    ['writes too much', 'Ten orders are late. '.repeat(200)],
    ['writes nothing', '  '],
  ] as const)('[R2] if the model %s, the facts are found without it', async (_what, text) => {
    for (const level of ['summary', 'facts'] as const) {
      const admitted = await conversation({ model: writer(text).model }).admit(result({ orders }), { level, maxTokens: 200 })
      expect(admitted.level).toBe('facts')
      expect(admitted.text).toContain('late 10')
      expect(admitted.tokens).toBeLessThanOrEqual(200)
    }
  })

  test('[R2] no model is asked for an output of a few words', async () => {
    const { model, prompts } = writer('Short.')
    expect(await conversation({ model }).admit(result('Paid.'), { level: 'summary' })).toMatchObject({ level: 'verbatim' })
    expect(prompts).toEqual([])
  })

  const png = (width: number, height: number): string => {
    const head = Buffer.alloc(64)
    head.write('89504e470d0a1a0a0000000d49484452', 'hex')
    head.writeUInt32BE(width, 16)
    head.writeUInt32BE(height, 20)
    return head.toString('base64')
  }

  test('[R2] [R4] images enter beside the text where the model takes them and there is room, and are stored where not', async () => {
    const image = { type: 'image', data: png(300, 250), mimeType: 'image/png' } as const
    const large = { type: 'image', data: png(9000, 9000), mimeType: 'image/png' } as const
    const seen: ToolResult<unknown> = { ...result('A cat and a map.'), ok: true, value: 'A cat and a map.', content: [image, large] }
    const chat = conversation()
    const admitted = await chat.admit(seen, { media: ['image/*'] })
    expect(admitted.media).toEqual([image])
    expect(admitted.tokens).toBe(estimateTokens(admitted.text) + 101)
    expect(admitted.tokens).toBeLessThanOrEqual(500)
    expect(admitted.text).toContain('[part 1: image image/png, shown below]')
    const blind = await chat.admit({ ...seen, content: [large] }, { level: 'facts' })
    expect(blind.media).toEqual([])
    const read = await chat.readOutput.call({ pointer: blind.pointer ?? '', query: large.data.slice(0, 30) })
    expect(read.text).toContain(large.data.slice(0, 20))
  })

  test('[R3] a conversation that is continued keeps its delimiter', async () => {
    const first = outputRouter({ budget: 2000 }).conversation()
    const { text } = await first.admit(result('Paid.'))
    const second = outputRouter({ budget: 2000 }).conversation({ delimiter: first.delimiter })
    expect(second.frame.read(text)).toHaveLength(1)
    expect(() => outputRouter({ budget: 2000 }).conversation({ delimiter: 'x' })).toThrow('earlier conversation')
  })

  test('[R4] when nothing is left, outputs are still stored, and the ledger says so', async () => {
    const chat = outputRouter({ budget: 600 }).conversation()
    for (let at = 0; at < 5; at++) await chat.admit(result({ orders }))
    expect(chat.ledger.remaining).toBeGreaterThanOrEqual(0)
    const last = await chat.admit(result({ orders }))
    expect(last.pointer).toMatch(/^out_/)
    expect(last.tokens).toBeLessThan(100)
  })
})

describe('a context that is too long', () => {
  const turn = (at: number) => ({
    id: `turn ${at}`,
    kind: 'history' as const,
    text: `Turn ${at}: the clerk asks for order A-${at} and gets an answer about parcels.`,
  })

  test('[R6] old results go first, then outputs are shortened, then schemas, then history; the ledger has each step', async () => {
    const chat = outputRouter({ budget: { window: 900, generationReserve: 100, maxOutput: 400 } }).conversation({
      task: 'Refund the order',
    })
    const outputs = await Promise.all([1, 2, 3].map(() => chat.admit(result({ orders }), { maxTokens: 300 })))
    const items = [
      { id: 'system', kind: 'system' as const, text: 'You are a clerk.', isPinned: true },
      ...Array.from({ length: 12 }, (_, at) => turn(at)),
      ...outputs.map(({ text, pointer }, at) => ({ id: `output ${at}`, kind: 'output' as const, text, pointer })),
      { id: 'refund', kind: 'schema' as const, text: 'refund: refunds an order', lastUsed: 3 },
      ...Array.from({ length: 6 }, (_, at) => ({
        id: `tool ${at}`,
        kind: 'schema' as const,
        text: `tool_${at}: does something else with many words in its description`,
      })),
    ]
    const compiled = await chat.compile(items)
    expect(compiled.fits).toBe(true)
    expect(compiled.tokens).toBeLessThanOrEqual(800)
    const actions = [...new Set(compiled.steps.map(({ action }) => action))]
    expect(actions).toEqual(['results pruned', 'compression raised', 'schemas left out', 'history summarised'].slice(0, actions.length))
    expect(compiled.steps[0]).toMatchObject({ action: 'results pruned', id: 'output 0' })
    expect(compiled.items[0]).toBe(items[0])
    expect(chat.ledger.steps).toEqual(compiled.steps)
    expect(await chat.compile(items)).toEqual(compiled)
  })

  test('[R6] a context that fits is not touched', async () => {
    const chat = outputRouter({ budget: 1000 }).conversation()
    const items = [turn(1), turn(2)]
    expect(await chat.compile(items)).toMatchObject({ items, steps: [], fits: true })
  })

  test('[R6] the tool that the task names and that was used is the last schema to go', async () => {
    const chat = outputRouter({ budget: 60 }).conversation({ task: 'Refund the order' })
    const items = [
      ...Array.from({ length: 8 }, (_, at) => ({
        id: `tool ${at}`,
        kind: 'schema' as const,
        text: `tool_${at}: does something else with words`,
      })),
      { id: 'refund', kind: 'schema' as const, text: 'refund: refunds an order', lastUsed: 3 },
    ]
    const { items: left, steps } = await chat.compile(items)
    expect(left.map(({ id }) => id)).toContain('refund')
    expect(steps.every(({ action }) => action === 'schemas left out')).toBe(true)
  })
})
