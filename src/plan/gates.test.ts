import { describe, expect, test } from 'vitest'
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

function heard(): { readonly log: Logger; readonly lines: string[] } {
  const lines: string[] = []
  const write = (_fields: object, line: string): void => void lines.push(line)
  return { lines, log: { trace: write, debug: write, info: write, warn: write, error: write } }
}

describe('a runtime with gates and nobody to ask', () => {
  test('warns when it is made, of gates inside too, once for each tool [T14]', () => {
    const { log, lines } = heard()
    createRuntime({ tools: [read, pay, pay, deep], log })
    expect(lines).toEqual([
      expect.stringMatching(
        /^'pay', '\w+' ask for approval, and the runtime has no way to ask a person: pass 'review'.* bridges and MCP servers ask through their peers, and need none\.$/,
      ),
    ])
  })

  test('says nothing with a reviewer, or without a gate', () => {
    const { log, lines } = heard()
    createRuntime({ tools: [pay, deep], review: recordingReview(), log })
    createRuntime({ tools: [read, humanInput()], log })
    expect(lines).toEqual([])
  })

  test('warns where the reviewer can reach nobody', () => {
    const { log, lines } = heard()
    createRuntime({ tools: [pay], review: { ...recordingReview(), isAbsent: true }, log })
    expect(lines).toHaveLength(1)
  })
})

test('a person may be asked at a gate, or by a tool for people', () => {
  expect([read, pay, deep, humanInput()].map(mayAsk)).toEqual([false, true, true, true])
})
