/**
 * The programs whose runs are recorded with every release, and replayed by every later version. A program is only ever added: to change one
 * would be to replay another one than was recorded.
 */
import { z } from 'zod'
import { branch } from '../../src/combinators/branch/branch.ts'
import { classify } from '../../src/combinators/branch/classify.ts'
import { when } from '../../src/combinators/branch/route.ts'
import { cache } from '../../src/combinators/cache/cache.ts'
import { gate } from '../../src/combinators/gate/gate.ts'
import { idempotent } from '../../src/combinators/idempotent/idempotent.ts'
import { loop } from '../../src/combinators/loop/loop.ts'
import { map } from '../../src/combinators/map/map.ts'
import { best, first, partial, quorum } from '../../src/combinators/parallel/join.ts'
import { parallel } from '../../src/combinators/parallel/parallel.ts'
import { into } from '../../src/combinators/pipe/into.ts'
import { pipe } from '../../src/combinators/pipe/pipe.ts'
import { ToolPipeline } from '../../src/combinators/pipe/tool-pipeline.ts'
import { saga } from '../../src/combinators/saga/saga.ts'
import type { AgentTool } from '../../src/tool/agent-tool.ts'
import { compound } from '../../src/tool/compound.ts'
import type { CallOptions } from '../../src/tool/context.ts'
import { ToolError } from '../../src/tool/errors/tool-error.ts'
import type { ReviewDecision, ReviewRequest } from '../../src/tool/review.ts'
import { type StepMaker, type Text } from './step-maker.ts'

export interface Program {
  readonly make: (step: StepMaker) => AgentTool<never>
  readonly input: unknown
  /** What people say; without it they approve. */
  readonly decide?: (request: ReviewRequest) => ReviewDecision
  readonly options?: CallOptions
  /** It goes by what only its process knew: broken off, it may come to another end. */
  readonly isOfOneProcess?: boolean
}

const text = z.string()
const undo = (by: Text) => ({ with: by, class: 'reversible', input: () => 'undo' }) as const

