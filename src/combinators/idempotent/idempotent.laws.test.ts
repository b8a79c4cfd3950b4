import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { replayFromEveryPrefix, type RunEnd } from '../../testing/replay-from-every-prefix.ts'
import { runInSegments } from '../../testing/run-in-segments.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { compound } from '../../tool/compound.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { memoryJournal } from '../../tool/journal/journal.ts'
import type { Idempotent } from '../../tool/metadata.ts'
import type { ReviewDecision } from '../../tool/review.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { idempotent } from './idempotent.ts'
import { memoryIdempotency } from './memory-idempotency.ts'

interface Caller {
  readonly key: string
  readonly afterMs: number
  readonly deadlineMs: number
  readonly cancelAfterMs: number | undefined
  readonly records: boolean
  /** Its store does not hear its renewals: it is taken for dead. */
  readonly deaf: boolean
  /** How often it asks again after a failure. */
  readonly retries: number
}

/** How one execution goes, by its number. */
interface Execution {
  readonly ms: number
  readonly end: 'done' | 'failed' | 'not_started' | 'unknown'
}

const caller: fc.Arbitrary<Caller> = fc.record({
  key: fc.constantFrom('a', 'b'),
  afterMs: fc.integer({ min: 0, max: 300 }),
  deadlineMs: fc.constantFrom(50, 400, 5000),
  cancelAfterMs: fc.option(fc.integer({ min: 0, max: 300 }), { nil: undefined }),
  records: fc.boolean(),
  deaf: fc.boolean(),
  retries: fc.integer({ min: 0, max: 2 }),
})

const execution: fc.Arbitrary<Execution> = fc.record({
  ms: fc.integer({ min: 0, max: 400 }),
  end: fc.constantFrom('done', 'failed', 'not_started', 'unknown'),
})

interface Executed {
  readonly input: string
  readonly toolKey: string
  readonly began: number
  /** Undefined while it runs, and for ever where its caller was gone by then. */
  reported?: Execution['end']
}

/** Runs all callers against one store, and gives every execution and every answer. */
async function play(callers: readonly Caller[], executions: readonly Execution[], repeatable: Idempotent) {
  const clock = fakeClock(0)
  const executed: Executed[] = []
  const answers: { readonly key: string; readonly value: unknown }[] = []
  const act = tool({
    name: 'act',
    description: 'd',
    effect: 'write',
    idempotent: repeatable,
    execute: async (input, { sleep, idempotencyKey, signal }) => {
      const { ms, end } = executions[executed.length % executions.length] ?? { ms: 0, end: 'done' }
      const entry: Executed = { input, toolKey: idempotencyKey, began: executed.length }
      executed.push(entry)
      await sleep(ms)
      if (!signal.aborted) entry.reported = end
      if (end !== 'done') throw new ToolError(end, { outcome: end })
      return { number: entry.began }
    },
  })
  const store = memoryIdempotency({ clock })
  const hearing = idempotent(act, { key: (input) => input, lease: 90, store })
  const deaf = idempotent(act, { key: (input) => input, lease: 90, store: { ...store, renew: () => Promise.reject(new Error('deaf')) } })
  const ask = async (given: Caller): Promise<void> => {
    await new Promise<void>((resolve) => clock.timer(given.afterMs, resolve))
    const controller = new AbortController()
    if (given.cancelAfterMs !== undefined) clock.timer(given.cancelAfterMs, () => controller.abort())
    for (let attempt = 0; attempt <= given.retries; attempt++) {
      const journal = given.records ? memoryJournal() : undefined
      const options = { clock, deadline: given.deadlineMs, signal: controller.signal, journal }
      const result = await (given.deaf ? deaf : hearing).call(given.key, options)
      if (!result.ok) continue
      answers.push({ key: given.key, value: result.value })
      return
    }
  }
  await clock.until(Promise.all(callers.map(ask)))
  return { executed, answers }
}

const callers = fc.array(caller, { minLength: 1, maxLength: 12 })
const executions = fc.array(execution, { minLength: 1, maxLength: 6 })

