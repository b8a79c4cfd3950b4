import { describe, expect, test } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { scriptedTool } from '../../testing/scripted-tool.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { success } from '../../tool/result/returned.ts'
import { tool } from '../../tool/tool.ts'
import { all, best, first, partial, quorum } from './join.ts'
import { parallel } from './parallel.ts'

const length = tool({ name: 'length', description: 'd', effect: 'read', execute: (input) => input.length })
const upper = tool({ name: 'upper', description: 'd', effect: 'read', execute: (input) => input.toUpperCase() })
const broken = scriptedTool({ name: 'broken', effect: 'read', answers: [{ error: new Error('no luck') }] }).tool

/** Answers with its own name after so many milliseconds. */
function after(ms: number, name: string): AgentTool<string, string> {
  return tool({ name, description: 'd', effect: 'read', execute: async (_input, { sleep }) => (await sleep(ms), name) })
}

describe('all', () => {
  test('gives the value of every branch under its label, in the order of the branches [C3]', async () => {
    const result = await parallel({ upper, length }).call('ada')
    expect(result).toMatchObject({ ok: true, value: { upper: 'ADA', length: 3 }, text: '{"upper":"ADA","length":3}' })
    expect(result.steps?.map(({ label, path, tool: name }) => `${label} ${path} ${name}`)).toEqual([
      'upper upper_and_length/upper upper',
      'length upper_and_length/length length',
    ])
  })

  test('waits for every branch, then fails and names those that failed; the steps keep the rest [C3]', async () => {
    const clock = fakeClock()
    const whole = parallel({ broken, slow: after(50, 'slow'), upper }, { join: all() })
    const result = await clock.until(whole.call('ada', { clock }))
    expect(result).toMatchObject({ ok: false, error: { code: 'branches_failed', message: '1 of 3 branches failed: broken (no luck)' } })
    expect(result.steps?.map((step) => step.result.text)).toEqual(['Error: no luck', 'slow', 'ADA'])
  })

  test('one tool may stand in several branches, and a label may be any word of JavaScript', async () => {
    const branches = Object.fromEntries([['constructor', length] as const, ['then', upper] as const, ['toString', length] as const])
    const result = await parallel(branches).call('ada')
    expect(result).toMatchObject({ ok: true, text: '{"constructor":3,"then":"ADA","toString":3}' })
  })

  test('keeps what the branches say beside their values: content, issues, the lowest confidence', async () => {
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const
    const sure = tool({ name: 'sure', description: 'd', effect: 'read', execute: () => success(1, { confidence: 0.9, content: [image] }) })
    const unsure = tool({
      name: 'unsure',
      description: 'd',
      effect: 'read',
      execute: () => success(2, { confidence: 0.4, issues: [{ severity: 'warning', message: 'old', path: 'date' }] }),
    })
    expect(await parallel({ sure, unsure, length }).call('x')).toMatchObject({
      value: { sure: 1, unsure: 2, length: 1 },
      confidence: 0.4,
      content: [image],
      issues: [{ severity: 'warning', message: 'old', path: 'unsure.date' }],
    })
  })
})

describe('quorum', () => {
  test('a number is a share of the branches, rounded up [C3]', async () => {
    const three = { a: after(1, 'a'), b: after(2, 'b'), c: after(3, 'c') }
    const valueWith = async (q: Parameters<typeof quorum>[0]) => {
      const clock = fakeClock()
      const result = await clock.until(parallel(three, { join: quorum(q) }).call('x', { clock }))
      return result.ok ? result.value : result
    }
    expect(await valueWith(0.1)).toEqual({ a: 'a' })
    expect(await valueWith(0.5)).toEqual({ a: 'a', b: 'b' })
    expect(await valueWith(1)).toEqual({ a: 'a', b: 'b', c: 'c' })
    expect(await valueWith({ count: 2 })).toEqual({ a: 'a', b: 'b' })
  })

  test('a share is counted without the dust of binary fractions', async () => {
    const tools = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`t${index}`, index < 7 ? upper : broken]))
    expect(await parallel(tools, { name: 'many', join: quorum(0.07) }).call('x')).toMatchObject({ ok: true })
  })

  test('fails as soon as it cannot be met [C3]', async () => {
    const clock = fakeClock()
    const whole = parallel({ broken, again: broken, slow: after(1000, 'slow') }, { join: quorum({ count: 2 }) })
    const result = await clock.until(whole.call('x', { clock }))
    expect(clock.now() - fakeClock().now()).toBe(0)
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'quorum_not_met', message: 'Only 0 of 3 branches succeeded, and 2 must: broken (no luck), again (no luck)' },
    })
    expect(result.steps?.map(({ label }) => label)).toEqual(['broken', 'again'])
  })

  test('a branch that failed on the way is an issue of the success', async () => {
    expect(await parallel({ broken, upper, length }, { join: quorum(0.6) }).call('x')).toMatchObject({
      ok: true,
      value: { upper: 'X', length: 1 },
      issues: [{ severity: 'warning', path: 'broken', message: "Branch 'broken' failed: no luck" }],
    })
  })
})

