import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { branch } from '../combinators/branch/branch.ts'
import { equals } from '../combinators/branch/equals.ts'
import { match } from '../combinators/branch/match.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { subsumes } from '../schema/subsumes/subsumes.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { tool } from '../tool/tool.ts'
import { check } from './check.ts'

const Card = z.object({ kind: z.literal('card'), number: z.string() })
const Cash = z.object({ kind: z.literal('cash'), notes: z.number() })
const Payment = z.discriminatedUnion('kind', [Card, Cash])

const card = tool({ name: 'card', description: 'd', inputSchema: Card, effect: 'read', execute: ({ number }) => number })
const cash = tool({ name: 'cash', description: 'd', inputSchema: Cash, effect: 'read', execute: ({ notes }) => `${notes}` })
const WHOLE = { name: 'pay', description: 'd' }

function edges(whole: AgentTool<never, unknown>): readonly string[] {
  return check(whole)
    .filter(({ code }) => code.startsWith('edge'))
    .map(({ code, path, message }) => `${code} ${path} ${message}`)
}

describe('a branch over a union', () => {
  test('gives every route what its tag stands for, and so it fits [C5]', () => {
    expect(edges(branch({ ...WHOLE, inputSchema: Payment }, [match('kind', { card, cash })]))).toEqual([])
    expect(
      edges(branch({ ...WHOLE, inputSchema: z.union([Card, Cash]) }, [equals('kind', 'card', card), equals('kind', 'cash', cash)])),
    ).toEqual([])
  })

  test('is told where a route leads to the tool of another tag [C5]', () => {
    const wrong = branch({ ...WHOLE, inputSchema: Payment }, [match('kind', { card, cash: card as never })])
    expect(edges(wrong)).toEqual([expect.stringMatching(/^edge_does_not_fit pay\/cash /)])
  })
})

describe('what is given', () => {
  const tagged = (tag: string): JsonSchema => ({ type: 'object', properties: { tag: { const: tag } }, required: ['tag'] })

  test('counts for nothing in an option that no value satisfies, beside one that has values', () => {
    const given = { anyOf: [tagged('a'), tagged('b')], allOf: [{ properties: { tag: { enum: ['a'] } } }] }
    expect(subsumes(given, tagged('a'))).toEqual({ answer: 'fits' })
    expect(subsumes({ type: 'object', properties: { in: given }, required: ['in'] }, { properties: { in: tagged('a') } })).toEqual({
      answer: 'fits',
    })
    expect(subsumes(given, tagged('b'))).toMatchObject({ answer: 'does not fit', path: 'tag' })
  })

  test('is not judged where no value satisfies any option, and that is said in words', () => {
    const given = { type: ['string', 'array'], minLength: 2, maxLength: 1, minItems: 2, maxItems: 1 }
    expect(subsumes(given, { type: 'number' })).toEqual({
      answer: 'cannot tell',
      path: '',
      why: 'the value cannot be anything, since no value satisfies the schema that it comes from',
    })
  })
})
