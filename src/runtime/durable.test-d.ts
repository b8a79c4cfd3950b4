import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { PendingRun } from '../tool/result/pending-run.ts'
import { tool } from '../tool/tool.ts'
import { createRuntime } from './create-runtime.ts'
import { durable } from './durable.ts'
import { runStatus, type RunStatusInput, type RunStatusOutput } from './run-status.ts'

const pay = tool({
  name: 'pay',
  description: 'd',
  inputSchema: z.object({ amount: z.number() }),
  execute: ({ amount }) => ({ paid: amount }),
})
const runtime = createRuntime({ tools: [pay] })

test('a durable tool has the type of the tool', async () => {
  const made = durable(pay, runtime, { patience: '20s', deadline: 60_000 })
  expectTypeOf(made).toEqualTypeOf(pay)
  const result = await made.call({ amount: 3 })
  if (result.ok) expectTypeOf(result.value).toEqualTypeOf<{ paid: number }>()
  else expectTypeOf(result.error.pending).toEqualTypeOf<PendingRun | undefined>()
  // @ts-expect-error the input is that of the tool
  void made.call({ amount: '3' })
})

test('wrong arguments do not compile', () => {
  // @ts-expect-error a runtime is needed
  durable(pay)
  // @ts-expect-error no runtime
  durable(pay, {})
  // @ts-expect-error no such option
  durable(pay, runtime, { timeout: '20s' })
  // @ts-expect-error no duration
  durable(pay, runtime, { patience: 'soon' })
})

test('run_status takes the id of a run, and tells its state', async () => {
  const status = runStatus(runtime)
  expectTypeOf(status).toEqualTypeOf<AgentTool<RunStatusInput, RunStatusOutput>>()
  const result = await status.call({ run: 'r', wait: 5 })
  if (!result.ok) return
  if (result.value.status === 'pending')
    expectTypeOf(result.value.waitsFor).toEqualTypeOf<'person' | 'time' | 'worker' | 'work' | 'blocked'>()
  if (result.value.status === 'completed') expectTypeOf(result.value.value).toEqualTypeOf<unknown>()
  // @ts-expect-error the run is missing
  void status.call({})
})
