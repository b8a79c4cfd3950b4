import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createRuntime } from '../../runtime/create-runtime.ts'
import { memoryRuns } from '../../testing/memory-runs.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { byPerson } from '../../tool/seam/by-person.ts'
import { tool } from '../../tool/tool.ts'
import { corroborate } from './corroborate.ts'
import { byAuthority } from './resolution.ts'
import { source } from './source.ts'

const secret = { sensitive: true }
const Fact = z.object({
  card: z.string().meta(secret),
  code: z.number().meta(secret),
  rows: z.array(z.object({ id: z.string().meta(secret) })),
})
type Fact = z.output<typeof Fact>

const one: Fact = { card: 'CARD-one', code: 918_273, rows: [{ id: 'ROW-one' }] }
const two: Fact = { card: 'CARD-two', code: 771_144, rows: [{ id: 'ROW-two' }] }
const third: Fact = { card: 'CARD-three', code: 665_533, rows: [{ id: 'ROW-three' }] }
const SECRETS = /CARD-|918273|771144|665533|ROW-/

const says = (name: string, said: Fact, declares = true): AgentTool<string, Fact> =>
  declares
    ? tool({ name, description: 'd', effect: 'read', outputSchema: Fact, execute: () => said })
    : tool({ name, description: 'd', effect: 'read', execute: () => said })

const ways: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  authority: byAuthority('b'),
  person: byPerson({ why: 'It matters.' }),
  function: () => third,
  'a function that throws': ({ conflicts }: object & { conflicts?: unknown }) => {
    throw new Error(`Cannot decide ${JSON.stringify(conflicts)}`)
  },
  'a function that gives something else': () => 'CARD-two',
  tool: tool({ name: 'judge', description: 'd', effect: 'read', inputSchema: z.unknown(), outputSchema: Fact, execute: () => third }),
  'a tool that throws': tool({
    ...{ name: 'judge', description: 'd', effect: 'read', inputSchema: z.unknown() },
    execute: (question): Fact => {
      throw new Error(`Cannot decide ${JSON.stringify(question)}`)
    },
  }),
}

const UNDECLARED = 'of which one declares nothing'

const sources: Readonly<Record<string, () => Record<'a' | 'b', AgentTool<string, Fact>>>> = {
  'of one schema': () => ({ a: says('a', one), b: says('b', two) }),
  [UNDECLARED]: () => ({ a: says('a', one, false), b: says('b', two) }),
  'of which one is reshaped': () => ({ a: says('a', one), b: source(says('b', two), { output: ({ value }) => ({ ...value }) }) as never }),
}

const cases = Object.keys(sources).flatMap((of) => Object.keys(ways).map((way) => [of, way] as const))

function build(of: string, way: string) {
  return corroborate(sources[of]?.() as never, {
    ...{ name: 'fact', description: 'd', fields: { card: {}, code: {}, rows: {} } as never },
    resolve: ways[way] as never,
  }) as unknown as AgentTool<string, Fact>
}

describe('a secret of the sources is a mask', () => {
  test.each(cases)('in all that is told of a conflict of sources %s, resolved by %s [V1] [V2]', async (of, way) => {
    const recorded = recordEvents()
    const logged: unknown[] = []
    const log = (...line: unknown[]): void => void logged.push(line)
    const review = recordingReview({ action: 'answer', value: third })
    const result = await build(of, way).call('x', {
      on: recorded,
      log: { trace: log, debug: log, info: log, warn: log, error: log },
      review,
    })
    const { validation, issues } = result
    expect(validation?.conflicts?.map(({ field }) => field)).toEqual(['card', 'code', 'rows'])
    expect(JSON.stringify([validation, issues, result.ok ? '' : [result.text, result.error.message, result.error.hint]])).not.toMatch(
      SECRETS,
    )
    expect(JSON.stringify(review.requests)).not.toMatch(SECRETS)
    // Its own call shows the answer of a tool that declares no secret.
    expect(of === UNDECLARED ? '' : JSON.stringify([logged, recorded.events])).not.toMatch(SECRETS)
    const expected = { authority: two, person: third, function: third, tool: third }[way]
    expect(result.ok ? result.value : undefined).toEqual(expected)
  })

  test.each(cases.filter(([of]) => of !== UNDECLARED))('in a durable run of sources %s, resolved by %s [V1] [V2]', async (of, way) => {
    const fact = build(of, way)
    const runs = memoryRuns()
    const runtime = createRuntime({ tools: [fact], database: runs })
    const run = await runtime.start(fact, 'x')
    await runs.idle()
    const told: unknown[] = []
    for (const { request } of await runtime.inbox.list()) {
      told.push(request)
      await runtime.inbox.answer(request.id, third, 'ada')
    }
    await run.result()
    for await (const event of run.events()) told.push(event)
    const all = await runtime.runs()
    told.push(await run.status(), await all.list(), await all.show(run.id), await all.export(run.id))
    await runtime.close()
    expect(JSON.stringify(told)).not.toMatch(SECRETS)
  })
})

test('an answer that is a secret and has no fields is a mask [V1]', async () => {
  const text = tool({ name: 'a', description: 'd', effect: 'read', outputSchema: z.string().meta(secret), execute: () => 'CARD-one' })
  const fact = corroborate(
    { a: text as never, b: says('b', two), c: says('c', two) },
    { name: 'fact', description: 'd', fields: { card: {} } as never },
  )
  const result = await (fact as unknown as AgentTool<string, Fact>).call('x')
  expect(result.text).toContain("Source 'a' must give fields to compare, not ••••••.")
})
