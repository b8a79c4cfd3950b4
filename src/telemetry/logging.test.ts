import { Writable } from 'node:stream'
import { type Level, pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../combinators/gate/gate.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { compound } from '../tool/compound.ts'
import type { Logger } from '../tool/ports/logger.ts'
import { failure, success } from '../tool/result/returned.ts'
import { tool } from '../tool/tool.ts'

interface Line {
  readonly level: string
  readonly msg: string
  readonly [field: string]: unknown
}

/** A real pino, and the lines that it has written. */
function logger(level: Level = 'info'): { readonly log: Logger; readonly lines: readonly Line[]; readonly text: () => string } {
  const chunks: string[] = []
  const lines: Line[] = []
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk.toString())
      lines.push(JSON.parse(chunk.toString()) as Line)
      done()
    },
  })
  const options = { level, timestamp: false, base: null, formatters: { level: (label: string) => ({ level: label }) } }
  return { log: pino(options, stream), lines, text: () => chunks.join('') }
}

const add = tool({
  name: 'add',
  description: 'Adds two numbers.',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  effect: 'read',
  execute: async ({ a, b }, context) => {
    await context.sleep(12)
    return { sum: a + b }
  },
})
const shout = tool({ name: 'shout', description: 'Repeats.', effect: 'read', execute: (input) => input.toUpperCase() })
const pay = tool({ name: 'pay', description: 'Pays.', execute: () => 'paid' })

describe('a line for each call', () => {
  test('INFO tells input, output and milliseconds [T13]', async () => {
    const { log, lines } = logger()
    const clock = fakeClock()
    await clock.until(add.call({ a: 1, b: 2 }, { log, clock, agent: 'clerk' }))
    await shout.call('hello', { log, clock })
    expect(lines).toEqual([
      {
        level: 'info',
        tool: 'add',
        path: 'add',
        durationMs: 12,
        outcome: 'success',
        agent: 'clerk',
        msg: 'add({"a":1,"b":2}) -> {"sum":3} [12 ms]',
      },
      { level: 'info', tool: 'shout', path: 'shout', durationMs: 0, outcome: 'success', msg: 'shout(hello) -> HELLO [0 ms]' },
    ])
  })

  test('WARN tells the message of a failure that was returned, and of an error that was thrown [T7, T13]', async () => {
    const { log, lines } = logger()
    const returns = tool({ name: 'returns', description: 'Fails.', effect: 'read', execute: () => failure('No order.', { code: 'gone' }) })
    const throws = tool({ name: 'throws', description: 'Throws.', effect: 'read', execute: () => Promise.reject(new Error('Boom.')) })
    await returns.call('x', { log })
    await throws.call('y', { log })
    await add.call({ a: 1 } as never, { log })
    expect(lines).toMatchObject([
      { level: 'warn', outcome: 'failure', code: 'gone', msg: 'returns(x) -> Error: No order.' },
      { level: 'warn', outcome: 'error', code: 'tool_failed', msg: 'throws(y) -> Error: Boom.' },
      {
        level: 'warn',
        outcome: 'failure',
        code: 'invalid_input',
        msg: expect.stringMatching(/^add\(\{"a":1\}\) -> Error: .*'b' is missing/),
      },
    ])
  })

  test('ERROR tells of a configuration error, at the call and at those around it [T13]', async () => {
    const { log, lines } = logger()
    const shop = compound({
      name: 'shop',
      description: 'Buys.',
      parts: { pay: gate(pay) },
      run: (input, context, parts) => context.call('pay', parts.pay, input),
    })
    await expect(shop.call('5', { log })).rejects.toThrow('no ReviewHandler')
    const message = "Error: Tool 'pay' requires approval but no ReviewHandler is configured. Pass one as 'review'."
    expect(lines).toMatchObject([
      { level: 'error', outcome: 'error', code: 'missing_review_handler', path: 'shop/pay', msg: `pay(5) -> ${message}` },
      { level: 'error', outcome: 'error', code: 'missing_review_handler', path: 'shop', msg: `shop(5) -> ${message}` },
    ])
  })

  test('a reviewer who stops the run is no error of the program: WARN [T13]', async () => {
    const { log, lines } = logger()
    const review = { review: () => ({ action: 'stop' as const }) }
    await expect(gate(pay).call('5', { log, review })).rejects.toThrow('stopped')
    expect(lines).toMatchObject([{ level: 'warn', code: 'exit_early', msg: "pay(5) -> Error: A reviewer stopped the run at 'pay'." }])
  })

  test('a gated call has one line, whether it was approved or rejected [T13]', async () => {
    const { log, lines } = logger()
    await gate(pay).call('5', { log, review: { review: () => ({ action: 'continue' }) } })
    await gate(pay).call('6', { log, review: { review: () => ({ action: 'reject' }) } })
    expect(lines.map(({ level, msg }) => `${level} ${msg.replace(/\d+ ms/, '0 ms')}`)).toEqual([
      'info pay(5) -> paid [0 ms]',
      'warn pay(6) -> Error: Rejected by reviewer: 6',
    ])
  })

  test('steps and the compound have a line each', async () => {
    const { log, lines } = logger()
    const loud = compound({
      name: 'loud',
      description: 'Shouts.',
      parts: { shout },
      run: (input, context, parts) => context.call('once', parts.shout, input),
    })
    await loud.call('a', { log })
    expect(lines.map(({ path }) => path)).toEqual(['loud/once', 'loud'])
  })
})

