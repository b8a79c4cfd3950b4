import { describe, expect, test } from 'vitest'
import {
  a,
  b,
  best2,
  both,
  c,
  emptied,
  everything,
  freely,
  here,
  idle,
  looped,
  named,
  numbered,
  ownCode,
  race,
  read,
  renamed,
  renamedCache,
  routed,
  settle,
  step,
  undoing,
  undoingWhole,
  undoneBy,
  withRead,
  x,
  type Text,
} from '../../../test/fixtures/run/plan-shapes.ts'
import { cache } from '../../combinators/cache/cache.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { idempotent } from '../../combinators/idempotent/idempotent.ts'
import { map } from '../../combinators/map/map.ts'
import { parallel } from '../../combinators/parallel/parallel.ts'
import { pipe } from '../../combinators/pipe/pipe.ts'
import { retry } from '../../combinators/retry/retry.ts'
import { saga } from '../../combinators/saga/saga.ts'
import { fakeClock, settled } from '../../testing/fake-clock.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { compound } from '../../tool/compound.ts'
import type { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { memoryJournal } from '../../tool/journal/journal.ts'
import { tool } from '../../tool/tool.ts'
import { checkPlan } from './plan-change.ts'
import { planPrint } from './plan-print.ts'

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
    ['with a step after the one where an item of a list stands', map(pipe(a, here)), map(named(a, here, x)), ['1', '2']],
    ['with more turns of a loop', numbered(here), numbered(here)],
    ['under a higher bound of a loop', named(numbered(a), here), named(numbered(a, 9), here)],
    ['under a lower bound of a loop that it had not come to', named(numbered(a), here), named(numbered(a, 3), here)],
    [
      'under a lower bound of a map that its items keep to',
      map(pipe(a, here), { maxItems: 9 }),
      map(pipe(a, here), { maxItems: 3 }),
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
      named(emptied(map(named(a, x), { name: 'm' })), here),
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
    [
      'in a compound without a part that it called',
      ownCode('own', { a, here }),
      ownCode('own', { here, x }),
      "the step 'a' in 'own', which is no more. Keep 'a' among the `parts`",
    ],
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
      map(pipe(a, here), { maxItems: 9 }),
      map(pipe(a, here), { maxItems: 1 }),
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
      map(named(x, a, here), { name: 'm' }),
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

  test('when the one part goes by another label, or the record that closes it does', () => {
    const now = numbered(a) as AgentTool
    const refusedBy = (former: string, label: string, paths: readonly string[]) =>
      expect(() => checkPlan({ run: 'r', before: planPrint(now).replace(`"${former}"`, `"${label}"`), tool: now, paths })).toThrow(
        /^The run/,
      )
    refusedBy('turn', 'lap', ['looped/lap'])
    refusedBy('loop.stop', 'loop.over', ['looped/turn', 'looped/loop.over'])
    refusedBy('numbered', 'index', ['looped/0'])
  })

  test('when its tool declares no order, as one of another version of the package may', () => {
    const whole = named(a, here)
    const undeclared = { ...whole, plan: () => ({ ...whole.plan(), order: undefined as never }) } as unknown as AgentTool
    expect(() => checkPlan({ run: 'r', before: planPrint(whole as AgentTool), tool: undeclared, paths: ['whole/a'] })).toThrow(
      'cannot read',
    )
  })

  test('when a plan that is too large to be kept has changed', async () => {
    const large = (last: Text): Text => named(...Array.from({ length: 900 }, () => a), here, last)
    expect(await problem(large(b), large(b))).toBeUndefined()
    expect(await problem(large(b), large(c))).toContain('too large')
  })
})

describe('a gate that is gone', () => {
  const cached = (inner: Text): Text => cache(inner, { ttl: '1m', anyEffect: true })
  const check = (before: AgentTool<never>, now: AgentTool<never>): void =>
    checkPlan({ run: 'r', before: planPrint(before as AgentTool), tool: now as AgentTool, paths: [] })

  test.each<[string, AgentTool<never>, AgentTool<never>]>([
    ['around the tool', gate(a), a],
    ['around a step', named(a, gate(b)), named(a, b)],
    ['around the whole', gate(named(a, b)), named(a, b)],
    ['inside of a layer', cached(gate(a)), cached(a)],
    ['of one of two places', named(a, gate(b)), named(gate(b), named(a, b))],
    ['beside a place that had none', named(b, gate(b)), named(b, b)],
  ])('refuses a run of which nothing is recorded: %s', (_place, before, now) => {
    expect(() => check(before, now)).toThrow(/asked for an approval when it began, and does not ask now/)
  })

  test.each<[string, AgentTool<never>, AgentTool<never>]>([
    ['the same tool asks', gate(a), gate(gate(a))],
    ['a whole around it asks', named(a, gate(b)), gate(named(a, b))],
    ['a layer is around it', cached(gate(a)), idempotent(gate(a))],
    ['a layer is around the whole', cached(gate(named(a, b))), cached(gate(named(a, c)))],
    ['the tool is no more', named(a, gate(b)), named(a, c)],
    ['it is new', named(a, b), named(a, gate(b))],
    ['the tool also stood without one', named(b, gate(b)), named(b, gate(b), c)],
  ])('refuses nothing if %s', (_why, before, now) => {
    expect(() => check(before, now)).not.toThrow()
  })
})

describe('a tool of the same name from elsewhere', () => {
  const own = tool({ name: 'stamp', description: 'd', execute: (input) => input })
  const imported = tool({ name: 'stamp', description: 'd', source: 'mcp:desk', execute: (input) => input })
  const refusal = (run: AgentTool<never>, now: AgentTool<never>): string | undefined => {
    try {
      checkPlan({ run: 'r', before: planPrint(run as AgentTool), tool: now as AgentTool, paths: [] })
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }

  test('does not run what was started for another one, though nothing is recorded yet [O3]', () => {
    expect(refusal(imported, own)).toContain("'stamp' was a tool of 'mcp:desk' when it began, and is one of its own program here.")
    expect(refusal(own, imported)).toContain("'stamp' was a tool of its own program when it began, and is one of 'mcp:desk' here.")
    expect(refusal(retry(imported), retry(own))).toContain("'stamp' was a tool of 'mcp:desk'")
    expect(refusal(imported, imported)).toBeUndefined()
    expect(refusal(own, own)).toBeUndefined()
  })
})
