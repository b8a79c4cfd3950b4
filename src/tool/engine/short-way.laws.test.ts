import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { parallel } from '../../combinators/parallel/parallel.ts'
import { breaker } from '../../combinators/breaker/breaker.ts'
import { limit } from '../../combinators/limit/limit.ts'
import { retry } from '../../combinators/retry/retry.ts'
import { rule } from '../../combinators/validate/rule.ts'
import { validate } from '../../combinators/validate/validate.ts'
import { ToolPipeline } from '../../combinators/pipe/tool-pipeline.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { ToolError } from '../errors/tool-error.ts'
import type { CallOptions, ToolContext } from '../context.ts'
import type { ToolEvent } from '../event.ts'
import type { ToolResult } from '../result/result.ts'
import { failure, success } from '../result/returned.ts'
import type { AgentTool } from '../agent-tool.ts'
import { ModelArguments } from '../input/arguments.ts'
import { compound } from '../compound.ts'
import { tool } from '../tool.ts'
import { behaviourOf } from '../behaviour.ts'

class Point {
  readonly x = 1
}

function thenable(get: () => unknown): object {
  return Object.defineProperty({}, ['th', 'en'].join(''), { get })
}

/** What a function may do, one word each. */
const ENDS: Readonly<Record<string, (context: ToolContext) => unknown>> = {
  text: () => 'x',
  secret: () => 'the word is s3cret-made',
  nothing: () => undefined,
  null: () => null,
  object: () => ({ a: 1 }),
  list: () => [1, 2],
  date: () => new Date(0),
  point: () => new Point(),
  success: () => success({ a: 1 }, { text: 'own', confidence: 0.5, issues: [{ severity: 'warning', message: 'w' }] }),
  failure: () => failure('no', { code: 'not_found' }),
  throws: () => {
    throw new Error('boom')
  },
  throws_text: () => {
    throw 'boom'
  },
  throws_coded: () => {
    throw new ToolError('busy', { code: 'rate_limited', outcome: 'failed', retryable: true })
  },
  fatal: () => {
    throw new ConfigurationError('invalid_option', 'wrong')
  },
  uses: ({ usage }) => {
    usage({ tokens: 3, costUsd: 0.1 })
    return 1
  },
  thenable: () => thenable(() => (resolve: (value: string) => void) => resolve('later')),
  bad_thenable: () =>
    thenable(() => {
      throw new Error('no then')
    }),
  generator: function* () {
    yield 'half'
    return 'whole'
  },
  never: () => new Promise(() => {}),
}

const schemas = {
  none: undefined,
  plain: z.object({ n: z.number() }),
  lenient: z.object({ n: z.coerce.number() }),
  secret: z.object({ n: z.number(), password: z.string().default('s3cret-made') }),
  async: z.object({ n: z.number() }).refine(async ({ n }) => n !== 13, 'unlucky'),
  throwing: z.object({
    n: z.number().refine((n) => {
      if (n === 13) throw new Error('unlucky')
      return true
    }),
  }),
}

const given = fc.constantFrom<unknown>({ n: 1 }, { n: '2' }, { n: 13 }, { n: null }, { n: 1, more: 2 }, {}, undefined, 'text', null, [1])

const healthy = tool({ name: 'made', description: 'd', effect: 'read', execute: () => 1 })

/** The layers with a short way. A breaker lets calls pass at once when one has succeeded: `prove` makes such a call. */
const LAYERS: Readonly<Record<string, { around: (leaf: AgentTool) => AgentTool; prove?: (clock: CallOptions) => Promise<unknown> }>> = {
  none: { around: (leaf) => leaf },
  retry: { around: (leaf) => retry(leaf, { attempts: 2, base: 1 }) },
  breaker: { around: (leaf) => breaker(leaf), prove: (options) => breaker(healthy).call('x' as never, options) },
  limit: { around: (leaf) => limit(leaf, { concurrency: 1 }) },
  retried_limit: { around: (leaf) => retry(limit(leaf, { concurrency: 1 }), { attempts: 2, base: 1 }) },
}

const LEAVES = ['at once', 'later', 'never', 'fails', 'gives up', 'answers when aborted', 'is validated later'] as const
const WHOLES = ['pipe', 'parallel', 'retry', 'limit', 'compound'] as const

type Composition =
  | { readonly leaf: (typeof LEAVES)[number]; readonly ms: number }
  | { readonly parts: readonly Composition[]; readonly kind: (typeof WHOLES)[number] }

const { composition } = fc.letrec<{ composition: Composition }>((tie) => ({
  composition: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.record({ leaf: fc.constantFrom(...LEAVES), ms: fc.nat(20) }),
    fc.record({ kind: fc.constantFrom(...WHOLES), parts: fc.array(tie('composition'), { minLength: 1, maxLength: 4 }) }),
  ),
}))

interface Scene {
  readonly clock: ReturnType<typeof fakeClock>
  readonly controller: AbortController
  /** The leaves that ran. */
  readonly begun: string[]
  /** Those whose signal was aborted. */
  readonly aborted: string[]
}

