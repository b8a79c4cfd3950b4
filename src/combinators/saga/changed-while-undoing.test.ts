import { expect, test } from 'vitest'
import { park, takeUp } from '../../../test/fixtures/saga/parked-run.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { compound } from '../../tool/compound.ts'
import { failure } from '../../tool/result/returned.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { saga } from './saga.ts'

function world() {
  const done: string[] = []
  const leaf = (name: string, effect: 'read' | 'write' = 'write'): AgentTool<string, string> =>
    tool({ name, description: 'd', effect, idempotent: 'keyed', execute: () => (done.push(name), 'x') })
  const failing = tool({ name: 'failing', description: 'd', execute: () => failure('no') })
  const [act, extra, look, undo] = [leaf('act'), leaf('extra'), leaf('look', 'read'), leaf('undo')]
  const undone = { with: gate(undo), class: 'reversible', input: () => 'x' } as const
  return { done, act, extra, look, undo, failing, undone }
}

const agrees = { review: { review: async () => ({ action: 'continue' }) as const } }

test.each(['at the start', 'at the end'])(
  'a step that is being undone does not take new code %s, by context.patched [G1] [O3]',
  async (where) => {
    const { done, act, extra, failing, undone } = world()
    const version = (isNew: boolean): AgentTool<string, unknown> => {
      const job = compound({
        name: 'job',
        description: 'd',
        parts: { act, extra },
        run: async (_input, context) => {
          const more = async (): Promise<void> => {
            if (isNew && (await context.patched('more'))) await context.call('extra', extra, 'x')
          }
          if (where === 'at the start') await more()
          await context.call('act', act, 'x')
          if (where === 'at the end') await more()
          return 'x'
        },
      })
      return saga({ name: 'whole', description: 'd' })
        .step('job', job, { input: () => 'x', compensate: undone })
        .step('failing', failing, { input: () => 'x' })
        .build()
    }
    const parked = await park(version(false))
    await takeUp(version(true), parked, agrees)
    expect(done).toEqual(['act', 'undo'])
  },
)

test('a new step that reads and has a compensation is refused before it reads, and the version before goes on [G1] [O3]', async () => {
  const { done, act, look, undo, failing, undone } = world()
  const version = (isNew: boolean): AgentTool<string, unknown> => {
    const first = saga({ name: 'whole', description: 'd' }).step('act', act, { input: () => 'x', compensate: undone })
    const looked = first.step('look', look, { input: () => 'x', compensate: { with: undo, class: 'reversible', input: () => 'x' } })
    return isNew
      ? looked.step('failing', failing, { input: () => 'x' }).build()
      : first.step('failing', failing, { input: () => 'x' }).build()
  }
  const parked = await park(version(false))
  await expect(takeUp(version(true), parked, agrees)).rejects.toMatchObject({ code: 'replay_diverged' })
  expect(done).toEqual(['act'])
  await takeUp(version(false), parked, agrees)
  expect(done).toEqual(['act', 'undo'])
})
