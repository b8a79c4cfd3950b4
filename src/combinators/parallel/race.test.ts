import { describe, expect, test } from 'vitest'
import { fakeClock, settled } from '../../testing/fake-clock.ts'
import { runInSegments } from '../../testing/run-in-segments.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { type JournalEntry, memoryJournal } from '../../tool/journal/journal.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { best, first, partial, quorum } from './join.ts'
import { parallel } from './parallel.ts'

/** Tools that take their time, and how often each has begun. */
function world() {
  const begun: string[] = []
  const after = (ms: number, name: string): AgentTool<string, string> =>
    tool({
      name,
      description: 'd',
      effect: 'write',
      idempotent: 'keyed',
      execute: async (_input, { sleep }) => {
        begun.push(name)
        await sleep(ms)
        return name
      },
    })
  return { begun, after }
}

async function record(whole: AgentTool<string, unknown>, past: readonly JournalEntry[] = [], start?: number) {
  const clock = fakeClock(start)
  const journal = memoryJournal(past)
  const result = await clock.until(whole.call('x', { clock, journal }))
  return { result, entries: journal.entries, took: clock.now() - fakeClock(start).now() }
}

const pathsOf = (entries: readonly JournalEntry[]): readonly string[] => entries.map(({ kind, path }) => `${kind} ${path}`)

describe('a race in a recorded run', () => {
  test('writes who had ended before it cancels anybody', async () => {
    const { after } = world()
    const { entries } = await record(parallel({ slow: after(9, 'slow'), quick: after(1, 'quick') }, { name: 'whole', join: first() }))
    expect(pathsOf(entries)).toEqual([
      'call whole/slow',
      'call whole/quick',
      'call whole/quick',
      'decision whole/.ended',
      'call whole/slow',
    ])
    expect(entries[3]).toMatchObject({ value: { ended: ['quick'], cancelled: ['slow'] } })
  })

  test('taken up after the decision, reads the winner and runs no loser again [C3]', async () => {
    const { begun, after } = world()
    const whole = parallel({ slow: after(9, 'slow'), quick: after(1, 'quick') }, { name: 'whole', join: first() })
    const { result, entries } = await record(whole)
    const decided = entries.slice(0, 4)
    begun.length = 0
    const again = await record(whole, decided)
    expect(again.result).toMatchObject({ ok: true, value: 'quick' })
    expect(again.result.steps?.map(({ label }) => label)).toEqual(result.steps?.map(({ label }) => label))
    expect(begun).toEqual([])
    expect(again.entries.slice(0, 4)).toEqual(decided)
    expect(again.entries.slice(4)).toMatchObject([{ path: 'whole/slow', result: { error: { code: 'cancelled', outcome: 'unknown' } } }])
  })

  test('taken up after the winner was recorded and before the decision, does not let a branch win that had not ended [C3]', async () => {
    const { after } = world()
    const whole = parallel({ slow: after(9, 'slow'), quick: after(1, 'quick') }, { name: 'whole', join: first() })
    const { entries } = await record(whole)
    expect((await record(whole, entries.slice(0, 3))).result).toMatchObject({ ok: true, value: 'quick' })
  })

  test('whose winner had not ended in the record waits for the recorded one, whoever else would be faster now [C3]', async () => {
    const { begun, after } = world()
    const make = (slowMs: number, quickMs: number) =>
      parallel({ slow: after(slowMs, 'slow'), quick: after(quickMs, 'quick') }, { name: 'whole', join: first() })
    const { entries } = await record(make(9, 1))
    const withoutResults = entries.filter(({ kind }) => kind === 'decision')
    begun.length = 0
    const { result, took } = await record(make(1, 50), withoutResults)
    expect([result.ok && result.value, took, begun]).toEqual(['quick', 50, ['quick']])
  })

  test('what came back in one turn counts as one moment: of several successes the one declared first wins [C3]', async () => {
    const { after } = world()
    const whole = parallel({ a: after(2, 'a'), b: after(1, 'b') }, { name: 'whole', join: quorum(1) })
    const { entries } = await record(whole)
    const raced = parallel({ a: after(2, 'a'), b: after(1, 'b') }, { name: 'whole', join: first() })
    const undecided = entries.filter(({ kind }) => kind === 'call')
    expect((await record(raced, undecided)).result).toMatchObject({ ok: true, value: 'a', issues: [{ path: 'a' }] })
  })

  test('keeps the set that was there when the time of a partial was up', async () => {
    const { begun, after } = world()
    const whole = parallel({ a: after(1, 'a'), b: after(50, 'b'), c: after(2, 'c') }, { name: 'whole', join: partial({ after: 10 }) })
    const { result, entries } = await record(whole)
    expect(result).toMatchObject({ ok: true, value: { a: 'a', c: 'c' } })
    expect(pathsOf(entries)[0]).toBe('sleep whole/.time/sleep')
    begun.length = 0
    const { result: again, took } = await record(whole, entries)
    expect([again.ok && again.value, again.issues, took, begun]).toEqual([{ a: 'a', c: 'c' }, result.issues, 0, []])
  })

  test('of a partial waits only for what is left of its time, and counts what was recorded when none is left [C3]', async () => {
    const { after } = world()
    const start = fakeClock().now()
    const whole = parallel({ a: after(1, 'a'), b: after(50, 'b') }, { name: 'whole', join: partial({ after: 10 }) })
    const { entries } = await record(whole)
    const beforeDecision = entries.slice(0, pathsOf(entries).indexOf('decision whole/.ended'))
    const later = await record(whole, beforeDecision, start + 6)
    expect([later.result.ok && later.result.value, later.took]).toEqual([{ a: 'a' }, 4])
    const tooLate = await record(whole, beforeDecision, start + 10_000)
    expect([tooLate.result.ok && tooLate.result.value, tooLate.took]).toEqual([{ a: 'a' }, 0])
  })

  test('begins no further branch when its time was up before it was taken up', async () => {
    const { begun, after } = world()
    const whole = parallel({ a: after(1, 'a'), b: after(1, 'b') }, { name: 'whole', join: partial({ after: 10 }), concurrency: 1 })
    const { entries } = await record(whole)
    const afterA = entries.filter(({ path }) => path === 'whole/.time/sleep' || path === 'whole/a')
    begun.length = 0
    const { result } = await record(whole, afterA, fakeClock().now() + 10_000)
    expect([result.ok && result.value, begun]).toEqual([{ a: 'a' }, []])
  })

  test('keeps the best, even when the score has changed since', async () => {
    const { after } = world()
    const make = (score: (value: string) => number) =>
      parallel({ a: after(1, 'a'), b: after(2, 'b') }, { name: 'whole', join: best(score) })
    const { entries } = await record(make((value) => (value === 'b' ? 1 : 0)))
    expect(pathsOf(entries).at(-1)).toBe('decision whole/.best')
    expect(
      (
        await record(
          make(() => 0),
          entries,
        )
      ).result,
    ).toMatchObject({ value: 'b' })
  })

  test('that knows branches which are gone is refused', async () => {
    const { after } = world()
    const { entries } = await record(parallel({ slow: after(9, 'slow'), quick: after(1, 'quick') }, { name: 'whole', join: first() }))
    const other = parallel({ slow: after(9, 'slow') }, { name: 'whole', join: first() })
    const journal = memoryJournal(entries)
    const refused = await other.call('x', { journal }).catch((error: ConfigurationError) => error)
    expect(refused).toMatchObject({ code: 'replay_diverged' })
  })

  test('fails when the decision cannot be written, and cancels all the same', async () => {
    const { after } = world()
    const clock = fakeClock()
    const journal = memoryJournal()
    const write = (entry: JournalEntry) => {
      if (entry.kind === 'decision') throw new Error('disk full')
      return journal.write(entry)
    }
    const whole = parallel({ slow: after(9, 'slow'), quick: after(1, 'quick') }, { join: first() })
    const result = await clock.until(whole.call('x', { clock, journal: { ...journal, write } }))
    expect(result).toMatchObject({ ok: false, error: { code: 'journal_failed' } })
    expect(clock.pending()).toBe(0)
  })

  test('fails when the time of a partial cannot be written', async () => {
    const { after } = world()
    const clock = fakeClock()
    const write = (entry: JournalEntry) => {
      if (entry.kind === 'sleep') throw new Error('disk full')
    }
    const whole = parallel({ slow: after(9, 'slow') }, { join: partial({ after: 5 }) })
    const result = await clock.until(whole.call('x', { clock, journal: { read: () => undefined, write } }))
    expect(result).toMatchObject({ ok: false, error: { code: 'journal_failed' } })
  })
})

