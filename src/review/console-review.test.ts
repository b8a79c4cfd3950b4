import { getEventListeners } from 'node:events'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { compound, type ReviewRequest, tool } from '../index.ts'
import { fakeClock, settled } from '../testing/fake-clock.ts'
import { terminal } from '../../test/fixtures/console/terminal.ts'
import { consoleReview } from './console-review.ts'

const Refund = z.object({ orderId: z.string(), amount: z.number(), token: z.string().optional() })

function refunds() {
  const ran: unknown[] = []
  const refund = tool({
    name: 'issue_refund',
    version: '1.2.0',
    description: 'Refunds an order.',
    inputSchema: Refund,
    requireApproval: { why: 'A refund.' },
    execute: (input) => {
      ran.push(input)
      return 'refunded'
    },
  })
  return { refund, ran }
}

const input = { orderId: 'A1', amount: 250 }

async function answered(line: string, given: z.input<typeof Refund> = input) {
  const { refund, ran } = refunds()
  const screen = terminal()
  const result = refund.call(given, { review: consoleReview(screen.streams), principal: { id: 'ada', permissions: [] }, agent: 'desk' })
  screen.input.write(line)
  return { result: await result, ran, screen }
}

describe('an approval on the console', () => {
  test('shows tool, risk, why, caller, path and the masked input [T14] [T15]', async () => {
    const { screen } = await answered('y\n', { ...input, token: 'tok-secret-1' })
    expect(screen.shown()).toBe(
      [
        '',
        '--- Approval wanted ---',
        'tool    issue_refund@1.2.0',
        'risk    high',
        'caller  principal ada, agent desk',
        'path    issue_refund:approval',
        'why     A refund.',
        'input',
        '  | {',
        '  |   "orderId": "A1",',
        '  |   "amount": 250,',
        '  |   "token": "••••••"',
        '  | }',
        '[y]es, [e]dit, [n]o <reason>, [s]top <reason>: ',
        '', // no terminal ends the row of a line that came from a pipe
      ].join('\n'),
    )
  })

  test('shows a reason of several lines line by line, behind the bar [T15]', async () => {
    const screen = terminal()
    const save = tool({ name: 'save', description: 'd', requireApproval: { why: 'Changes a file.\n-old\n+new\n' }, execute: () => 'saved' })
    const result = save.call('x', { review: consoleReview(screen.streams) })
    screen.input.write('y\n')
    await result
    expect(screen.shown()).toContain('why\n  | Changes a file.\n  | -old\n  | +new\ninput\n')
  })

  test.each(['y\n', 'YES\n', ' c \n', 'continue\r\n'])('%j continues [T14]', async (line) => {
    const { result, ran } = await answered(line)
    expect(result.ok).toBe(true)
    expect(ran).toEqual([input])
  })

  test.each(['n\n', 'no too much\n', 'r\n', 'Reject\n'])('%j rejects [T14]', async (line) => {
    const { result, ran } = await answered(line)
    expect(result).toMatchObject({
      ok: false,
      text: expect.stringMatching(/^Error: Rejected by reviewer console \(claimed\).*: \{"orderId":"A1","amount":250\}$/),
      error: { class: 'rejected', outcome: 'not_started' },
    })
    expect(ran).toEqual([])
  })

  test('a reason reaches the caller in the message [T14]', async () => {
    const { result } = await answered('no  ask the customer first \n')
    expect(result).toMatchObject({ error: { message: expect.stringContaining('who says "ask the customer first": ') } })
  })

  test('stop ends the run [T14]', async () => {
    await expect(answered('stop wrong customer\n')).rejects.toMatchObject({
      name: 'ExitEarly',
      message: "Reviewer console (claimed) stopped the run at 'issue_refund': wrong customer",
    })
  })

  test.each([
    'e\n={"orderId":"A1","amount":5,"token":"••••••"}\n',
    'edit {"orderId":"A1","amount":5,"token":"••••••"}\n',
    'e {"amount":5}\n',
    'e\n{"amount":"five"}\ne {"amont":5}\ne {"amount":\ne {"amount":5}\n',
    'yess\n\ny unless it is large\ne\n{"amount":5}\n',
  ])('%j runs with the new input, and a field left masked keeps its value [T14]', async (lines) => {
    const { ran } = await answered(lines, { ...input, token: 'tok-secret-1' })
    expect(ran).toEqual([{ orderId: 'A1', amount: 5, token: 'tok-secret-1' }])
  })

  test('an edit that does not fit says why, and is asked for again [T14]', async () => {
    const { screen } = await answered('e\n{"amount":"five"}\ne {"amont":5}\ne {"amount":\ny\n')
    expect(screen.shown()).toMatch(/The edit does not fit: .*amount/)
    expect(screen.shown()).toContain("The edit does not fit: there is no field 'amont'. Did you mean 'amount'?")
    expect(screen.shown()).toContain('That is not valid JSON.')
  })

  test('the new input of a string tool is the line as it is [T14]', async () => {
    const shout = tool({ name: 'shout', description: 'Shouts.', requireApproval: true, execute: (text) => text.toUpperCase() })
    const screen = terminal()
    screen.input.write('e\r\nsay "hi"\r\n')
    expect(await shout.call('hello', { review: consoleReview(screen.streams) })).toMatchObject({ ok: true, text: 'SAY "HI"' })
  })

  test.each(['\n', 'maybe\n', 'y unless it is large\n', 'yess\n', 'e\nnot json\n', '{"action":"continue"}\n', '\u0000y\n'])(
    'nonsense such as %j is asked again, and five times of it end the request [T14]',
    async (lines) => {
      expect((await answered(`${lines}y\n`)).ran).toEqual([input])
      const { result, ran, screen } = await answered(lines.repeat(5))
      expect(result).toMatchObject({
        error: { code: 'reviewer_unreachable', message: expect.stringContaining('The answer on the console was not understood') },
      })
      expect(screen.shown()).toContain('Nothing runs, since the answers were not understood.')
      expect(ran).toEqual([])
    },
  )
})

