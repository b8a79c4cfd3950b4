import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../combinators/gate/gate.ts'
import { fakeIds } from '../testing/fake-ids.ts'
import { ConfigurationError } from './errors/configuration-error.ts'
import { ToolError } from './errors/tool-error.ts'
import { failure, success } from './result/returned.ts'
import { tool } from './tool.ts'

const echo = tool({ name: 'echo', description: 'Says it again.', effect: 'read', execute: (input) => input })

describe('a definition', () => {
  const define = (more: object) => () => tool({ name: 'a', description: 'd', execute: () => 1, ...more })

  test.each([
    ['a blank name', { name: '  ' }, 'invalid_name', 'not blank'],
    ['a name with a space', { name: 'two words' }, 'invalid_name', "'two words'"],
    ['a name with a dash', { name: 'web-search' }, 'invalid_name', "'web-search'"],
    ['a name of 65 characters', { name: 'x'.repeat(65) }, 'invalid_name', '1 to 64'],
    ['a name that is no string', { name: 7 }, 'invalid_name', '7'],
    ['no description', { description: '' }, 'invalid_definition', 'description'],
    ['a version that is not semantic', { version: '1.2' }, 'invalid_definition', '"1.2"'],
    ['an unknown effect', { effect: 'none' }, 'invalid_definition', '"none"'],
    ['no execute', { execute: undefined }, 'invalid_definition', 'execute'],
    ['an unreadable deadline', { deadline: 'soon' }, 'invalid_option', '"soon"'],
    ['an unknown risk', { requireApproval: { risk: 'huge' } }, 'invalid_option', `'low', 'medium' or 'high', not "huge"`],
    ['an unknown onTimeout', { requireApproval: { onTimeout: 'wait' } }, 'invalid_option', `'reject', 'continue' or 'stop', not "wait"`],
    ['a reason that is no text', { requireApproval: { why: 7 } }, 'invalid_option', 'a text or a function'],
    ['an unreadable time to approve', { requireApproval: { timeout: 'soon' } }, 'invalid_option', "of the approval of tool 'a'"],
    ['an approval that is null', { requireApproval: null }, 'invalid_option', 'true, false, a predicate or options'],
    ['a schema that is none', { inputSchema: 'string' }, 'invalid_schema', 'inputSchema'],
  ])('with %s is refused when the tool is built [T1]', (_what, more, code, said) => {
    expect(define(more)).toThrow(expect.objectContaining({ name: 'ConfigurationError', code, message: expect.stringContaining(said) }))
  })

  test('with a gate whose risk or time-out nobody knows is refused when the gate is built [T14]', () => {
    const plain = tool({ name: 'pay', description: 'Pays.', execute: () => 1 })
    expect(() => gate(plain, { onTimeout: 'later' as never })).toThrow(
      expect.objectContaining({
        code: 'invalid_option',
        message: expect.stringContaining("'onTimeout' in the approval of tool 'pay' must be"),
      }),
    )
    expect(() => gate(plain, { risk: 3 as never })).toThrow(expect.objectContaining({ code: 'invalid_option' }))
  })

  test('takes the longest name, and keeps its metadata [T1]', () => {
    const full = tool({
      name: 'x'.repeat(64),
      description: 'd',
      version: '1.2.0-beta.1',
      title: 'Find orders',
      effect: 'read',
      idempotent: true,
      permissions: ['orders:read'],
      estimates: { latencyMs: 80, p99Ms: 400, reliability: 0.99, costUsd: 0.0004, accuracy: 0.9 },
      source: 'orders database',
      tags: ['orders'],
      execute: () => 1,
    })
    expect(gate(full).title).toBe('Find orders')
    expect(full).toMatchObject({
      version: '1.2.0-beta.1',
      title: 'Find orders',
      effect: 'read',
      idempotent: true,
      permissions: ['orders:read'],
      estimates: { p99Ms: 400 },
      source: 'orders database',
      tags: ['orders'],
    })
  })

  test.each(['', ' ', 'two\nlines', 'hidden\u202e', 'x'.repeat(101), 3])('refuses the title %j, which people could not read', (title) => {
    expect(() => tool({ name: 'a', description: 'd', title: title as string, execute: () => 1 })).toThrow(
      expect.objectContaining({
        code: 'invalid_definition',
        message: expect.stringContaining("The title of tool 'a' must be a text of one line"),
      }),
    )
  })

  test('without metadata is version 0.0.0, irreversible and not idempotent [T1]', () => {
    expect(tool({ name: 'a', description: 'd', execute: () => 1 })).toMatchObject({
      version: '0.0.0',
      effect: 'irreversible',
      idempotent: false,
      permissions: [],
    })
  })

  test('cannot be changed after it is built, nor its function be reached around the door [T8]', async () => {
    const author = () => 'bare'
    const built = tool({ name: 'a', description: 'd', requireApproval: true, execute: author })
    expect(() => Object.assign(built, { call: () => 'hijacked' })).toThrow(TypeError)
    const reachable = [built, ...Object.values(built)].flatMap((each) =>
      typeof each === 'object' && each !== null ? Object.values(each as object) : [each],
    )
    expect(reachable).not.toContain(author)
    await expect(built.execute('x')).rejects.toThrow(ConfigurationError)
    await expect({ ...built }.execute('x')).rejects.toThrow(ConfigurationError)
  })
})

