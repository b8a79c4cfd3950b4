import assert from 'node:assert/strict'
import * as v from 'valibot'
import { z } from 'zod'
import { autoReview, compound, tool } from '../../src/index.ts'
import type { Attack } from './attack.ts'

type Input = { to: string }

/** Schemas that make new values, so that the input of the caller is not copied at the door. */
const SCHEMAS = {
  zod: z.object({ to: z.string(), force: z.boolean().default(true) }),
  valibot: v.object({ to: v.string(), force: v.optional(v.boolean(), true) }),
  'JSON Schema': { type: 'object', properties: { to: { type: 'string' }, force: { type: 'boolean', default: true } } },
}

const VERBS = ['review', 'ask'] as const
const WAYS = ['call', 'execute', 'part of a compound'] as const
const TRICKS: Readonly<Record<string, (input: Input) => void>> = {
  'changes its input meanwhile': (input) => void (input.to = 'bob'),
  'leaves out a default': () => {},
  'adds a field that is dropped': (input) => void Object.assign(input, { note: 'approved by the CFO' }),
}

/** A person who is asked in the code of a tool sees the input with which the tool runs. */
export const SHOWN_IN_CODE_ATTACKS: readonly Attack[] = Object.entries(SCHEMAS).flatMap(([schemaName, inputSchema]) =>
  VERBS.flatMap((verb) =>
    WAYS.flatMap((way) =>
      Object.entries(TRICKS).map(([trick, change]): Attack => ({
        name: `${schemaName}: the caller ${trick}, ${verb} in code, by ${way}`,
        before: 'fell',
        attempt: async () => {
          const { shown, ran } = await played({ inputSchema: inputSchema as never, verb, way, change })
          assert.deepEqual(shown, ran)
          assert.deepEqual(ran, { to: 'mallory', force: true })
        },
      })),
    ),
  ),
)

interface Play {
  readonly inputSchema: z.ZodType<Input>
  readonly verb: (typeof VERBS)[number]
  readonly way: (typeof WAYS)[number]
  readonly change: (input: Input) => void
}

async function played({ inputSchema, verb, way, change }: Play): Promise<{ readonly shown: unknown; readonly ran: unknown }> {
  let shown: unknown
  let ran: unknown
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    effect: 'write',
    inputSchema,
    execute: async (input, context) => {
      await Promise.resolve()
      if (verb === 'review') await context.review({ why: 'A payment.' })
      else await context.ask({ question: 'How?', answerSchema: z.string() })
      ran = structuredClone(input)
      return 'paid'
    },
  })
  const review = autoReview((request) => {
    shown = request.input
    return verb === 'review' ? { action: 'continue' } : { action: 'answer', value: 'so' }
  })
  const input: Input = { to: 'mallory' }
  queueMicrotask(() => change(input))
  if (way === 'call') await pay.call(input, { review })
  else if (way === 'execute') await pay.execute(input, { review })
  else {
    const desk = compound({
      name: 'desk',
      description: 'Pays.',
      parts: { pay },
      run: async (_input: string, context, parts) => (await context.call('pay', parts.pay, input)).text,
    })
    await desk.call('x', { review })
  }
  return { shown, ran }
}