function composed(shape: Composition, scene: Scene, name = 'top'): AgentTool<string, unknown> {
  if ('leaf' in shape) return leafOf(shape, scene, name)
  const parts = shape.parts.map((part, index) => composed(part, scene, `${name}_${index}`))
  const [first, ...rest] = parts as [AgentTool<string, string>, ...AgentTool<string, string>[]]
  switch (shape.kind) {
    case 'retry':
      return retry(first, { attempts: 2, base: 5 })
    case 'limit':
      return limit(first, { concurrency: 1 })
    case 'compound':
      return compound({ name, description: 'd', parts: { first }, run: (input, context) => context.call('first', first, input) })
    case 'parallel':
      return parallel(Object.fromEntries(parts.map((part) => [part.name, part])), { name, inputs: {} }) as never
    case 'pipe': {
      const builder = ToolPipeline.builder().name(name).description('d').step(first)
      return rest.reduce((steps, step) => steps.adapter(({ text }) => text).step(step), builder).build()
    }
  }
}

function leafOf(
  { leaf, ms }: Extract<Composition, { leaf: string }>,
  { clock, controller, begun, aborted }: Scene,
  name: string,
): AgentTool<string, unknown> {
  const wait = (): Promise<void> => new Promise((resolve) => void clock.timer(ms, resolve))
  const acts: Readonly<Record<typeof leaf, (signal: AbortSignal) => unknown>> = {
    'at once': () => 'x',
    later: async () => void (await wait()),
    never: () => new Promise(() => {}),
    fails: async () => {
      await wait()
      throw new ToolError('busy', { code: 'rate_limited', outcome: 'failed', retryable: true })
    },
    'gives up': async () => {
      controller.abort(new Error('given up inside'))
      await wait()
    },
    'answers when aborted': answersWhenAborted,
    'is validated later': () => 'x',
  }
  const late = z.string().refine(async () => {
    await wait()
    return true
  })
  return tool({
    name,
    description: 'd',
    effect: 'read',
    inputSchema: leaf === 'is validated later' ? late : z.string(),
    execute: (_input, { signal }) => {
      begun.push(name)
      signal.addEventListener('abort', () => aborted.push(name))
      return acts[leaf](signal) as string
    },
  })
}

/** A promise whose listeners hear of the answer at once, while the signal aborts. */
function answersWhenAborted(signal: AbortSignal): Promise<string> {
  const listen = (onAnswer: (value: string) => void): void => signal.addEventListener('abort', () => onAnswer('late'))
  return Object.defineProperty(new Promise<string>(() => {}), ['th', 'en'].join(''), { value: listen })
}

/** An event as its listener reads it. */
function toldOf(event: ToolEvent): unknown {
  const { type, call } = event
  const { tool: name, path, input } = call
  const end = type === 'call.finished' ? [event.outcome, event.text, event.error, event.usage, call.output] : []
  return JSON.parse(JSON.stringify([type, name, path, input ?? null, ...end]))
}

/** The long way: an observer that runs the functions itself. What it hears is kept. */
function watched(heard: unknown[]): CallOptions {
  return { on: { onEvent: (event) => void heard.push(toldOf(event)), around: (_call, next) => next() } }
}

/** A leaf has a short way if it is only listened to. */
function listened(heard: unknown[]): CallOptions {
  return { on: (event) => void heard.push(toldOf(event)) }
}

async function endOf(run: Promise<ToolResult>): Promise<unknown> {
  try {
    const result = await run
    const { ok, text, value, error, steps, issues, confidence, usage } = JSON.parse(JSON.stringify(result)) as Record<string, unknown>
    return { ok, text, value, error, steps, issues, confidence, usage, isPoint: result.ok && result.value instanceof Point }
  } catch (fatal) {
    return { rejected: (fatal as Error).message }
  }
}

