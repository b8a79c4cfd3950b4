import { describe, expect, test } from 'vitest'
import { compound } from '../tool/compound.ts'
import { isConfigurationError } from '../tool/errors/configuration-error.ts'
import { tool } from '../tool/tool.ts'
import { above } from './branch/threshold.ts'
import { branch } from './branch/branch.ts'
import { classify } from './branch/classify.ts'
import { equals } from './branch/equals.ts'
import { match } from './branch/match.ts'
import { modelClassifier } from './branch/model-classifier.ts'
import { when } from './branch/route.ts'
import { cache } from './cache/cache.ts'
import { gate } from './gate/gate.ts'
import { loop } from './loop/loop.ts'
import { map } from './map/map.ts'
import { partial, quorum } from './parallel/join.ts'
import { parallel } from './parallel/parallel.ts'
import { into } from './pipe/into.ts'
import { pipe } from './pipe/pipe.ts'
import { ToolPipeline } from './pipe/tool-pipeline.ts'

/** As a program without types would call them. */
type Untyped = (...given: readonly unknown[]) => unknown
const untyped = (constructor: unknown): Untyped => constructor as Untyped

const ok = tool({ name: 'ok', description: 'Says it again.', effect: 'read', execute: (text) => text })
const whole = { name: 'whole', description: 'A whole.' }
const yes = (): boolean => true
const built = (method: 'adapter' | 'errorStrategy' | 'deadlines' | 'step', ...given: readonly unknown[]): unknown => {
  const builder = ToolPipeline.builder().step(ok)
  return (untyped(builder[method])(...given) as typeof builder).step(ok).build()
}

type Case = readonly [what: string, make: () => unknown, code: string, said: string]

const WRONG = [undefined, null, 5, 'x', {}, [], () => 1, Symbol('x')]

const tools: readonly (readonly [what: string, make: (wrong: unknown) => unknown, role: string])[] = [
  ['pipe', (wrong) => untyped(pipe)(ok, wrong), 'Step 2 of the pipeline'],
  ['the first of pipe', (wrong) => untyped(pipe)(wrong), 'Step 1 of the pipeline'],
  ['ToolPipeline.of', (wrong) => untyped(ToolPipeline.of)('name', 'What it does.', ok, wrong), 'Step 2 of the pipeline'],
  ['step', (wrong) => built('step', wrong), 'Step 2 of the pipeline'],
  ['into', (wrong) => untyped(into)(() => '', wrong), 'The second argument of into'],
  ['map', (wrong) => untyped(map)(wrong), 'The first argument of map'],
  ['loop', (wrong) => untyped(loop)(wrong, { until: yes, maxTurns: 2 }), 'The first argument of loop'],
  ['cache', (wrong) => untyped(cache)(wrong, { ttl: '1m' }), 'The first argument of cache'],
  ['gate', (wrong) => untyped(gate)(wrong), 'The first argument of gate'],
  ['parallel', (wrong) => untyped(parallel)({ ok, other: wrong }), "Branch 'other'"],
  ['when', (wrong) => untyped(when)(yes, wrong), "The tool of the route ('yes' holds)"],
  ['above', (wrong) => untyped(above)('size', 1, wrong), 'The tool of the route (size above 1)'],
  ['equals', (wrong) => untyped(equals)('size', 1, wrong), 'The tool of the route (size is 1)'],
  ['match', (wrong) => untyped(match)('size', { big: wrong }), `The case "big" of match('size')`],
  [
    'classify',
    (wrong) => untyped(classify)(() => [], { ...whole, routes: { a: { tool: wrong, description: 'd' } } }),
    "The tool of the route 'a'",
  ],
  ['compound', (wrong) => untyped(compound)({ ...whole, parts: { a: wrong }, run: () => 1 }), "The part 'a' of 'whole'"],
]

describe.each(tools)('what is not a tool in %s', (_what, make, role) => {
  test.each(WRONG.map((wrong) => [typeof wrong, wrong] as const))(
    'is refused, and the message says where it stands: a %s %o',
    (_type, wrong) => {
      expect(() => make(wrong)).toThrow(
        expect.objectContaining({ code: 'not_a_tool', message: expect.stringContaining(`${role} is not a tool: it is `) }),
      )
    },
  )
})

