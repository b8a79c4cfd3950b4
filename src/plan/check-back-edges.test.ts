import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../combinators/gate/gate.ts'
import { loop } from '../combinators/loop/loop.ts'
import type { AnySchema } from '../schema/schema-types.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { tool } from '../tool/tool.ts'
import { check } from './check.ts'

function turn(inputSchema: AnySchema, outputSchema?: AnySchema): AgentTool<never, never> {
  const schemas = outputSchema === undefined ? { inputSchema } : { inputSchema, outputSchema }
  return tool({ name: 'step', description: 'd', effect: 'read', ...schemas, execute: () => ({}) }) as never
}

interface Turns {
  readonly maxTurns?: number
  readonly next?: () => never
}

function edges(once: AgentTool<never, never>, { maxTurns = 3, next }: Turns = {}): readonly string[] {
  const options = { until: () => false, maxTurns, ...(next === undefined ? {} : { next }) }
  return check(loop(once, options as never))
    .filter(({ code }) => code.startsWith('edge'))
    .map(({ severity, code, path, field, message }) => `${severity} ${code} ${path} ${field ?? '-'} ${message}`)
}

const A = z.object({ a: z.number() })
const B = z.object({ b: z.number() })

describe('the edge from a turn of a loop to the next', () => {
  test('is an error where no turn but the first can get its input [C5]', () => {
    const message = "'turn' does not take what the turn before gives: 'a' is never given, but is required."
    expect(edges(turn(A, B))).toEqual([`error edge_does_not_fit loop_step/turn a ${message}`])
    expect(edges(gate(turn(A, B)))).toEqual([`error edge_does_not_fit loop_step/turn a ${message}`])
    expect(edges(turn(A, z.string()))).toEqual([expect.stringMatching(/^error edge_does_not_fit loop_step\/turn - /)])
  })

  test('is a warning where some values do not fit: they may be those that end it [C5]', () => {
    const grows = turn(z.object({ n: z.number().max(100) }), z.object({ n: z.number() }))
    expect(edges(grows)).toEqual([
      "warning edge_does_not_fit loop_step/turn n Unless 'until' ends it before: 'turn' does not take what the turn before gives: 'n' may be 101, and at most 100 is taken.",
    ])
  })

  test('fits where a turn takes what it gives, and does not exist where there is one turn only [C5]', () => {
    expect(edges(turn(A, A))).toEqual([])
    expect(edges(turn(A, B), { maxTurns: 1 })).toEqual([])
    expect(edges(tool({ name: 'text', description: 'd', effect: 'read', execute: () => 1 }) as never)).toEqual([])
  })

  test("is unknown behind a 'next' function, and where a turn does not say what it gives [C5]", () => {
    const next = { next: () => ({}) as never }
    const unknown = "note edge_unknown loop_step/turn - Nobody can tell whether 'turn' takes what it is given: "
    expect(edges(turn(A, B), next)).toEqual([`${unknown}the adapter 'next' is a function without a schema.`])
    expect(edges(turn(A))).toEqual([`${unknown}'turn' has no output schema.`])
  })
})
