import { expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../combinators/gate/gate.ts'
import { heal } from '../combinators/heal/heal.ts'
import { memoryRuns } from '../testing/memory-runs.ts'
import { tool } from '../tool/tool.ts'
import { createRuntime } from './create-runtime.ts'
import { durable } from './durable.ts'

const add = tool({
  name: 'add',
  description: 'Adds.',
  effect: 'write',
  inputSchema: z.object({ n: z.number() }),
  execute: ({ n }) => `added ${n}`,
})
const sent = JSON.parse('{"n":"5"}') as { n: number }

test('inputs of durable runs are healed as those of other calls are [H2]', async () => {
  const healed = heal(add)
  const runtime = createRuntime({ tools: [healed], database: memoryRuns() })
  const started = await runtime.start(healed, sent)
  expect((await started.result()).text).toBe('added 5')
  expect((await durable(healed, runtime).call(sent, { session: 's' })).text).toBe('added 5')
  await runtime.close()
})

test('a gate around heal is asked about an input that fits, or about none [H2]', async () => {
  const gated = gate(heal(add))
  const runtime = createRuntime({ tools: [gated], database: memoryRuns() })
  await expect(runtime.start(gated, sent)).rejects.toMatchObject({ code: 'invalid_input' })
  await runtime.close()
})