describe('what no option can be', () => {
  const cases: readonly Case[] = [
    [
      'an adapter of into',
      () => untyped(into)(5, ok),
      'invalid_option',
      "The first argument of into, before 'ok', must be a function, not 5.",
    ],
    ['options of into', () => untyped(into)(yes, ok, null), 'invalid_option', 'The options of into'],
    ['an adapter', () => built('adapter', undefined), 'invalid_option', "The adapter after 'ok' must be a function, not undefined."],
    ['options of an adapter', () => built('adapter', yes, null), 'invalid_option', "The options of the adapter after 'ok'"],
    [
      'a name alone',
      () => untyped(ToolPipeline.of)('name', ok),
      'invalid_definition',
      'After the name "name", ToolPipeline.of takes a description',
    ],
    ['options of map', () => untyped(map)(ok, null), 'invalid_option', "The options of map for 'ok' must be an object, not null."],
    ['options of loop', () => untyped(loop)(ok), 'invalid_option', "The options of the loop of 'ok' must be an object, not undefined."],
    ['maxTurns', () => untyped(loop)(ok, { until: yes, maxTurns: Symbol('x') }), 'invalid_option', "'maxTurns' of loop 'loop_ok'"],
    ['options of cache', () => untyped(cache)(ok), 'invalid_option', "The options of the cache of 'ok' must be an object, not undefined."],
    [
      'the key of a cache',
      () => untyped(cache)(ok, { ttl: 1, key: 5 }),
      'invalid_option',
      "'key' of the cache of 'ok' must be a function, not 5.",
    ],
    ['options of gate', () => untyped(gate)(ok, null), 'invalid_option', "The options of gate for 'ok' must be an object, not null."],
    [
      'an approval',
      () => untyped(gate)(ok, { approval: 'yes' }),
      'invalid_option',
      "The approval of tool 'ok' must be true, false, a predicate or options",
    ],
    ['branches', () => untyped(parallel)(undefined), 'invalid_option', 'The first argument of parallel must be an object, not undefined.'],
    [
      'options of parallel',
      () => untyped(parallel)({ ok }, 5),
      'invalid_option',
      'The options of a parallel tool must be an object, not 5.',
    ],
    [
      'inputs',
      () => untyped(parallel)({ ok }, { inputs: null }),
      'invalid_option',
      "'inputs' of a parallel tool must be an object, not null.",
    ],
    ['a join made by hand', () => untyped(parallel)({ ok }, { join: { kind: 'all' } }), 'invalid_option', 'A join is made by all()'],
    [
      'a quorum',
      () => untyped(quorum)(),
      'invalid_option',
      'A quorum is a share such as 0.5, or a number of branches such as { count: 2 }, not undefined.',
    ],
    ['options of partial', () => untyped(partial)(), 'invalid_option', 'The options of partial must be an object, not undefined.'],
    ['options of branch', () => untyped(branch)(null, []), 'invalid_option', 'The first argument of branch must be an object, not null.'],
    ['routes', () => untyped(branch)(whole, 5), 'invalid_definition', "Branch 'whole' takes a list of routes, not 5."],
    ['a route', () => untyped(branch)(whole, [ok]), 'invalid_definition', "Route 1 of branch 'whole' must be made by when, equals"],
    [
      'a route made by hand',
      () => untyped(branch)(whole, [{ cases: [{}] }]),
      'invalid_definition',
      "Route 1 of branch 'whole' must be made by",
    ],
    ['otherwise', () => untyped(branch)({ ...whole, otherwise: 5 }, [when(yes, ok)]), 'not_a_tool', 'The tool of otherwise is not a tool'],
    [
      'the tool of otherwise',
      () => untyped(branch)({ ...whole, otherwise: { tool: 5 } }, [when(yes, ok)]),
      'not_a_tool',
      "'tool' of otherwise",
    ],
    [
      'the input of otherwise',
      () => untyped(branch)({ ...whole, otherwise: { tool: ok } }, [when(yes, ok)]),
      'invalid_option',
      "'input' of otherwise",
    ],
    ['a predicate', () => untyped(when)(5, ok), 'invalid_option', 'The predicate of when must be a function, not 5.'],
    ['options of a route', () => untyped(when)(yes, ok, null), 'invalid_option', "The options of the route to 'ok'"],
    [
      'the input of a route',
      () => untyped(when)(yes, ok, { input: 5 }),
      'invalid_option',
      "'input' of the route to 'ok' must be a function",
    ],
    ['cases', () => untyped(match)('size', null), 'invalid_option', "The second argument of match('size') must be an object, not null."],
    [
      'options of classify',
      () => untyped(classify)(yes, null),
      'invalid_option',
      'The second argument of classify must be an object, not null.',
    ],
    [
      'classified routes',
      () => untyped(classify)(yes, { ...whole, routes: 5 }),
      'invalid_option',
      "'routes' of 'whole' must be an object, not 5.",
    ],
    [
      'a classified route',
      () => untyped(classify)(yes, { ...whole, routes: { a: 5 } }),
      'invalid_option',
      "The route 'a' must be an object, not 5.",
    ],
    [
      'a route without a description',
      () => untyped(classify)(yes, { ...whole, routes: { a: { tool: ok } } }),
      'invalid_definition',
      "The route 'a' needs a description",
    ],
    ['options of a model classifier', () => untyped(modelClassifier)(null), 'invalid_option', 'The options of modelClassifier'],
    ['the definition of a tool', () => untyped(tool)(null), 'invalid_option', 'The definition of a tool must be an object, not null.'],
    ['the definition of a compound', () => untyped(compound)(), 'invalid_option', 'The definition of a compound must be an object'],
  ]

  test.each(cases)('is refused as %s', (_what, make, code, message) => {
    expect(make).toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) }))
  })

  test.each(['fail_fast', 'bogus', null, 5, {}])('is refused as what a failed step does: %o [P5]', (wrong) => {
    expect(() => built('errorStrategy', wrong)).toThrow(
      expect.objectContaining({
        code: 'invalid_option',
        message: expect.stringContaining("errorStrategy of 'ok_then_ok' must be 'FAIL_FAST' or 'CONTINUE_ON_FAILURE', not "),
      }),
    )
  })

  test('is refused as how time is shared out', () => {
    expect(() => built('deadlines', 'bogus')).toThrow(`deadlines of 'ok_then_ok' must be 'reserve' or 'proportional', not "bogus".`)
  })

  test.each([
    ['loop', (name: unknown) => untyped(loop)(ok, { name, until: yes, maxTurns: 2 })],
    ['map', (name: unknown) => untyped(map)(ok, { name })],
    ['parallel', (name: unknown) => untyped(parallel)({ ok }, { name: name ?? 5 })],
    ['branch', (name: unknown) => untyped(branch)({ ...whole, name }, [when(yes, ok)])],
    ['compound', (name: unknown) => untyped(compound)({ ...whole, name, parts: { ok }, run: yes })],
  ])('is refused as the name of a %s, whatever else is said with it', (_what, make) => {
    for (const wrong of [null, Symbol('x'), { toString: null }]) {
      expect(() => make(wrong)).toThrow(expect.objectContaining({ code: 'invalid_name' }))
    }
  })
})

test.each([null, {}, 5, 'x', () => 1, new AbortController()])(
  'a signal that is none is refused before anything runs: %o',
  async (signal) => {
    let runs = 0
    const counted = tool({ name: 'counted', description: 'd', effect: 'read', execute: () => ++runs })
    const error: unknown = await counted.call('x', { signal: signal as never }).catch((thrown: unknown) => thrown)
    expect(isConfigurationError(error) && error.code).toBe('invalid_option')
    expect(error).toMatchObject({ message: expect.stringContaining('The signal of a call must be an AbortSignal, not ') })
    expect(runs).toBe(0)
  },
)