describe('a question on the console', () => {
  const ask = (answerSchema: z.ZodType) =>
    compound({
      name: 'ask',
      description: 'Asks.',
      parts: {},
      run: async (question, context) => JSON.stringify(await context.ask({ question, answerSchema })),
    })

  test.each([
    [z.string(), 'the blue one\n', '"the blue one"'],
    [z.string(), '42\n', '"42"'],
    [z.number(), '42\n', '42'],
    [z.object({ colours: z.array(z.string()) }), '{"colours":["blue"]}\n', '{"colours":["blue"]}'],
  ])('is answered as its schema says [T14] (%#)', async (schema, line, text) => {
    const screen = terminal()
    screen.input.write(line)
    expect(await ask(schema).call('Which one?', { review: consoleReview(screen.streams) })).toMatchObject({ ok: true, text })
  })

  test('shows the question once, and the schema where JSON is wanted', async () => {
    const screen = terminal()
    screen.input.write('1\n')
    await ask(z.number()).call('How many?\nAnd why?', { review: consoleReview(screen.streams) })
    expect(screen.shown()).toContain(
      'path    ask:ask\nquestion\n  | How many?\n  | And why?\nanswer as one line of JSON that fits {"type":"number"}',
    )
  })

  test.each(['\n', 'many\n', '"4"\n'])('%j is asked again where a number is wanted [T14]', async (line) => {
    const screen = terminal()
    screen.input.write(`${line}4\n`)
    expect(await ask(z.number()).call('How many?', { review: consoleReview(screen.streams) })).toMatchObject({ ok: true, text: '4' })
    screen.input.write(line.repeat(5))
    expect(await ask(z.number()).call('How many?', { review: consoleReview(screen.streams) })).toMatchObject({
      error: { code: 'reviewer_unreachable' },
    })
  })

  test('/reject rejects [T14]', async () => {
    const screen = terminal()
    screen.input.write('/reject not my table\n')
    expect(await ask(z.number()).call('How many?', { review: consoleReview(screen.streams) })).toMatchObject({
      error: { code: 'rejected' },
    })
  })

  test('an empty line is no answer, not even where a text is wanted [T14]', async () => {
    const screen = terminal()
    screen.input.write(' \nthe blue one\n')
    expect(await ask(z.string()).call('Which?', { review: consoleReview(screen.streams) })).toMatchObject({ text: '"the blue one"' })
  })

  test('/stop ends the run [T14]', async () => {
    const screen = terminal()
    screen.input.write('/stop\n')
    await expect(ask(z.string()).call('Which?', { review: consoleReview(screen.streams) })).rejects.toMatchObject({ name: 'ExitEarly' })
  })
})

