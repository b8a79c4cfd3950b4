import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../combinators/gate/gate.ts'
import { map } from '../combinators/map/map.ts'
import { pipe } from '../combinators/pipe/pipe.ts'
import { ToolPipeline } from '../combinators/pipe/tool-pipeline.ts'
import { autoReview } from '../review/auto-review.ts'
import { recordEvents } from '../testing/record-events.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { combinator } from '../tool/combinator.ts'
import { compound } from '../tool/compound.ts'
import { inTurn, sideBySide, someOf } from '../tool/figures.ts'
import { stringInput } from '../tool/input/string-input.ts'
import { layer } from '../tool/layer.ts'
import type { Estimates } from '../tool/metadata.ts'
import type { PlanNode, PlanPart } from '../tool/plan-node.ts'
import { tool } from '../tool/tool.ts'
import { explain } from './explain.ts'

function leaf(name: string, estimates: Estimates = {}): AgentTool<string, string> {
  return tool({ name, description: 'Says it again.', effect: 'read', estimates, execute: (input) => input })
}

function made(name: string, plan: Pick<PlanNode, 'kind' | 'parts' | 'figures'> & Partial<PlanNode>): AgentTool<string, unknown> {
  return combinator({
    name,
    description: 'Made of tools.',
    input: stringInput,
    plan: { order: 'together', labels: 'name', closedBy: undefined, layer: false, ...plan },
    run: () => undefined,
  })
}

function inputParts(...tools: readonly AgentTool[]): PlanPart[] {
  return tools.map((each) => ({ label: each.name, tool: each, takes: 'input' }))
}

const orders = tool({
  name: 'find_orders',
  description: 'Finds the orders of a customer.',
  inputSchema: z.object({ email: z.string() }),
  outputSchema: z.object({ id: z.string(), total: z.number() }),
  effect: 'read',
  permissions: ['orders:read'],
  estimates: { latencyMs: 80, p99Ms: 400, reliability: 0.99, costUsd: 0.0004 },
  execute: () => ({ id: 'order_7', total: 120 }),
})
const issueRefund = tool({
  name: 'issue_refund',
  description: 'Pays an order back.',
  inputSchema: z.object({ orderId: z.string(), amount: z.number() }),
  permissions: ['orders:refund'],
  estimates: { latencyMs: 200, p99Ms: 1000, reliability: 0.995 },
  execute: () => 'refunded',
})
const mail = tool({
  name: 'send_mail',
  description: 'Writes.',
  effect: 'write',
  estimates: { latencyMs: 50, reliability: 1 },
  execute: () => 1,
})
const log = leaf('log', { latencyMs: 5, p99Ms: 9, reliability: 1, costUsd: 0 })
const tell = made('tell', {
  kind: 'parallel',
  detail: 'all',
  parts: [
    { label: 'customer', tool: mail, takes: 'input', when: 'amount > 100' },
    { label: 'log', tool: log, takes: 'input' },
  ],
  figures: sideBySide,
})
const refund = ToolPipeline.builder()
  .name('refund_latest_order')
  .description('Refunds the latest order of a customer.')
  .step(orders)
  .adapter((result) => ({ orderId: result.value.id, amount: result.value.total }), { name: "'to refund'" })
  .step(gate(issueRefund))
  .step(tell)
  .build()

