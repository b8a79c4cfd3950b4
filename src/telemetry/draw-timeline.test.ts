import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../combinators/gate/gate.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { compound } from '../tool/compound.ts'
import { ToolError } from '../tool/errors/tool-error.ts'
import { memoryJournal } from '../tool/journal/journal.ts'
import type { ReviewHandler } from '../tool/review.ts'
import { tool } from '../tool/tool.ts'
import { drawTimeline } from './draw-timeline.ts'
import { createTrace } from './trace.ts'
import type { SpanTree, TraceSpan } from './trace-span.ts'

const findOrders = tool({
  name: 'find_orders',
  description: 'Finds orders.',
  effect: 'read',
  execute: async (_input, context) => {
    await context.sleep(100)
    context.usage({ tokens: 120, costUsd: 0.0004 })
    return 'order_7'
  },
})
const issueRefund = tool({ name: 'issue_refund', description: 'Pays back.', execute: (_input, context) => context.sleep(200) })
const sendMail = tool({
  name: 'send_mail',
  description: 'Sends a mail.',
  execute: async (_input, context) => {
    await context.sleep(100)
    throw new ToolError('The mailbox is full.', { class: 'transient', code: 'mailbox_full' })
  },
})
const refund = compound({
  name: 'refund_latest_order',
  description: 'Refunds the latest order.',
  parts: { findOrders, refund: gate(issueRefund), sendMail },
  run: async (input, context, parts) => {
    await context.call('find_orders', parts.findOrders, input)
    await context.call('issue_refund', parts.refund, input)
    await context.call('thank', parts.sendMail, input)
  },
})

function after(ms: number): ReviewHandler {
  return {
    review: (_request, { clock }) =>
      new Promise((resolve) => {
        clock.timer(ms, () => resolve({ action: 'continue', by: 'ada' }))
      }),
  }
}

function spanNamed(name: string, more: Partial<TraceSpan> = {}): TraceSpan {
  return {
    id: name,
    parentId: undefined,
    traceId: 't',
    tool: name,
    version: '0.0.0',
    path: name,
    layer: undefined,
    agent: undefined,
    startedAt: 0,
    durationMs: 100,
    outcome: 'success',
    code: undefined,
    message: undefined,
    replayed: false,
    reviews: [],
    progress: [],
    usage: undefined,
    ...more,
  }
}

function draw(root: SpanTree, width = 60): readonly string[] {
  return drawTimeline({ roots: [root], dropped: 0 }, { width }).split('\n')
}