describe('a result', () => {
  test('of a value has its text, its value and its provenance [T6]', async () => {
    const sum = tool({ name: 'sum', version: '2.0.0', description: 'Adds.', source: 'arithmetic', execute: () => ({ total: 3 }) })
    const result = await sum.call('', { ids: fakeIds() })
    expect(result).toMatchObject({ ok: true, value: { total: 3 }, text: '{"total":3}' })
    expect(result.provenance).toEqual({ tool: 'sum@2.0.0', invocationId: 'id-1', timestamp: expect.any(Number), source: 'arithmetic' })
    expect(Math.abs(Date.now() - result.provenance.timestamp)).toBeLessThan(60_000)
  })

  test.each([null, undefined])('of %s is a success with empty text [T6]', async (nothing) => {
    expect(await tool({ name: 'a', description: 'd', execute: () => nothing }).call('')).toMatchObject({ ok: true, text: '' })
  })

  test('carries the text, content, issues and confidence that success() names [T6]', async () => {
    const content = [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] as const
    const issues = [{ severity: 'warning', message: 'old' }] as const
    const chart = tool({
      name: 'chart',
      description: 'd',
      execute: () => success({ rows: 2 }, { text: '2 rows', content, issues, confidence: 0.8 }),
    })
    expect(await chart.call('')).toMatchObject({ ok: true, text: '2 rows', value: { rows: 2 }, content, issues, confidence: 0.8 })
  })

  test('of a returned failure has the message, the code, the class and the hint [T6]', async () => {
    const pay = tool({
      name: 'pay',
      description: 'd',
      execute: () => failure('The card was declined.', { code: 'declined', hint: 'Ask for another card.' }),
    })
    const result = await pay.call('')
    expect(result).toMatchObject({
      ok: false,
      text: 'Error: The card was declined.',
      error: {
        code: 'declined',
        class: 'semantic',
        message: 'The card was declined.',
        retryable: false,
        hint: 'Ask for another card.',
        outcome: 'failed',
      },
    })
  })

  test.each([undefined, '', '  '])('of a failure with the message %j gets a default one [T6]', async (message) => {
    expect(await tool({ name: 'a', description: 'd', execute: () => failure(message) }).call('')).toMatchObject({
      text: 'Error: The tool failed without a message.',
    })
  })

  test.each<['read' | 'write', boolean, 'unknown' | 'failed', RegExp]>([
    ['write', false, 'unknown', /not known whether it took effect\. Check/],
    ['write', false, 'failed', /Call again after a short pause/],
    ['write', true, 'unknown', /Call again after a short pause/],
    ['read', false, 'unknown', /Call again after a short pause/],
  ])('advises to repeat a %s (idempotent: %s) whose outcome is %s only if that is safe [H1]', async (effect, idempotent, outcome, hint) => {
    const fails = (own?: string) =>
      tool({
        name: 'fails',
        description: 'd',
        effect,
        idempotent,
        execute: () => {
          throw new ToolError('No answer.', { code: 'service_unavailable', outcome, hint: own })
        },
      })
    expect(await fails().call('x')).toMatchObject({ error: { hint: expect.stringMatching(hint) } })
    expect(await fails('Ask Bob.').call('x')).toMatchObject({ error: { hint: 'Ask Bob.' } })
  })

  test('of a thrown error is a failure with that message, and call does not throw [T7]', async () => {
    const result = await tool({
      name: 'a',
      description: 'd',
      execute: () => {
        throw new ToolError('No such customer.', { class: 'not_found' })
      },
    }).call('')
    expect(result).toMatchObject({ ok: false, text: 'Error: No such customer.', error: { class: 'not_found', code: 'tool_failed' } })
  })

  test('of whatever else is thrown is a failure too [T7]', async () => {
    for (const thrown of [undefined, null, 0, 'text', {}, Object.create(null), new Proxy({}, {}), Symbol('s')]) {
      const result = await tool({
        name: 'a',
        description: 'd',
        execute: () => {
          throw thrown
        },
      }).call('')
      expect(result.ok).toBe(false)
      expect(result.text).toMatch(/^Error: ./)
    }
  })

  test('of a thrown or rejected thing that cannot be looked at is a failure too [T7]', async () => {
    const revoked = (): object => {
      const { proxy, revoke } = Proxy.revocable({}, {})
      revoke()
      return proxy
    }
    const throwing = tool({
      name: 'a',
      description: 'd',
      execute: () => {
        throw revoked()
      },
    })
    const rejecting = tool({ name: 'a', description: 'd', execute: () => Promise.reject(revoked()) })
    expect([(await throwing.call('')).ok, (await rejecting.call('')).ok]).toEqual([false, false])
  })

  test('is data: it survives JSON with its text and without the cause', async () => {
    const broken = tool({
      name: 'a',
      description: 'd',
      execute: () => Promise.reject(new ToolError('No.', { cause: new Error('secret cause') })),
    })
    const good = JSON.parse(JSON.stringify(await echo.call('hi'))) as object
    expect(good).toMatchObject({ ok: true, text: 'hi', value: 'hi', provenance: { tool: 'echo@0.0.0' } })
    const bad = JSON.stringify(await broken.call(''))
    expect(JSON.parse(bad)).toMatchObject({ ok: false, text: 'Error: No.', error: { code: 'tool_failed' } })
    expect(bad).not.toContain('secret cause')
  })

  test('whose value JSON cannot hold still has a text', async () => {
    const cycle: { self?: unknown } = {}
    cycle.self = cycle
    expect((await tool({ name: 'a', description: 'd', execute: () => cycle }).call('')).text).toContain('JSON cannot hold')
    expect((await tool({ name: 'a', description: 'd', execute: () => ({ big: 12n }) }).call('')).text).toBe('{"big":"12"}')
  })
})

