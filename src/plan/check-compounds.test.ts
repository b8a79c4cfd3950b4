import { describe, expect, test } from 'vitest'
import { gate } from '../combinators/gate/gate.ts'
import { map } from '../combinators/map/map.ts'
import { pipe } from '../combinators/pipe/pipe.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { compound } from '../tool/compound.ts'
import { memoryJournal } from '../tool/journal/journal.ts'
import type { Effect } from '../tool/metadata.ts'
import { tool } from '../tool/tool.ts'
import { check, type CheckOptions } from './check.ts'
import { isSound } from './finding.ts'

const step = (name: string, effect: Effect, reliability?: number): AgentTool<string, string> =>
  tool({
    name,
    description: 'd',
    effect,
    ...(reliability === undefined ? {} : { estimates: { reliability } }),
    execute: (input) => `${input}>${name}`,
  })
const [find, charge, mail] = [step('find', 'read'), step('charge', 'irreversible'), step('mail', 'write')]

/** Calls its parts in the order of the words of its input. */
function freely(parts: Readonly<Record<string, AgentTool<string, string>>>, name = 'freely'): AgentTool<string, string> {
  return compound({
    name,
    description: 'd',
    parts,
    run: async (input, context) => {
      for (const label of input.split(' '))
        await context.call(label, parts[label.replace(/#.*/, '')] ?? Object.values(parts)[0] ?? find, 'x')
      return input
    },
  })
}
const about = (whole: AgentTool, options?: CheckOptions): readonly (readonly string[])[] =>
  check(whole, options).flatMap(({ severity, code, path }) => (code === 'unknown_estimates' ? [] : [[severity, code, path]]))

async function recordedRun(whole: AgentTool<string, string>, input: string) {
  const journal = memoryJournal()
  await whole.call(input, { journal, idempotencyKey: 'run' })
  return journal.entries
}

describe('a compound, whose code decides the order', () => {
  test('with a part that cannot be undone gets a warning that says how its order can be seen [C5]', () => {
    const [finding] = check(freely({ find, charge, mail }))
    expect(finding).toMatchObject({ severity: 'warning', code: 'order_unseen', path: 'freely' })
    expect(finding?.message).toBe(
      "The code of 'freely' decides when 'charge', 'mail' take effect, and on which input: neither can be checked before a run.",
    )
    expect(finding?.hint).toMatch(/pipeline or a saga, with fill and from .*check\(tool, \{ recorded \}\)/)
  })

  test('gets a note where everything can be undone or is approved, and nothing where it only reads', () => {
    const note = [['note', 'order_unseen', 'freely']]
    expect(about(freely({ find, mail }))).toEqual(note)
    expect(about(freely({ find, charge: gate(charge) }))).toEqual(note)
    expect(about(gate(freely({ find, charge })))).toEqual([['note', 'order_unseen', 'freely/gated']])
    expect(about(freely({ find }))).toEqual([])
    expect(about(pipe(find, freely({ mail })))).toContainEqual(['note', 'order_unseen', 'find_then_freely/freely'])
  })

  test('is sound with its warning, but not in strict mode [C5]', () => {
    const findings = check(freely({ find, charge }))
    expect([isSound(findings), isSound(findings, { strict: true })]).toEqual([true, false])
    expect(isSound(check(freely({ find, mail })), { strict: true })).toBe(true)
  })
})

describe('the order that runs of a compound recorded', () => {
  test('is judged: a part that cannot be undone before one that can fail [C5]', async () => {
    const whole = freely({ find, charge, mail })
    const recorded = [
      await recordedRun(whole, 'find charge mail'),
      await recordedRun(whole, 'find charge'),
      await recordedRun(whole, 'mail charge'),
    ]
    const [first, second, ...rest] = check(whole, { recorded })
    expect(first).toMatchObject({ severity: 'warning', code: 'irreversible_before_fallible', path: 'freely/charge' })
    expect(first?.message).toBe("'freely/charge' cannot be undone, and ran before 'mail', which can fail, in 1 of 3 recorded calls.")
    expect(second).toMatchObject({ severity: 'note', code: 'order_unseen' })
    expect(second?.message).toMatch(/Recorded calls of it: find, charge, mail \(once\); find, charge \(once\); mail, charge \(once\)\.$/)
    expect(rest.map(({ code }) => code)).toEqual(['unknown_estimates'])
  })

  test('is fine where nothing that can fail came later', async () => {
    const whole = freely({ find, charge, sure: step('sure', 'read', 1) })
    const recorded = [await recordedRun(whole, 'find charge sure'), await recordedRun(whole, 'find charge')]
    expect(about(whole, { recorded })).toEqual([['note', 'order_unseen', 'freely']])
  })

  test('behind a gate is a note where the gate asks sometimes, and a warning where it never does', async () => {
    const sometimes = freely({ charge: gate(charge, { approval: (text: string) => text === 'much' }), mail })
    const recorded = [await recordedRun(sometimes, 'charge mail')]
    expect(about(sometimes, { recorded })).toEqual([
      ['note', 'irreversible_before_fallible', 'freely/charge'],
      ['note', 'order_unseen', 'freely'],
    ])
    expect(about(sometimes)).toEqual([['note', 'order_unseen', 'freely']])
    const never = freely({ charge: gate(charge, { approval: () => false }), mail })
    expect(about(never, { recorded: [await recordedRun(never, 'charge mail')] })[0]).toEqual([
      'warning',
      'irreversible_before_fallible',
      'freely/charge',
    ])
    expect(about(never)).toEqual([['warning', 'order_unseen', 'freely']])
  })

  test('counts the gates inside a part, however deep the step lies', () => {
    const gated = gate(charge, { approval: (text: string) => text === 'much' })
    const inner = freely({ charge: gated, mail }, 'inner')
    const outers = [freely({ inner }), freely({ middle: pipe(find, inner) }), freely({ middle: freely({ inner }, 'middle') })]
    for (const outer of outers) expect(about(outer)).toContainEqual(['note', 'order_unseen', 'freely'])
    expect(about(freely({ inner: freely({ charge, mail }, 'inner') }))).toContainEqual(['warning', 'order_unseen', 'freely'])
    const oneIsLoose = freely({ inner: freely({ charge, gated: gate(charge, { approval: (text: string) => text === 'much' }) }, 'inner') })
    expect(about(oneIsLoose)).toContainEqual(['warning', 'order_unseen', 'freely'])
  })

  test('counts repeats and retries of a part, labels of its own, and each item of a list by itself', async () => {
    const twice = freely({ charge })
    expect(check(twice, { recorded: [await recordedRun(twice, 'charge charge')] })[0]?.message).toContain('ran before itself')
    const [labelled] = check(twice, { recorded: [await recordedRun(twice, 'first second')] })
    expect(labelled).toMatchObject({ code: 'irreversible_before_fallible', path: 'freely/charge' })
    const all = map(freely({ charge, mail }), { concurrency: 1 })
    const journal = memoryJournal()
    await all.call(['mail charge', 'charge mail'], { journal, idempotencyKey: 'run' })
    const [each] = check(all, { recorded: [journal.entries] }).filter(({ message }) => message.includes('recorded calls'))
    expect(each?.message).toContain("ran before 'mail', which can fail, in 1 of 2 recorded calls")
  })

  test('of another tool says nothing', async () => {
    const other = await recordedRun(freely({ find, charge, mail }, 'other'), 'charge mail')
    expect(about(freely({ find, charge, mail }), { recorded: [other] })).toEqual([['warning', 'order_unseen', 'freely']])
  })
})