describe('a plan with a gate, an adapter and branches', () => {
  test('is drawn as a tree, with figures and where they come from [C6]', () => {
    expect(explain(refund, { figures: { log: { latencyMs: 4, p99Ms: 7, reliability: 0.999, calls: 1200 } } }).text).toBe(
      `
step                          p50      p99      cost      reliability  effect
refund_latest_order (pipe)    =330 ms  ≥1.41 s  ≥$0.0004  =0.9841      irreversible  needs orders:read orders:refund
├─ find_orders                80 ms    400 ms   $0.0004   0.99         read          needs orders:read
├─ issue_refund/gated [gate]  200 ms   1 s      ?         0.995        irreversible  adapter 'to refund', a person approves, needs orders:refund
└─ tell (parallel, all)       =50 ms   ≥7 ms    ≥$0       =0.999       write
   ├─ customer: send_mail     50 ms    ?        ?         1            write         when amount > 100
   └─ log                     4 ms*    7 ms*    $0        0.999*       read          1200 calls
Figures are declared, unless marked: * recorded; = derived from the parts; ≥ at least, since not all is known; ? unknown.
`.trim(),
    )
  })

  test('is drawn as a Mermaid flowchart [C6]', () => {
    expect(explain(refund).mermaid).toBe(
      `
flowchart TD
  subgraph n0["refund_latest_order (pipe)<br/>=330 ms, reliability =0.985"]
    n1["find_orders<br/>80 ms, reliability 0.99"]:::read
    n2["issue_refund/gated #91;gate#93;<br/>200 ms, reliability 0.995"]:::irreversible
    n2_gate{{"a person approves"}}:::gate
    n2_gate --> n2
    n1 -->|"adapter 'to refund'"| n2_gate
    subgraph n3["tell (parallel, all)<br/>=50 ms, reliability =1"]
      n3_in(("input"))
      n4["customer#58; send_mail<br/>50 ms, reliability 1"]:::write
      n3_in -->|"when amount #62; 100"| n4
      n5["log<br/>5 ms, reliability 1"]:::read
      n3_in --> n5
    end
    n2 --> n3
  end
  classDef read fill:#e8f1fb,stroke:#3b6ea5,color:#12263a
  classDef write fill:#fdf3dc,stroke:#b7791f,color:#3d2a06
  classDef irreversible fill:#fde8e6,stroke:#b3362c,color:#3f0f0b
  classDef gate fill:#efe8fb,stroke:#6b46a8,color:#26164a
`.trim(),
    )
  })

  test('shows control characters as escapes, and everything that could mean something to Mermaid as a code', () => {
    const odd = made('odd', { kind: 'a"b', detail: '%%{init}\n\u202e', parts: inputParts(log), figures: sideBySide })
    expect(explain(odd).mermaid).toContain('["odd (a#34;b, #37;#37;#123;init#125;#92;n#92;u#123;202e#125;)<br/>=5 ms, reliability =1"]')
    expect(explain(odd).text).toContain('odd (a"b, %%{init}\\n\\u{202e})')
  })

  test('is plain data as JSON [C6]', () => {
    const data = JSON.parse(JSON.stringify(explain(refund)))
    expect(data).toMatchObject({
      label: 'refund_latest_order',
      path: 'refund_latest_order',
      kind: 'pipe',
      order: 'sequence',
      effect: 'irreversible',
      permissions: ['orders:read', 'orders:refund'],
      figures: { latencyMs: { value: 330, source: 'derived', isBound: false }, p99Ms: { isBound: true } },
    })
    expect(data.parts[1]).toMatchObject({
      path: 'refund_latest_order/issue_refund',
      tool: 'issue_refund',
      version: '0.0.0',
      description: 'Pays an order back.',
      paths: ['refund_latest_order/issue_refund', 'refund_latest_order/issue_refund/gated'],
      layers: ['gate'],
      gated: true,
      takes: 'previous',
      adapter: "'to refund'",
      figures: { costUsd: { source: 'unknown' }, reliability: { value: 0.995, source: 'declared' } },
    })
    expect(data.parts[2].parts[0]).toMatchObject({ path: 'refund_latest_order/tell/customer', takes: 'input', when: 'amount > 100' })
  })

  test('prints as its tree, however it is printed', () => {
    const plan = explain(refund)
    expect(`${plan}`).toBe(plan.text)
    expect(inspect(plan)).toBe(plan.text)
  })
})

describe('reliability', () => {
  const chain = (step: (name: string) => AgentTool<string, string>): AgentTool =>
    pipe(step('a'), step('b'), step('c'), step('d'), step('e')) as AgentTool
  const fallback = (name: string): AgentTool<string, string> =>
    made(name, {
      kind: 'fallback',
      parts: inputParts(leaf(`${name}_1`, { reliability: 0.95 }), leaf(`${name}_2`, { reliability: 0.9 })),
      figures: inTurn,
    }) as AgentTool<string, string>

  test('multiplies in a sequence, and a fallback fails only when all fail: 0.774 against 0.975 [C6]', () => {
    const plain = explain(chain((name) => leaf(name, { reliability: 0.95 }))).root.figures.reliability
    const backed = explain(chain(fallback)).root.figures.reliability
    expect(plain).toMatchObject({ value: expect.closeTo(0.95 ** 5, 10), source: 'derived', isBound: false })
    expect(plain.value?.toFixed(3)).toBe('0.774')
    expect(backed.value?.toFixed(3)).toBe('0.975')
    expect(backed).toMatchObject({ value: expect.closeTo((1 - 0.05 * 0.1) ** 5, 10), source: 'derived' })
  })

  test('of less than one is never shown as one', () => {
    expect(explain(leaf('sure', { reliability: 1 - 1e-7 })).text).toContain('0.9999999')
    expect(explain(leaf('sure', { reliability: 1 })).text).toMatch(/\b1\b.*read/)
  })
})

