import { describe, expect, onTestFinished, test } from 'vitest'
import { gate } from '../../combinators/gate/gate.ts'
import { parallel } from '../../combinators/parallel/parallel.ts'
import { into } from '../../combinators/pipe/into.ts'
import { pipe } from '../../combinators/pipe/pipe.ts'
import { saga } from '../../combinators/saga/saga.ts'
import { createRuntime, type Runtime } from '../../runtime/create-runtime.ts'
import { memoryRuns } from '../../testing/memory-runs.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { compound } from '../../tool/compound.ts'
import { tool } from '../../tool/tool.ts'

type Step = AgentTool<string, unknown>
type Flow = (act: (name: string) => AgentTool<string, string>) => Step

/** What stands beside the flow that the new version changes. */
const SIBLINGS: Readonly<Record<string, Flow>> = {
  'a gate': (act) => gate(act('pay')),
  'a saga that waits at a gate': (act) =>
    saga({ name: 'deliver', description: 'd' })
      .step('hold', act('hold'), { compensate: { with: act('release'), class: 'reversible', input: () => 'x' } })
      .step('pay', gate(act('pay')), { input: () => 'x' })
      .build({ output: () => 'x' }),
  'a part of a compound': (act) => {
    const pay = gate(act('pay'))
    return compound({ name: 'paying', description: 'd', parts: { pay }, run: (_given: string, context) => context.call('pay', pay, 'x') })
  },
}

const WHOLES: Readonly<Record<string, (one: Step, other: Step) => Step>> = {
  parallel: (one, other) => parallel({ one, other }, { name: 'order' }),
  compound: (one, other) =>
    compound({
      name: 'order',
      description: 'd',
      parts: { one, other },
      run: async (_given: string, { call }) => {
        const [, paid] = await Promise.all([call('other', other, 'x'), call('one', one, 'x')])
        return paid.text
      },
    }),
}

/** The version 2 gives a step that is done another input. */
function version(number: 1 | 2, whole: keyof typeof WHOLES, sibling: Flow, done: string[]): Step {
  const act = (name: string): AgentTool<string, string> =>
    tool({ name, description: 'd', effect: 'write', idempotent: 'keyed', execute: () => (done.push(`${name} by ${number}`), 'x') })
  const look = tool({ name: 'look', description: 'd', effect: 'read', execute: () => 'x' })
  const other = pipe(
    look,
    into(() => (number === 1 ? 'one' : 'two'), act('book')),
  ) as Step
  return (WHOLES[whole] as (one: Step, other: Step) => Step)(sibling(act), other)
}

describe.each(Object.keys(WHOLES))('a run of a %s that a changed version refuses', (whole) => {
  test.each(Object.entries(SIBLINGS))('is as it was for the version that began it, beside %s [O3]', async (_name, sibling) => {
    const store = memoryRuns()
    const done: string[] = []
    const open = (number: 1 | 2): { readonly runtime: Runtime; readonly tool: Step } => {
      const made = version(number, whole, sibling, done)
      const runtime = createRuntime({ tools: [made], database: store })
      onTestFinished(() => runtime.close())
      return { runtime, tool: made }
    }
    const first = open(1)
    const { id, until } = await first.runtime.start(first.tool, 'x')
    await until(({ status }) => status === 'waiting')
    await first.runtime.close()
    const before = [...done]

    const changed = open(2)
    const [item] = await changed.runtime.inbox.list({ run: id })
    await changed.runtime.inbox.approve(item?.request.id ?? '', 'ada')
    const refused = await changed.runtime.run(id)
    await refused.until(({ status }) => status === 'blocked')
    expect(await refused.status()).toMatchObject({ why: { code: 'replay_diverged' } })
    expect(done).toEqual(before)
    await changed.runtime.close()

    const again = await open(1).runtime.run(id)
    await again.resume()
    expect(await again.result()).toMatchObject({ ok: true })
    expect(done.slice(before.length)).toEqual(['pay by 1'])
  })
})
