import { describe, expect, test } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { scriptedTool } from '../../testing/scripted-tool.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { success } from '../../tool/result/returned.ts'
import { tool } from '../../tool/tool.ts'
import { first } from './join.ts'
import { parallel } from './parallel.ts'

const length = tool({ name: 'length', description: 'd', effect: 'read', execute: (input) => input.length })
const upper = tool({ name: 'upper', description: 'd', effect: 'read', execute: (input) => input.toUpperCase() })
const broken = scriptedTool({ name: 'broken', effect: 'read', answers: [{ error: new Error('no luck') }] }).tool

/** Answers with its own name after so many milliseconds. */
function after(ms: number, name: string): AgentTool<string, string> {
  return tool({ name, description: 'd', effect: 'read', execute: async (_input, { sleep }) => (await sleep(ms), name) })
}

describe('merge', () => {
  test('makes the value of the results by label [C3]', async () => {
    const merged = parallel({ upper, length }, { merge: ({ upper: name, length: count }) => `${name.value} has ${count.value}` })
    expect(await merged.call('ada')).toMatchObject({ ok: true, value: 'ADA has 3' })
  })

  test('sees failures and who is missing where the join allows them [C3]', async () => {
    const clock = fakeClock()
    const whole = parallel(
      { broken, upper, slow: after(99, 'slow') },
      { join: first(), merge: (results) => Object.entries(results).map(([label, result]) => `${label}: ${result.text}`) },
    )
    expect(await clock.until(whole.call('x', { clock }))).toMatchObject({ value: ['broken: Error: no luck', 'upper: X'] })
  })

  test('is not asked where the join failed', async () => {
    let asked = 0
    const whole = parallel({ broken, upper }, { merge: () => ++asked })
    expect(await whole.call('x')).toMatchObject({ ok: false, error: { code: 'branches_failed' } })
    expect(asked).toBe(0)
  })

  test('one that throws or waits is a failure with the steps kept', async () => {
    const throwing = parallel({ upper }, { name: 'merged', merge: (): string => JSON.parse('{') })
    const result = await throwing.call('x')
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'adapter_failed', message: expect.stringContaining("The merge of 'merged' failed") },
    })
    expect(result.steps?.length).toBe(1)
    const waiting = parallel({ upper }, { name: 'merged', merge: (async () => 1) as unknown as () => number })
    expect(await waiting.call('x')).toMatchObject({ ok: false, error: { message: expect.stringContaining('returned a promise') } })
  })

  test('may hand on the result of a branch', async () => {
    const worded = tool({ name: 'worded', description: 'd', effect: 'read', execute: () => success(1, { text: 'one' }) })
    expect(await parallel({ worded, upper }, { merge: ({ worded: chosen }) => chosen }).call('x')).toMatchObject({ value: 1, text: 'one' })
  })
})