describe('a figure', () => {
  const figuresOf = (given: AgentTool, figures?: Record<string, Estimates>) => explain(given, { figures }).root.figures

  test('is declared, recorded, derived or unknown, and says which [C6]', () => {
    const plain = leaf('plain', { latencyMs: 10 })
    expect(figuresOf(plain)).toMatchObject({ latencyMs: { value: 10, source: 'declared' }, p99Ms: { value: undefined, source: 'unknown' } })
    expect(figuresOf(plain, { plain: { latencyMs: 12 } })).toMatchObject({ latencyMs: { value: 12, source: 'recorded' } })
    expect(figuresOf(pipe(plain, plain))).toMatchObject({ latencyMs: { value: 20, source: 'derived' }, p99Ms: { source: 'unknown' } })
  })

  test('is looked up by identity first, then by name, in a map or an object', () => {
    const plain = leaf('plain')
    const byIdentity = { plain: { latencyMs: 1 }, 'plain@0.0.0': { latencyMs: 2, calls: 3 } }
    expect(figuresOf(plain, byIdentity)).toMatchObject({ latencyMs: { value: 2 }, calls: 3 })
    expect(explain(plain, { figures: new Map([['plain', { latencyMs: 1 }]]) }).root.figures.latencyMs.value).toBe(1)
  })

  test('of a compound is derived from recorded figures of its parts, unless the compound itself was recorded or declares it', () => {
    const both = pipe(leaf('a', { latencyMs: 10 }), leaf('b', { latencyMs: 10 }))
    expect(figuresOf(both, { a: { latencyMs: 30 } }).latencyMs).toMatchObject({ value: 40, source: 'derived' })
    expect(figuresOf(both, { a: { latencyMs: 30 }, a_then_b: { latencyMs: 35 } }).latencyMs).toMatchObject({
      value: 35,
      source: 'recorded',
    })
    const said = compound({
      name: 'said',
      description: 'Says itself how long it takes.',
      parts: { both },
      estimates: { latencyMs: 7 },
      run: (input) => input,
    })
    expect(figuresOf(said)).toMatchObject({ latencyMs: { value: 7, source: 'declared' }, reliability: { source: 'unknown' } })
  })

  test('of a sum with unknown parts is a bound, unless they do not count', () => {
    const known = leaf('known', { latencyMs: 10, reliability: 0.9, costUsd: 1 })
    const unknown = leaf('unknown')
    expect(figuresOf(pipe(known, unknown))).toMatchObject({
      latencyMs: { value: 10, isBound: true },
      reliability: { value: 0.9, isBound: true },
      costUsd: { value: 1, isBound: true },
    })
    const turns = made('turns', { kind: 'fallback', parts: inputParts(known, unknown), figures: inTurn })
    expect(figuresOf(turns)).toMatchObject({ latencyMs: { value: 10, isBound: false }, reliability: { source: 'unknown' } })
    expect(figuresOf(pipe(turns, known)).latencyMs).toMatchObject({ value: 20, isBound: false })
  })

  test('of a layer is that of the tool inside, unless the layer changes it', () => {
    const plain = leaf('plain', { latencyMs: 10, reliability: 0.5 })
    const twice = layer(plain, {
      kind: 'retry',
      plan: {
        order: 'repeat',
        labels: 'numbered',
        closedBy: undefined,
        detail: 'at most 2 times',
        figures: ([once = {}]) => ({ ...once, reliability: someOf([once, once], 1).reliability }),
      },
      run: (input, context) => context.call('try', plain, input as never),
    })
    const plan = explain(pipe(gate(twice), plain), { figures: { plain: { latencyMs: 12, reliability: 0.8, calls: 5 } } })
    expect(plan.root.parts[0]).toMatchObject({
      layers: ['gate', 'retry: at most 2 times'],
      figures: {
        latencyMs: { value: 12, source: 'recorded' },
        reliability: { value: expect.closeTo(0.96, 10), source: 'derived' },
        calls: 5,
      },
    })
    expect(plan.root.figures.reliability.value).toBeCloseTo(0.96 * 0.8, 10)
    expect(gate(twice).estimates).toMatchObject({ latencyMs: 10, reliability: 0.75 })
  })
})