describe('an output schema', () => {
  const reads = { name: 'count', description: 'Counts.', outputSchema: z.object({ total: z.number() }) }

  test('is checked on every execution: what does not fit is a failure of class semantic [T5]', async () => {
    let total: unknown = 3
    const count = tool({ ...reads, effect: 'read', execute: () => ({ total }) as { total: number } })
    expect(await count.call('')).toMatchObject({ ok: true, value: { total: 3 } })
    total = 'three'
    expect(await count.call('')).toMatchObject({
      ok: false,
      error: { code: 'invalid_output', class: 'semantic', outcome: 'failed', message: expect.stringContaining("'total'") },
    })
  })

  test('leaves open whether an effect happened when the output of a write does not fit [T5]', async () => {
    const count = tool({ ...reads, effect: 'write', execute: () => ({}) as { total: number } })
    expect(await count.call('')).toMatchObject({ error: { code: 'invalid_output', outcome: 'unknown' } })
  })

  test('applies to success() and to async schemas, and its transform is what the caller gets [T5]', async () => {
    const doubled = tool({
      name: 'a',
      description: 'd',
      outputSchema: z.object({ n: z.number().refine(async (n) => n > 0) }).transform(({ n }) => n * 2),
      execute: () => success({ n: 4 }, { text: 'four' }),
    })
    expect(await doubled.call('')).toMatchObject({ ok: true, value: 8, text: 'four' })
  })

  test('that throws is a failure, not a crash [T5]', async () => {
    const odd = tool({
      name: 'a',
      description: 'd',
      outputSchema: z.string().transform(() => {
        throw new Error('bad transform')
      }),
      execute: () => 'x',
    })
    expect(await odd.call('')).toMatchObject({ ok: false, error: { message: expect.stringContaining('bad transform') } })
  })
})

describe('execute, as a peer calls it', () => {
  const add = tool({
    name: 'add',
    description: 'Adds.',
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    execute: ({ a, b }) => a + b,
  })

  test('gives the value, and throws the message with what to do next [T8]', async () => {
    expect(await add.execute({ a: 1, b: 2 })).toBe(3)
    await expect(add.execute({ a: 1 } as never)).rejects.toMatchObject({
      name: 'ToolExecutionError',
      message: expect.stringMatching(/'b' is missing.*call again/),
      result: { ok: false },
    })
  })

  test('works when it is taken off the tool, and unwraps the one parameter of a string tool [T2]', async () => {
    const { execute } = echo
    expect(await execute({ input: 'hi' } as never)).toBe('hi')
    expect(await execute('hi')).toBe('hi')
  })

  test('honours the abort signal that peers pass', async () => {
    const wait = tool({ name: 'wait', description: 'Waits.', execute: () => new Promise<string>(() => {}) })
    const controller = new AbortController()
    const waiting = wait.execute('x', { abortSignal: controller.signal, toolCallId: 'call_1' })
    controller.abort()
    await expect(waiting).rejects.toThrow(/cancelled/)
  })

  test('goes through the gate: a denied call never executes [T14]', async () => {
    let ran = false
    const gated = tool({ name: 'pay', description: 'Pays.', requireApproval: true, execute: () => (ran = true) })
    await expect(gated.execute('x', { review: { review: () => ({ action: 'reject' }) } })).rejects.toThrow('Rejected by reviewer: x')
    expect(ran).toBe(false)
  })
})