describe('length', () => {
  test('input, output and message are cut at 200 characters, each by itself [T13]', async () => {
    const { log, lines } = logger()
    const fails = tool({ name: 'fails', description: 'Fails.', effect: 'read', execute: (input) => failure(`no ${input}`) })
    await shout.call('a'.repeat(200), { log })
    await shout.call('b'.repeat(201), { log })
    await fails.call('c'.repeat(300), { log })
    const short = tool({ name: 'short', description: 'Is short.', effect: 'read', execute: () => 'ok' })
    await short.call('d'.repeat(300), { log })
    expect(lines.map(({ msg }) => msg.replace(/\d+ ms/, '0 ms'))).toEqual([
      `shout(${'a'.repeat(200)}) -> ${'A'.repeat(200)} [0 ms]`,
      `shout(${'b'.repeat(200)}... (201 characters)) -> ${'B'.repeat(200)}... (201 characters) [0 ms]`,
      `fails(${'c'.repeat(200)}... (300 characters)) -> Error: no ${'c'.repeat(197)}... (303 characters)`,
      `short(${'d'.repeat(200)}... (300 characters)) -> ok [0 ms]`,
    ])
  })

  test('DEBUG has input and output in full [T13]', async () => {
    const { log, lines } = logger('debug')
    await shout.call('a'.repeat(300), { log })
    expect(lines[1]).toEqual({
      level: 'debug',
      tool: 'shout',
      path: 'shout',
      input: 'a'.repeat(300),
      output: 'A'.repeat(300),
      msg: 'shout in full',
    })
  })
})

describe('levels', () => {
  test('TRACE has the specifications that the model was sent [T13]', async () => {
    const { log, lines } = logger('trace')
    const runtime = createRuntime({ tools: [add, shout], log })
    await runtime.callByName('shout', '{"input":"hi"}')
    expect(lines.filter(({ level }) => level === 'trace')).toMatchObject([
      { specification: { name: 'add', parameters: { required: ['a', 'b'] } }, msg: 'specification of add' },
      { specification: { name: 'shout', description: 'Repeats.' }, msg: 'specification of shout' },
    ])
    expect(lines.find(({ level }) => level === 'info')?.msg).toMatch(/^shout\(hi\) -> HI \[\d+ ms\]$/)
  })

  test('nothing is put into words for a level that is off', async () => {
    const { log, lines } = logger('error')
    let read = 0
    const input = {
      a: 1,
      b: 2,
      toJSON: () => {
        read++
        return {}
      },
    }
    await add.call(input, { log, clock: { ...fakeClock(), timer: (_ms, callback) => (callback(), () => {}) } })
    expect([lines, read]).toEqual([[], 0])
  })

  test('an unknown tool has its line as well', async () => {
    const { log, lines } = logger()
    await createRuntime({ tools: [shout], log }).callByName('shuot', '{}')
    expect(lines).toMatchObject([{ level: 'warn', code: 'unknown_tool', msg: expect.stringContaining("There is no tool 'shuot'.") }])
  })
})

describe('secrets', () => {
  const login = tool({
    name: 'login',
    description: 'Logs in.',
    inputSchema: z.object({ user: z.string(), password: z.string(), pin: z.number().optional() }),
    effect: 'read',
    execute: async ({ user, password }, context) => {
      const key = await context.secret('API_KEY')
      if (user === 'returns') return failure(`${password} is wrong, so is ${key}`)
      if (user === 'throws') throw new Error(`${password} is wrong, so is ${key}`)
      if (user === 'says') return success({ accessToken: 'tok-987654' }, { text: `Use tok-987654 and ${key}` })
      return { user, accessToken: 'tok-987654', pin: 4711, privateKey: '-----BEGIN\nKEY-----', note: `${password} ${key}` }
    },
  })

  test.each(['works', 'says', 'returns', 'throws'])('appear at no level, whatever the tool does with them: it %s [T13]', async (user) => {
    const { log, lines, text } = logger('trace')
    const runtime = createRuntime({ tools: [login], log, secrets: { get: () => 'sk-abcdef' } })
    await runtime.callByName('login', JSON.stringify({ user, password: 'hunter2!', pin: 4711 }))
    expect(lines.map(({ level }) => level)).toEqual(['trace', user === 'works' || user === 'says' ? 'info' : 'warn', 'debug'])
    expect(text()).not.toMatch(/hunter2|sk-abcdef|tok-987654|4711|BEGIN/)
    expect(text()).toContain('••••••')
  })

  test('that only the output schema tells of are masked as well [T13]', async () => {
    const { log, text } = logger('debug')
    const card = tool({
      name: 'card',
      description: 'Gives a card.',
      outputSchema: z.object({ last: z.string(), full: z.string().meta({ sensitive: true }), limit: z.number().meta({ sensitive: true }) }),
      effect: 'read',
      execute: () => ({ last: '4242', full: '4000-1234', limit: 98_765 }),
    })
    await card.call('', { log })
    expect(text()).toContain('4242')
    expect(text()).not.toMatch(/4000-1234|98765/)
  })
})