describe('a plan without an end', () => {
  function endless(): AgentTool {
    const parts = inputParts(leaf('first'))
    const plain = made('around', { kind: 'loop', parts, figures: sideBySide })
    const around: AgentTool = {
      ...plain,
      plan: () => ({ ...plain.plan(), parts: [...parts, { label: 'again', tool: around, takes: 'unknown' }] }),
    }
    return around
  }

  test('that is a part of itself is shown up to there', () => {
    const plan = explain(endless())
    expect(plan.root.parts[1]).toMatchObject({ path: 'around/again', leftOut: 'cycle', parts: [] })
    expect(plan.text).toContain('a part of itself')
    expect(plan.mermaid).toContain('n2[["again#58; around (loop)<br/>a part of itself"]]:::read')
  })

  test('whose tools stand in so many places that nobody could read them is cut, and the figures are still right', () => {
    let wide: AgentTool<string, string> = leaf('one', { latencyMs: 1 })
    for (let level = 0; level < 40; level++) wide = pipe(wide, wide)
    const plan = explain(wide)
    expect(plan.root.figures.latencyMs.value).toBe(2 ** 40)
    expect(plan.text.split('\n').length).toBeLessThan(12_000)
    expect(plan.text).toContain('its parts are not shown')
  })

  test('that is nested too deeply for a stack is cut, and the figures are still right', () => {
    let deep: AgentTool<string, string> = leaf('one', { latencyMs: 1 })
    for (let level = 0; level < 20_000; level++) deep = pipe(deep)
    const plan = explain(deep)
    expect(plan.root.figures.latencyMs.value).toBe(1)
    expect(plan.text.split('\n')).toHaveLength(53)
    expect(JSON.stringify(plan)).toContain('"leftOut":"size"')
  })
})

test('what is not a tool is a configuration error', () => {
  expect(() => explain({ name: 'fake' } as never)).toThrow(expect.objectContaining({ code: 'not_a_tool' }))
  expect(() => explain(undefined as never)).toThrow(expect.objectContaining({ code: 'not_a_tool' }))
})

describe('for a reader who knows the runs', () => {
  const pay = tool({
    name: 'pay',
    description: 'd',
    inputSchema: z.object({ amount: z.number() }),
    effect: 'write',
    requireApproval: { when: ({ amount }) => amount > 100, why: 'Above 100.' },
    execute: ({ amount }) => amount,
  })

  test('steps have the names that the paths of their calls have, and gates say when they ask [C6]', async () => {
    const whole = map(gate(pay, { why: 'Every payment.' }), { name: 'all' })
    const plan = explain(whole)
    expect(plan.root.parts).toMatchObject([
      {
        inRuns: '<n>/gated',
        conditions: ['always: Every payment.', expect.stringMatching(/^when \(\{ amount \}\) => amount > 100: Above 100\.$/)],
      },
    ])
    expect(plan.text).toContain('└─ <n>/gated: pay [gate]')
    expect(plan.text).toContain('a person approves always: Every payment., and when ({ amount }) => amount > 100: Above 100.')
    const recorder = recordEvents()
    await whole.call([{ amount: 1 }], { on: recorder, review: autoReview() })
    expect(recorder.events.map(({ call }) => call.path)).toContain('all/0/gated')
  })

  test('a long predicate is cut, and one whose source cannot be read says so [C6]', () => {
    const condition = (approval: (input: { amount: number }) => boolean) => explain(gate(pay, { approval })).root.conditions[0]
    const long = condition(
      ({ amount }) => amount > 100 && amount < 1_000_000 && amount !== 123 && amount !== 456 && amount !== 789 && amount !== 1011,
    )
    expect(long).toMatch(/^when \(\{ amount \}\) => amount > 100 .{20,100}\.\.\. \(\d+ characters\)$/)
    expect(condition(Boolean.bind(undefined))).toBe('when its code says so')
    expect(explain(gate(pay)).root.conditions).toEqual([expect.stringContaining('Above 100.')])
  })

  test('figures of which none is known have no column [C6]', () => {
    const bare = tool({ name: 'bare', description: 'd', effect: 'read', execute: () => 1 })
    expect(explain(bare).text).toBe('step  effect\nbare  read\nNo figures are known.')
    const timed = tool({ name: 'timed', description: 'd', effect: 'read', estimates: { latencyMs: 5 }, execute: () => 1 })
    expect(explain(timed).text).toBe(
      'step   p50   effect\ntimed  5 ms  read\nAll figures are declared. Nothing is known of: p99, cost, reliability.',
    )
  })
})