describe('a console that is gone', () => {
  test.each(['', 'y', 'e\n', 'e\n{"orderId"'])('an end after %j rejects [T14]', async (begun) => {
    const { refund, ran } = refunds()
    const screen = terminal()
    const result = refund.call(input, { review: consoleReview(screen.streams) })
    screen.input.end(begun)
    expect(await result).toMatchObject({
      error: { code: 'reviewer_unreachable', message: expect.stringContaining('Nobody can answer: the console is closed') },
    })
    expect(ran).toEqual([])
    // What the program prints next does not stand behind the prompt.
    expect(screen.shown()).toMatch(/: \n$/)
  })

  test('a terminal shows the end of the line itself, and no row is left empty', async () => {
    const { refund } = refunds()
    const screen = terminal()
    const result = refund.call(input, { review: consoleReview({ ...screen.streams, input: Object.assign(screen.input, { isTTY: true }) }) })
    while (!screen.shown().endsWith(': ')) await new Promise((resolve) => void setImmediate(resolve))
    screen.input.write('y\n')
    await result
    expect(screen.shown()).toMatch(/: $/)
  })

  test('an input that ends without closing rejects too [T14]', async () => {
    const { refund } = refunds()
    const screen = { input: new PassThrough({ autoDestroy: false }), output: terminal().output }
    const result = refund.call(input, { review: consoleReview(screen) })
    screen.input.end()
    expect(await result).toMatchObject({ error: { code: 'reviewer_unreachable' } })
  })

  test('an input that had ended before, was destroyed or fails rejects [T14]', async () => {
    const { refund, ran } = refunds()
    const ended = terminal()
    ended.input.end().resume()
    await settled()
    const destroyed = terminal()
    destroyed.input.destroy()
    for (const screen of [ended, destroyed]) {
      expect(await refund.call(input, { review: consoleReview(screen.streams) })).toMatchObject({ error: { code: 'reviewer_unreachable' } })
    }
    const failing = terminal()
    const result = refund.call(input, { review: consoleReview(failing.streams) })
    await settled()
    failing.input.destroy(new Error('unplugged'))
    expect(await result).toMatchObject({ error: { code: 'reviewer_unreachable' } })
    expect(ran).toEqual([])
  })

  test('an output that nobody can see rejects, and its failure crashes nothing [T14]', async () => {
    const { refund, ran } = refunds()
    const screen = terminal()
    const result = refund.call(input, { review: consoleReview(screen.streams) })
    await settled()
    screen.output.destroy(new Error('EPIPE'))
    expect(await result).toMatchObject({ error: { code: 'reviewer_unreachable' } })
    screen.input.write('y\n')
    expect(await refund.call(input, { review: consoleReview(screen.streams) })).toMatchObject({ error: { code: 'reviewer_unreachable' } })
    expect(ran).toEqual([])
  })

  test('a line without end rejects [T14]', async () => {
    const { result } = await answered('y'.repeat(1024 * 1024 + 1))
    expect(result).toMatchObject({ error: { code: 'reviewer_unreachable' } })
  })
})

test('no listener stays on the signal, however a request ends [T15]', async () => {
  const { signal } = new AbortController()
  const wait = { signal, clock: fakeClock() }
  const request = { kind: 'approval', tool: 'x', path: 'x', why: 'x', input: 'x', caller: {} } as ReviewRequest
  const screen = terminal()
  screen.input.write('y\nn\n')
  const review = consoleReview(screen.streams)
  expect(await Promise.all([review.review(request, wait), review.review(request, wait)])).toMatchObject([
    { action: 'continue', by: 'console' },
    { action: 'reject' },
  ])
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('a timeout that cannot be read is refused at once', () => {
  // @ts-expect-error not a duration
  expect(() => consoleReview({ timeout: 'soon' })).toThrow(expect.objectContaining({ code: 'invalid_option' }))
})
