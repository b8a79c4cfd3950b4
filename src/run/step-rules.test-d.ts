import { expectTypeOf, test } from 'vitest'
import { createRuntime } from '../runtime/create-runtime.ts'
import { defineConfig } from '../runtime/define-config.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { OutcomeWord } from '../tool/outcome-question.ts'
import type { Principal } from '../tool/principal.ts'
import type { RunHandle } from './run-handle.ts'

declare const pay: AgentTool<string, string>
declare const run: RunHandle<string>
declare const ada: Principal

test('the rules for steps that fail are those of a runtime, a configuration and a start', () => {
  const runtime = createRuntime({ retryReads: { attempts: 5, base: '1s', max: '1m' }, unknownOutcome: 'ask' })
  createRuntime({ retryReads: false, unknownOutcome: 'fail' })
  defineConfig({ tools: [], retryReads: { attempts: 2 } })
  expectTypeOf(runtime.start(pay, 'x', { retryReads: false, unknownOutcome: 'ask' })).toEqualTypeOf<Promise<RunHandle<string>>>()
  // @ts-expect-error -- There are no other words.
  createRuntime({ unknownOutcome: 'retry' })
  // @ts-expect-error -- To retry as usual, leave it out.
  createRuntime({ retryReads: true })
  // @ts-expect-error -- A call that is not durable has no such rules.
  void runtime.call(pay, 'x', { retryReads: false })
})

test('a word on a step says whether it happened, and its value if it did', () => {
  expectTypeOf(run.settle).parameter(1).toEqualTypeOf<OutcomeWord>()
  void run.settle('pay', { happened: true, value: 7 }, ada)
  void run.settle('pay', { happened: true }, 'ada')
  void run.settle('pay', { happened: false })
  // @ts-expect-error -- Something that did not happen has no value.
  void run.settle('pay', { happened: false, value: 7 })
  // @ts-expect-error -- It is yes or no.
  void run.settle('pay', { happened: 'maybe' })
})