describe('the short way through the door', () => {
  test('comes to the same end as the long one, whatever a tool is given and does [T1]', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(ENDS)),
        fc.constantFrom(...(Object.keys(schemas) as (keyof typeof schemas)[])),
        fc.record({
          isAsync: fc.boolean(),
          hasOutput: fc.boolean(),
          isClosed: fc.boolean(),
          layer: fc.constantFrom(...Object.keys(LAYERS)),
          wrapped: fc.nat(2),
          input: given,
        }),
        async (end, schema, { isAsync, hasOutput, isClosed, layer, wrapped, input }) => {
          const act = ENDS[end] ?? (() => undefined)
          const inputSchema = schemas[schema]
          const made = tool({
            name: 'made',
            description: 'd',
            effect: 'write',
            ...(inputSchema === undefined ? {} : { inputSchema }),
            ...(hasOutput ? { outputSchema: z.object({ a: z.number() }) } : {}),
            execute: (isAsync
              ? async (_input: unknown, context: ToolContext) => act(context)
              : (_input: unknown, context: ToolContext) => act(context)) as never,
          })
          expect(behaviourOf(made).isPlain).toBe(true)
          const { around, prove } = LAYERS[layer] as (typeof LAYERS)[string]
          const called = around(made as AgentTool)
          expect(behaviourOf(called).isPlainLayer).toBe(layer !== 'none')
          const sent = Array.from({ length: wrapped }).reduce<unknown>((inside) => ModelArguments.ofValue(inside), input)
          const run = async (more: CallOptions): Promise<unknown> => {
            const clock = fakeClock()
            const deadline = isClosed ? 0 : 100
            await prove?.({ clock })
            return clock.until(endOf(called.call(sent as never, { clock, deadline, ids: () => 'id', ...more })))
          }
          const [onShort, onLong]: [unknown[], unknown[]] = [[], []]
          const long = await run(watched(onLong))
          expect(await run({})).toEqual(long)
          expect(await run(listened(onShort))).toEqual(long)
          expect(onShort).toEqual(onLong)
        },
      ),
      { numRuns: 3000 },
    )
  })

  test('ends the parts of every composition as the long one does, whenever the caller gives up or the time is over [C3] [P6]', async () => {
    await fc.assert(
      fc.asyncProperty(composition, fc.nat(30), fc.nat(30), async (shape, abortAt, deadline) => {
        const run = async (more: CallOptions): Promise<unknown> => {
          const clock = fakeClock()
          const controller = new AbortController()
          const begun: string[] = []
          const aborted: string[] = []
          const whole = composed(shape, { clock, controller, begun, aborted })
          clock.timer(abortAt + 0.5, () => controller.abort(new Error('given up')))
          const end = await clock.until(
            endOf(
              whole.call('x', { clock, deadline: deadline + 0.25, signal: controller.signal, ids: () => 'id', random: () => 0.5, ...more }),
            ),
          )
          const endedAt = clock.tick()
          await clock.advance(100)
          return { end, endedAt, begun, aborted }
        }
        const [onShort, onLong]: [unknown[], unknown[]] = [[], []]
        const long = await run(watched(onLong))
        expect(await run({})).toEqual(long)
        expect(await run(listened(onShort))).toEqual(long)
        expect(onShort).toEqual(onLong)
      }),
      { numRuns: 2000 },
    )
  })

  test.each<[string, (inner: AgentTool<string, unknown>) => AgentTool<string, unknown>]>([
    ['a retry', (inner) => retry(inner)],
    ['a limit', (inner) => limit(inner, { concurrency: 1 })],
    ['a breaker', (inner) => breaker(inner)],
    ['a validation', (inner) => validate(inner, { rules: [rule('always', () => true)] })],
    ['layers', (inner) => retry(limit(inner, { concurrency: 1 }))],
  ])('ends %s at the deadline of the call, whatever guards the time inside [C3] [P6]', async (_name, around) => {
    const clock = fakeClock()
    const never = tool({ name: 'never', description: 'd', effect: 'read', execute: (_input: string) => new Promise<string>(() => {}) })
    const inner = compound({
      name: 'inner',
      description: 'd',
      parts: { never },
      run: (input, context) => context.call('never', never, input),
    })
    const result = await clock.until(around(inner).call('x', { clock, deadline: 10 }))
    expect(result).toMatchObject({ ok: false, error: { code: 'deadline_exceeded' } })
    let begun = 0
    const late = tool({
      name: 'late',
      description: 'd',
      effect: 'read',
      inputSchema: z.string().refine(() => new Promise<boolean>((resolve) => void clock.timer(20, () => resolve(true)))),
      execute: () => ++begun,
    })
    const refused = await clock.until(around(late).call('x', { clock, deadline: 10 }))
    expect(refused).toMatchObject({ ok: false, error: { code: 'deadline_exceeded', outcome: 'not_started' } })
    expect(begun).toBe(0)
  })

  test.each([
    ['needs a permission', { permissions: ['pay'] }],
    ['needs an approval', { requireApproval: true }],
  ])('is closed to a tool that %s [T1]', (_name, more) => {
    expect(behaviourOf(tool({ name: 'made', description: 'd', execute: () => 1, ...more })).isPlain).not.toBe(true)
  })

  test.each<[string, (leaf: AgentTool<string, string>) => AgentTool<string, unknown>]>([
    ['a leaf', (leaf) => leaf],
    ['a pipeline', (leaf) => ToolPipeline.builder().name('whole').description('d').step(leaf).build()],
    ['a retry', (leaf) => retry(leaf)],
    ['a limit', (leaf) => limit(leaf, { concurrency: 1 })],
    ['a breaker', (leaf) => breaker(leaf)],
    ['a parallel', (leaf) => parallel({ leaf }, { name: 'whole' })],
  ])('makes none of the things that nobody asks for, in %s [T1]', async (_name, around) => {
    const seen: unknown[] = []
    const leaf = tool({ name: 'leaf', description: 'd', execute: async (_input: string, context) => void seen.push(context) as never })
    await around(leaf as AgentTool<string, string>).call('x')
    const contexts = seen as { readonly rare: unknown; readonly parent: { readonly rare: unknown } | undefined }[]
    expect(contexts.map(({ rare, parent }) => [rare, parent?.rare])).toEqual([[undefined, undefined]])
  })
})