describe('first', () => {
  test('hands on the first success with its own text, and an issue names the branch [C3]', async () => {
    const clock = fakeClock()
    const worded = tool({
      name: 'worded',
      description: 'd',
      effect: 'read',
      execute: async (_input, { sleep }) => (await sleep(5), success({ hits: 2 }, { text: 'two hits', confidence: 0.5 })),
    })
    const result = await clock.until(parallel({ broken, slow: after(9, 'slow'), worded }, { join: first() }).call('x', { clock }))
    expect(result).toMatchObject({
      ok: true,
      value: { hits: 2 },
      text: 'two hits',
      confidence: 0.5,
      issues: [{ severity: 'info', path: 'worded', message: "Branch 'worded' answered." }],
    })
    expect(result.steps?.map(({ label, result: { ok } }) => `${label} ${ok}`)).toEqual(['broken false', 'worded true'])
  })

  test('fails where every branch failed [C3]', async () => {
    const result = await parallel({ broken, again: broken }, { join: first() }).call('x')
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'branches_failed', message: '2 of 2 branches failed: broken (no luck), again (no luck)' },
    })
  })
})

describe('best', () => {
  test('takes the success with the highest score, of equals the first [C3]', async () => {
    const result = await parallel(
      { broken, upper, again: upper, length },
      { join: best((value) => (typeof value === 'string' ? 2 : 1)) },
    ).call('x')
    expect(result).toMatchObject({ ok: true, value: 'X', issues: [{ path: 'upper', message: "Branch 'upper' answered." }] })
    expect(result.steps?.length).toBe(4)
  })

  test('a score may look at the label', async () => {
    expect(await parallel({ upper, length }, { join: best((_value, label) => (label === 'length' ? 1 : 0)) }).call('x')).toMatchObject({
      value: 1,
    })
  })

  test('a score that throws, waits or is no number is a failure that says so', async () => {
    const scored = async (score: (value: string | number) => unknown) => {
      const result = await parallel({ upper, length }, { name: 'scored', join: best(score as () => number) }).call('x')
      return result.ok ? '' : `${result.error.code}: ${result.error.message}`
    }
    expect(
      await scored(() => {
        throw new Error('no idea')
      }),
    ).toBe("adapter_failed: The score of 'scored' failed: no idea")
    expect(await scored(async () => 1)).toContain("adapter_failed: The score of 'scored' returned a promise.")
    expect(await scored(() => Number.NaN)).toBe("adapter_failed: The score of 'scored' for branch 'upper' is not a number.")
  })

  test('a score of minus infinity can still win', async () => {
    expect(await parallel({ upper }, { join: best(() => Number.NEGATIVE_INFINITY) }).call('x')).toMatchObject({ value: 'X' })
  })
})

describe('partial', () => {
  const quickAndSlow = { quick: after(5, 'quick'), slow: after(500, 'slow'), broken }

  test('gives what is there when the time is up, and says what is missing [C3]', async () => {
    const clock = fakeClock()
    const result = await clock.until(parallel(quickAndSlow, { join: partial({ after: 100 }) }).call('x', { clock }))
    expect(clock.now() - fakeClock().now()).toBe(100)
    expect(result).toMatchObject({
      ok: true,
      value: { quick: 'quick' },
      issues: [
        { severity: 'warning', path: 'broken', message: "Branch 'broken' failed: no luck" },
        { severity: 'warning', path: 'slow', message: "Branch 'slow' was not done after 100 ms." },
      ],
    })
    expect(result.steps?.map(({ label }) => label)).toEqual(['quick', 'broken'])
    expect(clock.pending()).toBe(0)
  })

  test('ends at once when every branch has ended, and leaves no timer behind [C3]', async () => {
    const clock = fakeClock()
    const result = await clock.until(parallel({ upper, quick: after(5, 'quick') }, { join: partial({ after: '1m' }) }).call('x', { clock }))
    expect(result).toMatchObject({ ok: true, value: { upper: 'X', quick: 'quick' } })
    expect([clock.now() - fakeClock().now(), clock.pending()]).toEqual([5, 0])
  })

  test('fails where too few are there, at the latest when the time is up [C3]', async () => {
    const clock = fakeClock()
    const result = await clock.until(parallel(quickAndSlow, { join: partial({ after: 100, atLeast: 2 }) }).call('x', { clock }))
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: 'quorum_not_met',
        message: 'Only 1 of 3 branches succeeded, and 2 must: broken (no luck), slow (not done after 100 ms)',
        retryable: true,
      },
    })
    const hopeless = await clock.until(parallel(quickAndSlow, { join: partial({ after: 100, atLeast: 3 }) }).call('x', { clock }))
    expect(hopeless).toMatchObject({ ok: false, error: { message: 'Only 0 of 3 branches succeeded, and 3 must: broken (no luck)' } })
  })

  test('gives what is there at the deadline of the caller too', async () => {
    const clock = fakeClock()
    const result = await clock.until(parallel(quickAndSlow, { join: partial({ after: '1m' }) }).call('x', { clock, deadline: 50 }))
    expect(result).toMatchObject({ ok: true, value: { quick: 'quick' } })
  })
})