export const programs: Readonly<Record<string, Program>> = {
  leaf: { make: (step) => step('a'), input: 'x' },
  leaf_fails: { make: (step) => step('a', { fails: 'no paper' }), input: 'x' },
  pipe: {
    make: (step) =>
      pipe(
        step('a'),
        into(({ value }) => `<${value}>`, step('b')),
        step('c'),
      ),
    input: 'x',
  },
  pipe_same_step_twice: { make: (step) => repeated(step('a')), input: 'x' },
  pipe_fails: { make: (step) => pipe(step('a'), step('b', { fails: 'no paper' }), step('c')), input: 'x' },
  pipe_continues: {
    make: (step) =>
      ToolPipeline.builder()
        .name('continues')
        .description('Goes on after a failure.')
        .errorStrategy('CONTINUE_ON_FAILURE')
        .step(step('a', { fails: 'no paper' }))
        .step(step('b'))
        .build(),
    input: 'x',
  },
  pipe_with_p99: { make: (step) => pipe(step('a', { estimates: { p99Ms: 10, latencyMs: 5 } }), step('b')), input: 'x' },
  parallel_all: { make: (step) => parallel({ one: step('a'), two: step('b'), three: pipe(step('c'), step('d')) }), input: 'x' },
  parallel_all_fails: { make: (step) => parallel({ one: step('a'), two: step('b', { fails: 'no paper' }) }), input: 'x' },
  parallel_first: { make: (step) => parallel({ one: step('a', { ms: 50 }), two: step('b', { ms: 20 }) }, { join: first() }), input: 'x' },
  parallel_quorum: {
    make: (step) =>
      parallel(
        { one: step('a', { ms: 50, fails: 'no' }), two: step('b', { ms: 20 }), three: step('c', { ms: 80 }) },
        { join: quorum({ count: 2 }) },
      ),
    input: 'x',
  },
  parallel_best: {
    make: (step) => parallel({ one: step('a'), two: step('bb') }, { join: best((value) => String(value).length) }),
    input: 'x',
  },
  parallel_partial: {
    make: (step) => parallel({ one: step('a', { ms: 10 }), two: step('b', { ms: 9000 }) }, { join: partial({ after: '1s' }) }),
    input: 'x',
  },
  parallel_one_at_a_time: {
    make: (step) =>
      parallel({ one: step('a', { fails: 'no', ms: 5 }), two: step('b', { ms: 5 }), three: step('c') }, { join: first(), concurrency: 1 }),
    input: 'x',
  },
  branch: {
    make: (step) =>
      branch({ name: 'routed', description: 'By length.' }, [
        when((given: string) => given.length > 3, step('a')),
        when(() => true, step('b')),
      ]),
    input: 'x',
  },
  branch_without_route: {
    make: (step) => branch({ name: 'routed', description: 'By length.' }, [when((given: string) => given.length > 3, step('a'))]),
    input: 'x',
  },
  classify: {
    make: (step) =>
      classify(() => [{ route: 'b', confidence: 0.9 }], {
        name: 'classified',
        description: 'By a classifier.',
        routes: { a: { tool: step('a'), description: 'A' }, b: { tool: step('b'), description: 'B' } },
      }),
    input: 'x',
  },
  map: { make: (step) => map(pipe(step('a'), step('b')), { concurrency: 2 }), input: ['x', 'y', 'z'] },
  map_fails: { make: (step) => map(step('a', { fails: 'no y', when: 'y' }), { concurrency: 1 }), input: ['x', 'y', 'z'] },
  map_collects: { make: (step) => map(step('a', { fails: 'no y', when: 'y' }), { onFailure: 'collect' }), input: ['x', 'y', 'z'] },
  loop: { make: (step) => loop(step('a'), { until: (value) => value.length > 5, maxTurns: 9 }), input: 'x' },
  loop_exhausted: { make: (step) => loop(step('a'), { until: () => false, maxTurns: 2 }), input: 'x' },
  cache: { make: (step) => cachedTwice(step('a', { effect: 'read' })), input: 'x', isOfOneProcess: true },
  idempotent: { make: (step) => onceTwice(step('a')), input: 'x', isOfOneProcess: true },
  gate_approved: { make: (step) => pipe(step('a'), gate(step('b'))), input: 'x' },
  gate_edited: {
    make: (step) => pipe(step('a'), gate(step('b'))),
    input: 'x',
    decide: () => ({ action: 'edit', input: 'edited', by: 'ada' }),
  },
  gate_rejected: { make: (step) => pipe(step('a'), gate(step('b'))), input: 'x', decide: () => ({ action: 'reject', reason: 'not now' }) },
  gate_stopped: { make: (step) => pipe(step('a'), gate(step('b'))), input: 'x', decide: () => ({ action: 'stop', reason: 'closed' }) },
  gates_in_branches: { make: (step) => parallel({ one: gate(step('a')), two: pipe(step('b'), gate(step('c'))) }), input: 'x' },
  approval_by_policy: {
    make: (step) => pipe(step('a'), step('b')),
    input: 'x',
    options: { policy: ({ tool }) => (tool === 'b' ? 'require_approval' : 'allow') },
  },
  question: {
    make: () =>
      compound({
        name: 'asks',
        description: 'Asks.',
        parts: {},
        run: async (input, context) => `${input} ${await context.ask({ question: 'How many?', answerSchema: z.number() })}`,
      }),
    input: 'x',
    decide: () => ({ action: 'answer', value: 7 }),
  },
  sleeps_and_values: {
    make: (step) => {
      const a = step('a')
      return compound({
        name: 'sleeper',
        description: 'Sleeps, and looks at clocks and dice.',
        parts: { a },
        run: async (input, context) => {
          const begun = context.now()
          await context.sleep('2h')
          await context.sleep('1h', 'again')
          const picked = await context.decide('pick', () => context.random())
          const done = await context.call('a', a, `${input} ${context.ids()}`)
          return { begun, ended: context.now(), picked, done: done.ok, id: context.ids().length }
        },
      })
    },
    input: 'x',
  },
  repeated_labels: {
    make: (step) => {
      const a = step('a')
      return compound({
        name: 'twice',
        description: 'Calls twice, and tries again.',
        parts: { a },
        run: async (input, context) => {
          await context.call('do', a, input)
          await context.call('do', a, `${input}2`)
          return context.call('do', a, `${input}2`, { attempt: 2 })
        },
      })
    },
    input: 'x',
  },
  saga: {
    make: (step) =>
      saga({ name: 'settle', description: 'Settles.', inputSchema: text })
        .step('one', step('a'), { compensate: undo(step('undo_a')) })
        .step('two', step('b'), { input: ({ results }) => results.one, compensate: undo(step('undo_b')) })
        .build({ output: ({ results }) => results.two }),
    input: 'x',
  },
  saga_undone: {
    make: (step) =>
      saga({ name: 'settle', description: 'Settles.', inputSchema: text })
        .step('one', step('a'), { compensate: undo(step('undo_a')) })
        .step('two', step('b'), { compensate: undo(step('undo_b')) })
        .step('three', step('c', { fails: 'no paper' }))
        .build(),
    input: 'x',
  },
  saga_tries_again: {
    make: (step) =>
      saga({ name: 'settle', description: 'Settles.', inputSchema: text })
        .step('one', step('a'), { compensate: { ...undo(step('undo_a', { throws: busy() })), attempts: 2 } })
        .step('two', step('b', { throws: busy() }), { attempts: 3 })
        .build(),
    input: 'x',
  },
  saga_recovers: {
    make: (step) =>
      saga({ name: 'settle', description: 'Settles.', inputSchema: text })
        .step('one', step('a', { throws: busy(), recovers: true }), { attempts: 3 })
        .step('two', step('b'))
        .build(),
    input: 'x',
  },
  saga_gated: {
    make: (step) =>
      saga({ name: 'settle', description: 'Settles.', inputSchema: text })
        .step('one', step('a'), { compensate: 'irreversible' })
        .step('two', step('b', { fails: 'no paper' }))
        .build(),
    input: 'x',
  },
  saga_stopped: {
    make: (step) =>
      saga({ name: 'settle', description: 'Settles.', inputSchema: text })
        .step('one', step('a'), { compensate: undo(step('undo_a')) })
        .step('two', gate(step('b')))
        .build(),
    input: 'x',
    decide: () => ({ action: 'stop', reason: 'closed' }),
  },
  saga_in_saga: {
    make: (step) => {
      const inner = saga({ name: 'inner', description: 'Inner.', inputSchema: text })
        .step('i1', step('a'), { compensate: undo(step('undo_a')) })
        .step('i2', step('b'), { compensate: undo(step('undo_b')) })
        .build({ output: ({ results }) => results.i2 })
      return saga({ name: 'outer', description: 'Outer.', inputSchema: text })
        .step('inner', inner)
        .step('last', step('c', { fails: 'no paper' }))
        .build()
    },
    input: 'x',
  },
  deep: {
    make: (step) => {
      const routed = branch({ name: 'routed', description: 'By length.' }, [
        when((given: string) => given.length > 0, gate(step('pay'))),
        when(() => true, step('other')),
      ])
      const together = parallel({ routed, note: step('note') }, { name: 'together' })
      const settle = saga({ name: 'settle', description: 'Settles.', inputSchema: text })
        .step('reserve', step('reserve'), { compensate: undo(step('release')) })
        .step('together', together, { input: ({ input }) => input, compensate: undo(step('pay_back')) })
        .step('mail', step('mail'), { input: ({ results }) => results.together.routed })
        .build({ output: ({ results }) => results.mail })
      return pipe(step('look', { effect: 'read' }), settle, step('thank'))
    },
    input: 'x',
    decide: () => ({ action: 'edit', input: 'less', by: 'ada' }),
  },
}

function busy(): ToolError {
  return new ToolError('The service is busy.', { code: 'rate_limited', outcome: 'failed', retryable: true })
}

function repeated(a: Text): Text {
  return pipe(a, a, a)
}

/** The second call finds what the first one kept. */
function cachedTwice(a: Text): AgentTool<never> {
  const kept = cache(a, { ttl: '1h' })
  return twice(kept)
}

function onceTwice(a: Text): AgentTool<never> {
  return twice(idempotent(a, { key: (given) => given }))
}

function twice(tool: Text): AgentTool<never> {
  return compound({
    name: 'twice',
    description: 'Calls it twice.',
    parts: { tool },
    run: async (input, context) => {
      const [one, two] = [await context.call('one', tool, input), await context.call('two', tool, input)]
      return `${one.text} ${two.text}`
    },
  })
}
