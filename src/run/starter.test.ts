import { expect, onTestFinished, test } from 'vitest'
import { createRuntime } from '../runtime/create-runtime.ts'
import { memoryRuns } from '../testing/memory-runs.ts'
import { tool } from '../tool/tool.ts'

const wipe = tool({
  name: 'wipe',
  description: 'Wipes.',
  effect: 'read',
  permissions: ['admin'],
  execute: (_text: string, { principal }) => `wiped as ${principal?.id ?? 'nobody'}`,
})
const whoami = tool({
  name: 'whoami',
  description: 'Says who calls.',
  effect: 'read',
  execute: (_text: string, { principal, session }) => `${principal?.id ?? 'nobody'} in ${session ?? 'no session'}`,
})

const root = { id: 'root', permissions: ['admin'] }

test.each([
  ['a caller without the permission', { principal: { id: 'intern', permissions: [] as string[] }, session: 's1' }, 'intern in s1'],
  ['nobody', {}, 'nobody in no session'],
])('a run of %s runs as that caller, whoever the worker is [G1]', async (_who, starter, told) => {
  const database = memoryRuns()
  const weak = createRuntime({ tools: [wipe, whoami], database, worker: false, ...starter })
  const strong = createRuntime({ tools: [wipe, whoami], database, principal: root, session: 'of the worker' })
  onTestFinished(async () => {
    await weak.close()
    await strong.close()
  })
  await strong.runs()
  const result = await (await weak.start(wipe, 'y')).result()
  expect(result).toMatchObject({ ok: false, error: { code: 'permission_denied' } })
  expect((await (await weak.start(whoami, 'y')).result()).text).toBe(told)
  expect((await (await strong.start(whoami, 'y')).result()).text).toBe('root in of the worker')
  expect((await (await weak.start(wipe, 'y', { principal: root })).result()).text).toBe('wiped as root')
})
