import { expect, test } from 'vitest'
import { durableRuns, openRequest, untilStatus } from '../../../test/fixtures/run/durable-runs.ts'
import { notingTools } from '../../../test/fixtures/run/noting-tools.ts'
import { gate } from '../../combinators/gate/gate.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { compound } from '../../tool/compound.ts'
import { storedPath } from './stored-path.ts'

const database = durableRuns()

test('a short path stands as it is; a long one is as long as an index takes, whatever its letters are', () => {
  expect(storedPath('a/b')).toEqual({ path: 'a/b', fullPath: null })
  const long = '😀'.repeat(300)
  const { path, fullPath } = storedPath(long)
  expect(fullPath).toBe(long)
  expect(Buffer.byteLength(path)).toBeLessThan(2000)
  expect(path).not.toBe(storedPath(`${long}!`).path)
  expect(storedPath(`${'😀'.repeat(200).slice(1)}${long}`).path.isWellFormed()).toBe(true)
})

test('a run of 120 levels waits for a person at the bottom, is taken up elsewhere and comes to its end [G5]', async () => {
  const { noting, done } = notingTools()
  const deep = Array.from({ length: 120 }, (_, index) => index).reduce<AgentTool<string, string>>(
    (inner, level) =>
      compound({
        name: `level_${level}`,
        description: 'Goes one level down.',
        parts: { inner },
        run: async (input, context) => {
          await context.decide('a choice that is made at this level', () => level)
          return context.call('one level further down below', inner, input)
        },
      }) as AgentTool<string, string>,
    gate(noting('pay')),
  )
  const one = await database.open([deep])
  const { id } = await one.start(deep, 'ann')
  const request = await openRequest(one, id)
  await untilStatus(one, id, 'waiting')
  await one.close()
  const two = await database.open([deep])
  await two.inbox.approve(request)
  expect(await (await two.get(id)).result()).toMatchObject({ ok: true, value: 'ann>pay' })
  expect(done).toEqual(['pay ann'])
  const { steps } = await two.show(id)
  expect(steps[0]?.path.split('/')).toHaveLength(122)
})
