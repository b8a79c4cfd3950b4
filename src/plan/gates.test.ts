import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { gate } from '../combinators/gate/gate.ts'
import { pipe } from '../combinators/pipe/pipe.ts'
import { humanInput } from '../kits/basic/human-input.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import { recordingReview } from '../testing/recording-review.ts'
import type { Logger } from '../tool/ports/logger.ts'
import { tool } from '../tool/tool.ts'
import { mayAsk } from './gates.ts'

const read = tool({ name: 'read', description: 'd', effect: 'read', execute: (text) => text })
const pay = tool({ name: 'pay', description: 'd', requireApproval: true, execute: (text) => text })
const deep = pipe(read, gate(read, { approval: (text) => text === 'x' }))

/** What a runtime foresees, it says after the turn in which it was made. */
const turn = (): Promise<void> => Promise.resolve()

function heard(): { readonly log: Logger; readonly lines: string[] } {
  const lines: string[] = []
  const write = (_fields: object, line: string): void => void lines.push(line)
  return { lines, log: { trace: write, debug: write, info: write, warn: write, error: write } }
}

describe('a runtime with gates and nobody to ask', () => {
  beforeEach(() => void vi.stubEnv('DATABASE_URL', undefined))
  afterEach(() => void vi.unstubAllEnvs())

  test('warns when it is made, of gates inside too, once for each tool [T14]', async () => {
    const { log, lines } = heard()
    createRuntime({ tools: [read, pay, pay, deep], log })
    await turn()
    expect(lines).toEqual([
      expect.stringMatching(
        /^'pay', '\w+' ask for approval, and the runtime has no way to ask a person: pass 'review'.* bridges and MCP servers ask through their peers, durable runs in their inbox, and need none\.$/,
      ),
    ])
  })

  test('says nothing with a reviewer, or without a gate', async () => {
    const { log, lines } = heard()
    createRuntime({ tools: [pay, deep], review: recordingReview(), log })
    createRuntime({ tools: [read, humanInput()], log })
    await turn()
    expect(lines).toEqual([])
  })

  test('says nothing where runs ask in an inbox: of a database of the environment, or of a run that is started at once', async () => {
    const { log, lines } = heard()
    vi.stubEnv('DATABASE_URL', 'postgres://127.0.0.1:1/none')
    createRuntime({ tools: [pay], log })
    await turn()
    vi.stubEnv('DATABASE_URL', undefined)
    vi.stubEnv('TOOLWRIGHT_HOME', '/dev/null/nowhere') // no database can be made there, and none is needed
    const runtime = createRuntime({ tools: [pay], log })
    await expect(runtime.start(pay, 'x')).rejects.toThrow('nowhere')
    expect(lines).toEqual([])
    await runtime.close()
  })

  test('warns where the reviewer can reach nobody', async () => {
    const { log, lines } = heard()
    createRuntime({ tools: [pay], review: { ...recordingReview(), isAbsent: true }, log })
    await turn()
    expect(lines).toHaveLength(1)
  })
})

test('a person may be asked at a gate, or by a tool for people', () => {
  expect([read, pay, deep, humanInput()].map(mayAsk)).toEqual([false, true, true, true])
})
