import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { gate } from '../../src/combinators/gate/gate.ts'
import type { AgentTool } from '../../src/tool/agent-tool.ts'
import { compound } from '../../src/tool/compound.ts'
import { durableRuns, openRequest, untilStatus } from '../fixtures/run/durable-runs.ts'
import { notingTools } from '../fixtures/run/noting-tools.ts'

const database = durableRuns()
const LEVELS = 120

/** Labels that do not get shorter when they are compressed. */
function labelOf(level: number): string {
  return `level_${level}_${createHash('sha256').update(String(level)).digest('hex').slice(0, 24)}`
}

function nested(leaf: AgentTool<string, string>): AgentTool<string> {
  let inner = leaf as AgentTool<string>
  for (let level = 1; level <= LEVELS; level++) {
    const [label, within] = [labelOf(level), inner]
    inner = compound({
      name: `nest_${level}`,
      description: 'Goes one level down.',
      parts: { [label]: within },
      run: (input, context) => context.call(label, within, input),
    })
  }
  return inner
}

test(`a run of ${LEVELS} levels waits, goes on in another process and ends, and its neighbours do not notice [G3] [G5]`, async () => {
  const { noting, done, keys } = notingTools()
  const pay = noting('pay')
  const deep = nested(gate(pay))
  const plain = noting('plain')
  const first = await database.open([deep, plain])
  const run = await first.start(deep, 'ann')
  const neighbours = await Promise.all(['a', 'b', 'c'].map((input) => first.start(plain, input)))
  expect((await Promise.all(neighbours.map((each) => each.result()))).map(({ ok }) => ok)).toEqual([true, true, true])
  const request = await openRequest(first, run.id)
  await untilStatus(first, run.id, 'waiting')
  await first.close()
  const second = await database.open([deep, plain])
  await second.inbox.approve(request)
  expect(await (await second.get(run.id)).result()).toMatchObject({ ok: true, value: 'ann>pay' })
  expect(done.filter((each) => each === 'pay ann')).toHaveLength(1)
  expect(new Set(keys).size).toBe(4)
})
