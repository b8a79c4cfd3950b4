import { describe, expect, test } from 'vitest'
import { branch } from '../combinators/branch/branch.ts'
import { classify } from '../combinators/branch/classify.ts'
import { when } from '../combinators/branch/route.ts'
import { cache } from '../combinators/cache/cache.ts'
import { gate } from '../combinators/gate/gate.ts'
import { loop } from '../combinators/loop/loop.ts'
import { map } from '../combinators/map/map.ts'
import { all, first } from '../combinators/parallel/join.ts'
import { parallel } from '../combinators/parallel/parallel.ts'
import { pipe } from '../combinators/pipe/pipe.ts'
import { recordEvents } from '../testing/record-events.ts'
import { recordingReview } from '../testing/recording-review.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { compound } from '../tool/compound.ts'
import { tool } from '../tool/tool.ts'
import { check } from './check.ts'
import { explain } from './explain.ts'
import type { ExplainedStep } from './explained-step.ts'

function step(name: string): AgentTool<string, string> {
  return tool({ name, description: 'Says it again.', effect: 'read', permissions: [`${name}:use`], execute: (input) => input })
}

const permissions = ['a:use', 'b:use', 'c:use']
const both = (): AgentTool<string, string> => pipe(step('a'), step('b'))
const one = { name: 'one', description: 'd' }

const WHOLES: Readonly<Record<string, () => AgentTool<never, unknown>>> = {
  pipe: () => pipe(both(), step('c'), step('c')),
  'branch and otherwise': () => pipe(...branches()),
  classify: () =>
    classify(() => [{ route: 'x', confidence: 1 }], { ...one, routes: { x: { tool: both(), description: 'Always.' } } as const }) as never,
  parallel: () => parallel({ x: both(), y: step('c') }, { join: all() }) as never,
  'parallel, raced': () => parallel({ x: both(), y: gate(step('c')) }, { join: first() }) as never,
  map: () => map(both()) as never,
  loop: () => loop(both(), { until: (_value, count) => count === 2, maxTurns: 3 }),
  gate: () => gate(both()),
  'gate in gate': () => pipe(gate(gate(both())), gate(step('c'))),
  cache: () => cache(both(), { ttl: '1m' }),
  'cache of a cache': () => pipe(cache(cache(both(), { ttl: '1m' }), { ttl: '1m' }), step('c')),
  'gate around a cache': () => gate(cache(both(), { ttl: '1m' })),
  compound: () => compound({ ...one, parts: { x: both() }, run: (input, context, { x }) => context.call('x', x, input) }),
}

/** Not all of their parts run. */
const CHOOSES = new Set(['branch and otherwise', 'parallel, raced'])

function branches(): [AgentTool<string, string>, AgentTool<string, string>] {
  const never = when<string, string>(() => false, step('a'))
  return [branch(one, [when<string, string>(() => true, both())]), branch({ ...one, name: 'two', otherwise: step('c') as never }, [never])]
}

/** An item's index and the number of a repeat are known to the run alone; what was kept stands where the fresh one would. */
function asPlanned(path: string): string {
  return path
    .replaceAll(/\/\d+(?=\/|$)/g, '/item')
    .replaceAll(/\/turn#\d+/g, '/turn')
    .replaceAll(/\/kept(?=\/|$)/g, '/fresh')
}

function pathsOf({ paths, parts }: ExplainedStep): readonly string[] {
  return [...paths, ...parts.flatMap(pathsOf)]
}

describe.each(Object.entries(WHOLES))('the plan of a tool made by %s', (kind, make) => {
  const whole = make()
  const input = (kind === 'map' ? ['x', 'y'] : 'x') as never
  const planned = new Set(pathsOf(explain(whole).root))

  test('has every path that a run shows, and no step that is shown elsewhere [C6]', async () => {
    const recorder = recordEvents()
    const options = { on: recorder, review: recordingReview(), principal: { id: 'ada', permissions } }
    expect(await whole.call(input, options)).toMatchObject({ ok: true })
    await whole.call(input, options)
    const run = new Set(recorder.events.map(({ call }) => asPlanned(call.path)))
    expect([...run].filter((path) => !planned.has(path))).toEqual([])
    const elsewhere = CHOOSES.has(kind) ? [] : [...planned].filter((path) => !run.has(path))
    expect(elsewhere).toEqual([])
  })

  test('has every path that is checked [C5]', () => {
    const findings = check(whole, { principal: { id: 'nobody', permissions: [] }, deadline: 0 })
    expect(findings.length).toBeGreaterThan(0)
    expect(findings.filter(({ path }) => !planned.has(path))).toEqual([])
  })
})