describe('a race with a gate, run in segments', () => {
  test('does not wait for the person when another branch has won, and withdraws the request [T14] [C3]', async () => {
    const { after } = world()
    const whole = parallel({ pay: gate(after(0, 'pay')), quick: after(5, 'quick') }, { name: 'whole', join: first() })
    const { end, segments } = await runInSegments(whole, 'x', { decide: () => ({ action: 'continue' }) })
    expect([segments, end]).toMatchObject([1, { result: { ok: true, value: 'quick' } }])
  })

  test('parks when only the person is left, and goes on with the decision [T14] [C3]', async () => {
    const { begun, after } = world()
    const whole = parallel({ pay: gate(after(0, 'pay')), quick: after(5, 'quick') }, { name: 'whole', join: quorum(1) })
    const { end, segments } = await runInSegments(whole, 'x', { decide: () => ({ action: 'continue' }) })
    expect([segments, end]).toMatchObject([2, { result: { ok: true, value: { pay: 'pay', quick: 'quick' } } }])
    expect(begun).toEqual(['quick', 'pay'])
  })

  test('does not park while the time of a partial runs [C3]', async () => {
    const { after } = world()
    const whole = parallel({ pay: gate(after(0, 'pay')), quick: after(5, 'quick') }, { name: 'whole', join: partial({ after: '1h' }) })
    const { end, segments } = await runInSegments(whole, 'x', { decide: () => ({ action: 'continue' }) })
    expect([segments, end]).toMatchObject([1, { result: { ok: true, value: { quick: 'quick' } } }])
  })

  test('is in flight while what is recorded comes back, so that no engine takes it for parked', async () => {
    const { after } = world()
    const whole = parallel({ pay: gate(after(0, 'pay')), quick: after(5, 'quick') }, { name: 'whole', join: first() })
    const clock = fakeClock()
    const first_ = memoryJournal()
    const review = { review: () => new Promise<never>(() => {}) }
    await clock.until(whole.call('x', { clock, journal: first_, review }))
    const undecided = first_.entries.filter(({ kind }) => kind !== 'decision')
    let inFlight = 0
    let isEnded = false
    const journal = { ...memoryJournal(undecided), inFlight: (change: number) => void (inFlight += change) }
    const running = whole.call('x', { clock, journal, review }).then(() => (isEnded = true))
    for (let turn = 0; turn < 100; turn++) await Promise.resolve()
    expect([inFlight, isEnded]).toEqual([1, false])
    await settled()
    await running
    expect([inFlight, isEnded]).toEqual([0, true])
  })
})