describe('a timeline', () => {
  test('shows a tree of calls, a bar for each, waits for a person, durations and outcomes', async () => {
    const clock = fakeClock()
    const trace = createTrace()
    await clock.until(refund.call('', { clock, on: trace, review: after(400) }))
    expect(trace.draw({ width: 100 }).split('\n')).toEqual([
      'refund_latest_order     ███████████████████████████████  800 ms  ✓ 120 tokens, $0.0004',
      '├─ find_orders          ████                             100 ms  ✓ 120 tokens, $0.0004',
      '├─ issue_refund [gate]     ░░░░░░░░░░░░░░░░█████████     600 ms  ✓ waited 400 ms: continue by ada',
      '└─ thank: send_mail                                ████  100 ms  ! mailbox_full: The mailbox is ful…',
    ])
  })

  test('shows a call that is still running, with its last report, up to the last known moment', async () => {
    const clock = fakeClock()
    const trace = createTrace()
    const pages = tool({
      name: 'read_pages',
      description: 'Reads pages.',
      effect: 'read',
      execute: async (_input, context) => {
        await context.call('find_orders', findOrders, '')
        context.progress({ progress: 3, total: 12 })
        await context.sleep(1000)
      },
    })
    const running = pages.call('', { clock, on: trace })
    await clock.advance(100)
    expect(trace.draw({ width: 80 }).split('\n')).toEqual([
      'read_pages      ████████████████████████████████  running  … 3 of 12',
      '└─ find_orders  ████████████████████████████████   100 ms  ✓ 120 tokens, $0.0004',
    ])
    await clock.until(running)
  })

  test('says that somebody is being waited for', async () => {
    const clock = fakeClock()
    const trace = createTrace()
    const waiting = gate(issueRefund).call('', { clock, on: trace, review: after(50) })
    await clock.advance(10)
    expect(trace.draw({ width: 60 })).toBe('issue_refund [gate]  ░           running  … waits for a per…')
    await clock.until(waiting)
  })

  test('marks what a gate rejected, and what came from a journal', async () => {
    const trace = createTrace()
    const clock = fakeClock()
    const review: ReviewHandler = { review: () => ({ action: 'reject' }) }
    await gate(issueRefund).call('x', { clock, on: trace, review })
    const journal = memoryJournal()
    await clock.until(findOrders.call('x', { clock, journal }))
    await findOrders.call('x', { clock, on: trace, journal })
    expect(trace.draw({ width: 100 }).split('\n')).toEqual([
      `issue_refund [gate]  █${' '.repeat(35)}  0 ms  ✗ rejected: Rejected by reviewer: …`,
      '',
      `find_orders  █${' '.repeat(47)}  0 ms  ✓ replayed, 120 tokens, $0.0004`,
    ])
  })

  test('collapses layers into their call, and gives a layer with several calls a row', () => {
    const inner = { span: spanNamed('pay', { path: 'pay/retried@2', startedAt: 60, durationMs: 40 }), children: [] }
    const first = { span: spanNamed('pay', { path: 'pay/retried', durationMs: 40, outcome: 'failure', code: 'busy' }), children: [] }
    const one: SpanTree = {
      span: spanNamed('pay', { layer: 'retry' }),
      children: [{ span: spanNamed('pay', { layer: 'gate', path: 'pay/retried' }), children: [inner] }],
    }
    expect(draw(one)).toEqual([`pay [retry, gate]  ${'█'.repeat(29)}  100 ms  ✓`])
    const several: SpanTree = { span: spanNamed('pay', { layer: 'retry' }), children: [first, inner] }
    expect(draw(several, 70)).toEqual([
      `pay [retry]        ${'█'.repeat(35)}  100 ms  ✓`,
      `├─ retried: pay    ${'█'.repeat(14)}${' '.repeat(21)}   40 ms  ✗ busy`,
      `└─ retried@2: pay  ${' '.repeat(21)}${'█'.repeat(14)}   40 ms  ✓`,
    ])
  })

  test('keeps every line within the width and on one line, whatever names and messages hold', () => {
    const nasty = 'a\n\u001B[2J\u202Eb\u2028c\uD800\u0007'
    const root: SpanTree = {
      span: spanNamed(nasty, { path: `${nasty}/${nasty}`, outcome: 'failure', code: nasty, message: nasty.repeat(50) }),
      children: [{ span: spanNamed('x'.repeat(64), { outcome: 'error', message: '日本語'.repeat(40) }), children: [] }],
    }
    for (const width of [0, 60, 61, 80, 133, Number.NaN]) {
      const text = drawTimeline({ roots: [root], dropped: 0 }, { width })
      expect(text.split('\n')).toHaveLength(2)
      // eslint-disable-next-line no-control-regex -- these are what must not be there
      expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u2028\u202E]/)
      for (const line of text.split('\n')) expect([...line].length).toBeLessThanOrEqual(Number.isNaN(width) ? 100 : Math.max(60, width))
    }
  })

  test('draws very deep and very long trees', () => {
    let deep: SpanTree = { span: spanNamed('leaf'), children: [] }
    for (let depth = 0; depth < 3000; depth++) deep = { span: spanNamed('step'), children: [deep] }
    const children = Array.from({ length: 20_000 }, () => ({ span: spanNamed('item'), children: [] }))
    expect(draw({ span: spanNamed('map'), children })).toHaveLength(20_001)
    expect(draw(deep)).toHaveLength(3001)
  })

  test('has colours only when asked for them', () => {
    const root: SpanTree = { span: spanNamed('find'), children: [] }
    const plain = drawTimeline({ roots: [root], dropped: 0 })
    const coloured = drawTimeline({ roots: [root], dropped: 0 }, { colors: true })
    expect(plain).not.toContain('\u001B')
    expect(coloured).toContain('\u001B[32m✓\u001B[39m')
    // eslint-disable-next-line no-control-regex -- the colours themselves
    expect(coloured.replaceAll(/\u001B\[\d+m/g, '')).toBe(plain)
  })

  test('says when there is nothing, and how many calls are missing', () => {
    expect(drawTimeline({ roots: [], dropped: 0 })).toBe('No calls.')
    expect(
      drawTimeline({ roots: [{ span: spanNamed('find'), children: [] }], dropped: 3 }, { width: 60 })
        .split('\n')
        .at(-1),
    ).toBe('3 more calls were dropped.')
  })
})

test('the input of a traced tool stays out of the drawing and of the JSON', async () => {
  const trace = createTrace()
  const login = tool({
    name: 'login',
    description: 'Logs in.',
    inputSchema: z.object({ user: z.string(), password: z.string() }),
    execute: ({ password }) => Promise.reject(new Error(`wrong password: ${password}`)),
  })
  await login.call({ user: 'ada', password: 'hunter2-hunter2' }, { on: trace })
  expect(trace.draw() + JSON.stringify(trace)).not.toContain('hunter2')
  expect(trace.spans[0]?.message).toBe('wrong password: ••••••')
})