describe('for any interleaving of callers, failures, retries, deadlines and dead holders', () => {
  test('an effect happens once per key at most, unless it said that it did not happen [G4] [I4]', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(callers, executions, async (given, script) => {
        const { executed } = await play(given, script, false)
        for (const key of ['a', 'b']) {
          const before = executed.filter(({ input }) => input === key).slice(0, -1)
          expect(before.filter(({ reported }) => reported !== 'failed' && reported !== 'not_started')).toEqual([])
        }
      }),
      { numRuns: 300 },
    )
  })

  test('all who get an answer for a key get the same one [G4]', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(callers, executions, async (given, script) => {
        const { answers } = await play(given, script, false)
        for (const key of ['a', 'b']) {
          const values = answers.filter((answer) => answer.key === key).map(({ value }) => JSON.stringify(value))
          expect(new Set(values).size).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('a tool that honours keys is repeated, always under one key of its own [G4]', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(callers, executions, async (given, script) => {
        const { executed } = await play(given, script, 'keyed')
        for (const key of ['a', 'b']) {
          const keys = executed.filter(({ input }) => input === key).map(({ toolKey }) => toolKey)
          expect(new Set(keys).size).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: 300 },
    )
  })
})

interface Course {
  readonly inputs: readonly string[]
  readonly gated: 'inside' | 'outside' | 'nowhere'
  readonly fails: string
  readonly action: 'continue' | 'edit' | 'reject'
}

const course: fc.Arbitrary<Course> = fc.record({
  inputs: fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 4 }),
  gated: fc.constantFrom('inside', 'outside', 'nowhere'),
  fails: fc.constantFrom('a', 'none'),
  action: fc.constantFrom('continue', 'edit', 'reject'),
})

/** The effects of all runs, by the key that the tool was handed. */
function wholeOf({ inputs, gated, fails }: Course, effects: Map<string, string>): AgentTool<string, string> {
  const act = tool({
    name: 'act',
    description: 'd',
    effect: 'write',
    idempotent: 'keyed',
    execute: (input, { idempotencyKey }) => {
      if (input === fails) throw new ToolError(`no ${input}`, { outcome: 'failed' })
      effects.set(idempotencyKey, input)
      return `did ${input}`
    },
  })
  const once = idempotent(gated === 'inside' ? gate(act) : act, { key: (input) => input, store: memoryIdempotency() })
  const part = gated === 'outside' ? gate(once) : once
  return compound({
    name: 'whole',
    description: 'd',
    parts: { part },
    run: async (_input, context) => {
      const texts: string[] = []
      for (const input of inputs) texts.push((await context.call('act', part, input)).text)
      return texts.join()
    },
  })
}

const decideBy = (action: Course['action']) => (): ReviewDecision => (action === 'edit' ? { action, input: 'edited' } : { action })

function textOf(end: RunEnd): string {
  if ('rejected' in end) throw end.rejected
  return end.result.text
}

describe('a recorded run with keys', () => {
  test(
    'comes to the same text from every prefix of its journal, gates included, and does nothing twice [G4]',
    { timeout: 110_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(course, async (given) => {
          const effects = new Map<string, string>()
          const whole = wholeOf(given, effects)
          const options = () => ({ review: { review: decideBy(given.action) } })
          const { live, entries, diverged } = await replayFromEveryPrefix(whole, 'x', { options })
          // Until a run has recorded that it claims a key, another run may have the answer: the text is the same, and it says so.
          const recorded = entries.findLastIndex(({ path }) => path.endsWith(':holder'))
          expect(diverged.filter(({ prefix }) => prefix > recorded)).toEqual([])
          for (const { end } of diverged) expect(textOf(end)).toBe(textOf(live))
          expect(effects.size).toBeLessThanOrEqual(new Set(given.inputs).size)
        }),
        { numRuns: 100 },
      )
    },
  )

  test('parked at its gates and taken up again, comes to the end of a run that waited [G4]', { timeout: 110_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(course, async (given) => {
        const decide = decideBy(given.action)
        const { live } = await replayFromEveryPrefix(wholeOf(given, new Map()), 'x', { options: () => ({ review: { review: decide } }) })
        const parked = await runInSegments(wholeOf(given, new Map()), 'x', { decide })
        expect(textOf(parked.end)).toBe(textOf(live))
      }),
      { numRuns: 100 },
    )
  })
})
