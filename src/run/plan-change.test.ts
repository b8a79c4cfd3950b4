import { describe, expect, test } from 'vitest'
import { branch } from '../combinators/branch/branch.ts'
import { when } from '../combinators/branch/when.ts'
import { cache } from '../combinators/cache/cache.ts'
import { gate } from '../combinators/gate/gate.ts'
import { idempotent } from '../combinators/idempotent/idempotent.ts'
import { loop } from '../combinators/loop/loop.ts'
import { map } from '../combinators/map/map.ts'
import { best, first, partial } from '../combinators/parallel/joins.ts'
import { parallel } from '../combinators/parallel/parallel.ts'
import { pipe } from '../combinators/pipe/pipe.ts'
import { ToolPipeline } from '../combinators/pipe/tool-pipeline.ts'
import { saga } from '../combinators/saga/saga.ts'
import { fakeClock, settled } from '../testing/fake-clock.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { compound } from '../tool/compound.ts'
import { layer } from '../tool/layer.ts'
import type { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { ToolError } from '../tool/errors/tool-error.ts'
import { memoryJournal } from '../tool/journal/journal.ts'
import type { Metadata } from '../tool/metadata.ts'
import { tool } from '../tool/tool.ts'
import { checkPlan } from './plan-change.ts'
import { planPrint, readPrint } from './plan-print.ts'

type Text = AgentTool<string, string>

const step = (name: string, options: Metadata & { readonly fails?: boolean } = {}): Text => {
  const { fails = false, ...more } = options
  return tool({
    name,
    description: name,
    effect: 'write',
    ...more,
    execute: (input): string => {
      if (fails) throw new Error(`${name} fails`)
      return input
    },
  }) as Text
}
const read = (name: string): Text => step(name, { effect: 'read' })
const [a, b, c, x] = [step('a'), step('b'), step('c'), step('x')]
/** Where a run stands still until somebody decides. */
const here = gate(step('here'))
const named = (...steps: readonly Text[]): Text => {
  const [one, ...more] = steps.map((each) => each as never)
  return ToolPipeline.of('whole', 'The whole.', one as never, ...more) as unknown as Text
}

/** What a run records until it waits for a person, or ends. */
async function pathsOf(run: AgentTool<never>, input: unknown = 'ann'): Promise<readonly string[]> {
  const [journal, clock] = [memoryJournal(), fakeClock()]
  const review = { review: () => new Promise<never>(() => {}) }
  run.call(input as never, { journal, clock, review, deadline: Infinity }).catch(() => {})
  await settled()
  while (await clock.next());
  return journal.entries.map(({ path }) => path)
}

/** The problem of going on under another plan; undefined where there is none. */
async function problem(before: AgentTool<never>, now: AgentTool<never>, input?: unknown): Promise<string | undefined> {
  const paths = await pathsOf(before, input)
  expect(paths.length).toBeGreaterThan(0)
  try {
    checkPlan({ run: 'r', before: planPrint(before as AgentTool), tool: now as AgentTool, paths })
    return undefined
  } catch (error) {
    const { code, message } = error as ConfigurationError
    return `${code}: ${message}`
  }
}

const undoneBy = (undo: Text) => ({ compensate: { with: undo, class: 'reversible', input: () => 'ann' } }) as const
const numbered = (turn: AgentTool<string, string>, most = 5) => loop(turn, { name: 'looped', until: (_value, count) => count === 3, most })
/** A layer that calls its part as it likes. */
const freely = (inner: Text): Text =>
  layer(inner, {
    kind: 'freely',
    plan: { order: 'free', labels: 'numbered', closedBy: undefined },
    run: (input, call) => call.root.callPart(call, { label: 'freely', tool: inner, input }),
  })
const routed = (...routes: readonly [Text, Text, ...Text[]]) =>
  branch({ name: 'routed', description: 'Takes the first.' }, [
    when(() => true, routes[0]),
    ...routes.slice(1).map((each) => when(() => false, each)),
  ] as never) as Text

describe('a run goes on', () => {
  test.each<[string, AgentTool<never>, AgentTool<never>, unknown?]>([
    ['under new versions of its steps', named(step('a', { version: '1.0.0' }), here), named(step('a', { version: '2.0.0' }), here)],
    ['with a new step after the place where it stands', named(a, here), named(a, here, x)],
    ['without a step that it had not come to', named(a, here, b), named(a, here)],
    ['with a step renamed that it had not come to', named(a, here, b), named(a, here, x)],
    ['with a new step that only reads, before those done', named(a, here), named(read('r'), a, here)],
    ['with the steps to come in another order', named(a, here, b, c), named(a, here, c, b)],
    ['with a new branch while the branches run', parallel({ a, here }, { name: 'p' }), parallel({ a, here, x }, { name: 'p' })],
    [
      'with a new branch of a race that is decided',
      named(race(read('a'), read('b')), here),
      named(race(read('a'), read('b'), read('x')), here),
    ],
    ['with another route than the one taken', named(routed(a, b), here), named(routed(a, b, x), here)],
    ['without a route that was not taken', named(routed(a, b, c), here), named(routed(a, b), here)],
    ['with a step after the one where an item of a list stands', map(pipe(a, here)), map(named2(a, here, x)), ['1', '2']],
    ['with more turns of a loop', numbered(here), numbered(here)],
    ['under a higher bound of a loop', named(numbered(a), here), named(numbered(a, 9), here)],
    ['under a lower bound of a loop that it had not come to', named(numbered(a), here), named(numbered(a, 3), here)],
    [
      'under a lower bound of a map that its items keep to',
      map(pipe(a, here), { mostItems: 9 }),
      map(pipe(a, here), { mostItems: 3 }),
      ['1', '2'],
    ],
    ['in a free layer that has not changed', freely(named(a, here)), freely(named(a, here))],
    ['in a free layer with a new step after the place where it stands', freely(named(a, here)), freely(named(a, here, x))],
    ['in a free layer that it is past, with a new step that reads', named(freely(pipe(a, b)), here), named(freely(withRead(a, b)), here)],
    ['in a compound with a new part that it had not called', ownCode('mine', { a, here }), ownCode('mine', { a, here, x })],
    ['in a compound without a part that it had not called', ownCode('mine', { a, here, x }), ownCode('mine', { a, here })],
    ['in a compound that goes by another kind', ownCode('mine', { a, here }), ownCode('ours', { a, here })],
    ['when all that wait for each other become the best of them', parallel({ a, here }, { name: 'p' }), best2({ a, here })],
    [
      'when a list that had no items has another item now',
      named(emptied(map(a, { name: 'm' })), here),
      named(emptied(map(named2(a, x), { name: 'm' })), here),
    ],
    ['when a saga gets another step at its end', settle(a, here), settle(a, here, x)],
    [
      'when a step of a saga gets a compensation',
      settle(a, here),
      saga({ name: 'settle', description: 's' }).step('s0', a, undoneBy(c)).step('s1', here).build(),
    ],
  ])('%s', async (_title, before, now, input) => {
    expect(await problem(before, now, input)).toBeUndefined()
  })

  test('wherever it stands, under the plan that it had', async () => {
    for (const each of everything()) expect(await problem(each.tool, each.tool, each.input)).toBeUndefined()
  })

  test('under any plan when nothing is recorded', () => {
    expect(() => checkPlan({ run: 'r', before: planPrint(a as AgentTool), tool: b as AgentTool, paths: [] })).not.toThrow()
  })

  test('where a compound labels its steps itself, since nobody can tell', async () => {
    const free = (parts: Readonly<Record<string, Text>>) =>
      compound({
        name: 'free',
        description: 'Free.',
        parts,
        run: async (input, context, own) => context.call('do', Object.values(own)[0] as Text, input),
      })
    expect(await problem(free({ a }), free({ x, a }))).toBeUndefined()
  })
})

describe('a run is refused', () => {
  test.each<[string, AgentTool<never>, AgentTool<never>, string, unknown?]>([
    [
      'under a bound below the turns of a loop that it took',
      named(numbered(a), here),
      named(numbered(a, 2), here),
      "ran 'turn' of 'looped' 3 times",
    ],
    ['in a free layer with another step first', freely(named(a, here)), freely(named(x, a, here)), "past the place of the step 'x'"],
    ['in a free layer that it is past', named(freely(a), here), named(freely(named(x, a)), here), 'whole'],
    ['in a free layer around another thing', freely(read('r')), freely(renamed(pipe(read('q'), here), 'r')), "'freely' was made as 'leaf'"],
    ['in a compound without a part that it called', ownCode('own', { a, here }), ownCode('own', { here, x }), "the step 'a' in 'own'"],
    [
      'in a compound with a new step in a part that may be past',
      ownCode('own', { a: pipe(a, b), here }),
      ownCode('own', { a: renamed(pipe(a, b, x), 'a_then_b'), here }),
      "the step 'x' in 'a'",
    ],
    [
      'with a new part of a compound that is past and recorded nothing',
      named(a, idle({}), here),
      named(a, idle({ x }), here),
      "the step 'x' in 'idle'",
    ],
    [
      'when a layer is another one',
      gate(a),
      cache(a, { ttl: '1m', anyEffect: true }),
      "made as 'gate (one)', and is made as 'cache (one)' now",
    ],
    [
      'when a pipeline undoes its steps now',
      named(a, here),
      undoingWhole(a, here),
      "made as 'pipe (sequence)', and is made as 'saga (sequence)'",
    ],
    ['when a list becomes a loop', map(pipe(a, here), { name: 'm' }), looped(pipe(a, here)), "and is made as 'loop (repeat)' now", ['1']],
    [
      'when the best was chosen, and nobody chooses now',
      named(best2({ a, b }), here),
      named(both(a, b, undefined, 'p'), here),
      "'p' was closed by the record '.best'",
    ],
    ['with a new branch when the best was chosen', best2({ a, b }), best2({ a, b, x }), "the step 'x' in 'p'"],
    [
      'with a new step in an item of a list that failed',
      map(pipe(read('r'), step('bad', { fails: true })), { name: 'm' }),
      map(renamed(pipe(read('r'), step('bad', { fails: true }), x), 'r_then_bad'), { name: 'm' }),
      "the step 'x' in '0'",
      ['1'],
    ],
    [
      'under a bound below the items of a map',
      map(pipe(a, here), { mostItems: 9 }),
      map(pipe(a, here), { mostItems: 1 }),
      '2 times',
      ['1', '2'],
    ],
    ['without a step that it did', named(a, b, here), named(b, here), "did the step 'a' in 'whole', which is no more"],
    ['with a step renamed that it did', named(a, here), named(x, here), "the step 'a' in 'whole', which is no more"],
    ['without the second of two like steps', named(a, b, a, here), named(a, b, here), "the step 'a#2' in 'whole'"],
    ['with a new step that takes effect before one done', named(a, here), named(x, a, here), "past the place of the step 'x' in 'whole'"],
    ['with a step to come moved before one done', named(a, here, b), named(b, a, here), "past the place of the step 'b'"],
    [
      'with a new step at the end of a part that is over',
      named(pipe(a, b), here),
      named(renamed(pipe(a, b, x), 'a_then_b'), here),
      "the step 'x' in 'a_then_b'",
    ],
    ['with a new branch of what is over', named(both(a, b), here), named(both(a, b, x), here), "past the place of the step 'x' in 'both'"],
    [
      'when a race becomes waiting for all',
      named(race(read('a'), read('b')), here),
      named(both(read('a'), read('b'), undefined, 'race'), here),
      "made as 'parallel (race)', and is made as 'parallel (together)' now",
    ],
    ['without the route that was taken', named(routed(a, b, c), here), named(routed(b, c), here), "the step 'a' in 'routed'"],
    [
      'when a step that was done stands behind a gate now',
      named(a, b, here),
      named(a, gate(b), here),
      "'b' was made as 'leaf', and is made as 'gate (one)' now",
    ],
    ['when a gate that waits is no more', named(a, gate(b)), named(a, b), "'b' was made as 'gate (one)', and is made as 'leaf' now"],
    [
      'with a new step inside an item of a list, before one done',
      map(pipe(a, here), { name: 'm' }),
      map(named2(x, a, here), { name: 'm' }),
      "the step 'x' in '0'",
      ['1'],
    ],
    [
      'with a new step inside a turn that is over',
      numbered(pipe(a, read('r'))),
      numbered(renamed(pipe(a, read('r'), x), 'a_then_r')),
      "the step 'x' in 'turn'",
    ],
    [
      'with another tool under the label of one called',
      parallel({ one: a, here }, { name: 'p' }),
      parallel({ one: b, here }, { name: 'p' }),
      "called 'a' as 'one', which is 'b' now",
    ],
    [
      'when a saga has a new step before one done',
      settle(a, here),
      saga({ name: 'settle', description: 's' }).step('new', x).step('s0', a).step('s1', here).build(),
      "the step 'new' in 'settle'",
    ],
    ['when a saga that is being undone has a new step', undoing(), undoing(x), "the step 'later' in 'settle'"],
    [
      'when a saga that is being undone has another compensation',
      undoing(),
      undoing(undefined, 'other'),
      "'undo.s0', which is 'other' now",
    ],
    [
      'when what is cached is another tool',
      named(cache(read('r'), { ttl: '1m' }), here),
      named(renamedCache(), here),
      "'fresh' was made as 'leaf'",
    ],
    ['when what runs once is another thing', named(idempotent(a), here), named(idempotent(gate(a)), here), "'once' was made as 'leaf'"],
  ])('%s', async (...[, before, now, message, input]) => {
    const found = await problem(before, now, input)
    expect(found).toContain('plan_changed: ')
    expect(found).toContain(message)
  })

  test('with a new step inside the winner of a race that is decided', async () => {
    const raced = (winner: Text): Text => race(renamed(winner, 'winner'), read('slow'))
    expect(await problem(raced(pipe(read('a'), read('b'))), raced(pipe(read('a'), read('b'), x)))).toContain("the step 'x' in 'winner'")
  })

  test('without a step that only a second attempt came to', async () => {
    let tries = 0
    const flaky = tool({
      name: 'flaky',
      description: 'Fails once.',
      effect: 'write',
      idempotent: 'keyed',
      execute: (input): string => {
        if (tries++ === 0) throw new ToolError('busy', { code: 'rate_limited', outcome: 'failed', retryable: true })
        return input
      },
    }) as Text
    const tried = (inner: Text): Text =>
      saga({ name: 'settle', description: 's' })
        .step('one', renamed(inner, 'inner'), { attempts: 2 })
        .step('two', here)
        .build() as unknown as Text
    expect(await problem(tried(pipe(flaky, b)), tried(pipe(flaky, c)))).toContain("the step 'b' in 'one'")
  })

  test('when a plan that is too large to be kept has changed', async () => {
    const large = (last: Text): Text => named(...Array.from({ length: 900 }, () => a), here, last)
    expect(await problem(large(b), large(b))).toBeUndefined()
    expect(await problem(large(b), large(c))).toContain('too large')
  })
})

test('the print of a plan is read back, and is no longer than the plan', () => {
  const whole = named(a, both(b, c), gate(x))
  expect(readPrint(planPrint(whole as AgentTool))).toMatchObject({
    name: 'whole',
    kind: 'pipe',
    order: 'sequence',
    parts: [
      { label: 'a', outline: { order: 'leaf', labels: 'name', closedBy: undefined, compensates: false, most: undefined } },
      { label: 'both', outline: { kind: 'parallel', order: 'together' } },
      { label: 'x', outline: { kind: 'gate', order: 'one', parts: [{ label: 'gated' }] } },
    ],
  })
  expect(planPrint(whole as AgentTool).length).toBeLessThan(260)
})

test('of a plan that is read back, nothing is lost that decides [G5]', () => {
  for (const { tool: each } of everything()) {
    const { order, labels, closedBy, compensates = false, mostItems, mostTurns } = each.plan()
    expect(readPrint(planPrint(each as AgentTool))).toMatchObject({ order, labels, closedBy, compensates, most: mostItems ?? mostTurns })
  }
})

const LEAF = '["a","write","leaf","leaf"]'

test.each([
  ['', 'nothing'],
  ['[', 'half of it'],
  ['null', 'no list'],
  ['"short"', 'no hash'],
  ['["a","write","leaf"]', 'no order'],
  ['["a","write","leaf","backwards"]', 'an unknown order'],
  ['["a","writes","leaf","leaf"]', 'an unknown effect'],
  ['["a","write","leaf","leaf",{"labels":"odd"}]', 'unknown labels'],
  ['["a","write","leaf","leaf",{"later":1}]', 'something that only a later version knows'],
  [`["p","write","pipe","sequence",["a",${LEAF},2]]`, 'an unknown mark of a part'],
  ['["p","write","pipe","sequence",["a",["a","write","leaf"]]]', 'a part without an order'],
  ['["p","write","pipe",["a",["a","write","leaf"]]]', 'the form of an earlier version'],
])('a run is refused by a print that cannot be read, once anything is recorded: %s, %s [G5]', (before) => {
  expect(readPrint(before)).toBeUndefined()
  const now = named(a, here) as AgentTool
  expect(() => checkPlan({ run: 'r', before, tool: now, paths: ['whole/a'] })).toThrow('cannot read')
  expect(() => checkPlan({ run: 'r', before, tool: now, paths: [] })).not.toThrow()
})

function named2(...steps: readonly Text[]): Text {
  return named(...steps)
}
function renamed(pipeline: Text, name: string): Text {
  const { parts } = pipeline.plan()
  const [one, ...more] = parts.map((part) => part.tool as never)
  return ToolPipeline.of(name, 'Renamed.', one as never, ...more) as unknown as Text
}
function race(...branches: readonly Text[]): Text {
  return parallel(Object.fromEntries(branches.map((each) => [each.name, each])), { name: 'race', join: first() }) as unknown as Text
}
function both(one: Text, two: Text, three?: Text, name = 'both'): Text {
  const branches = [one, two, ...(three === undefined ? [] : [three])]
  return parallel(Object.fromEntries(branches.map((each) => [each.name, each])), { name, merge: () => 'both' }) as unknown as Text
}
function emptied(list: AgentTool<readonly string[], string[]>): Text {
  return ToolPipeline.of(
    'emptied',
    'Of no items.',
    tool({ name: 'none', description: 'No items.', effect: 'read', execute: (): readonly string[] => [] }),
    list as never,
  ) as unknown as Text
}
function settle(...steps: readonly Text[]): Text {
  const start = saga({ name: 'settle', description: 's' })
  return steps
    .reduce(
      (builder, each, index) => builder.step(`s${index}` as never, each) as never,
      start as never as { step: (label: never, tool: Text) => never; build: () => Text },
    )
    .build()
}
function best2(branches: Readonly<Record<string, Text>>): Text {
  return parallel(branches, { name: 'p', join: best(() => 1) }) as unknown as Text
}
function withRead(...steps: readonly Text[]): Text {
  return renamed(named(read('r'), ...steps), steps.map(({ name }) => name).join('_then_'))
}
function looped(turn: Text): AgentTool<never> {
  return loop(turn, { name: 'm', until: () => true, most: 3 }) as AgentTool<never>
}
/** A saga with the labels of a pipeline. */
function undoingWhole(one: Text, two: Text): Text {
  return saga({ name: 'whole', description: 's' }).step(one.name, one).step(two.name, two).build() as unknown as Text
}
/** A compound that calls nothing. */
function idle(parts: Readonly<Record<string, Text>>): Text {
  return compound({ name: 'idle', description: 'Does nothing.', parts, effect: 'write', run: (input) => input }) as unknown as Text
}
/** A compound that calls its first two parts. */
function ownCode(kind: string, parts: Readonly<Record<string, Text>>): Text {
  return compound({
    name: 'own',
    description: 'o',
    kind,
    parts,
    run: async (input, context) => {
      let last: unknown
      for (const [label, part] of Object.entries(parts).slice(0, 2)) last = await context.call(label, part, input)
      return last
    },
  }) as unknown as Text
}
/** A saga that fails, and whose compensation waits for a person. */
function undoing(added?: Text, by = 'undo'): Text {
  const begun = saga({ name: 'settle', description: 's' })
    .step('s0', a, undoneBy(gate(step(by))))
    .step('s1', step('bad', { fails: true }))
  return (added === undefined ? begun.build() : begun.step('later', added).build()) as unknown as Text
}
function renamedCache(): Text {
  return cache(renamed(pipe(read('r'), read('q')), 'r'), { ttl: '1m' })
}
function everything(): readonly { readonly tool: AgentTool<never>; readonly input?: unknown }[] {
  const slow = step('slow', { estimates: { p99Ms: 5, latencyMs: 1 } })
  return [
    { tool: named(slow, a, a, here, b) },
    { tool: parallel({ a, b: here }, { name: 'p' }) },
    { tool: named(race(read('a'), read('b')), here) },
    { tool: parallel({ a: read('a'), b: here }, { name: 'p', join: partial({ after: '1s' }) }) },
    {
      tool: parallel(
        { a: step('bad', { fails: true, effect: 'read' }), b: read('b'), c: here },
        { name: 'p', join: first(), concurrency: 1 },
      ),
    },
    { tool: named(routed(a, b), routed(b, a), here) },
    { tool: map(pipe(a, here)), input: ['1', '2'] },
    { tool: map(step('bad', { fails: true })), input: ['1', '2'] },
    { tool: numbered(a) },
    { tool: numbered(here) },
    { tool: named(cache(read('r'), { ttl: '1m' }), idempotent(a), here) },
    { tool: settle(a, here, b) },
    { tool: undoing() },
    { tool: named(settle(a, parallel({ one: routed(here, b), two: c }, { name: 'p', merge: () => 'x' }) as unknown as Text), b) },
    {
      tool: saga({ name: 's', description: 's' })
        .step('one', a, { ...undoneBy(step('bad', { fails: true })), attempts: 2 })
        .step('two', step('bad2', { fails: true }), { attempts: 2 })
        .build(),
    },
  ]
}
