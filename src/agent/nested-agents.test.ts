import { expect, test } from 'vitest'
import { z } from 'zod'
import { type ModelTurn, scriptedModel } from '../../test/fixtures/scripted-language-model.ts'
import { gate } from '../combinators/gate/gate.ts'
import { parallel } from '../combinators/parallel/parallel.ts'
import { into } from '../combinators/pipe/into.ts'
import { pipe } from '../combinators/pipe/pipe.ts'
import { saga } from '../combinators/saga/saga.ts'
import { check } from '../plan/check.ts'
import { explain } from '../plan/explain.ts'
import { recordingReview } from '../testing/recording-review.ts'
import { resolve } from '../tool/resolve/resolve.ts'
import { tool } from '../tool/tool.ts'
import { agent } from './agent.ts'

const say = <N extends string>(name: N, ...turns: readonly ModelTurn[]) =>
  agent({ name, role: 'Writer', goal: 'Write.', model: scriptedModel(...turns).model, tools: [] }).asTool()

test('an agent is a step of a pipeline [T18]', async () => {
  const upper = tool({ name: 'upper', description: 'Shouts.', effect: 'read', execute: (text) => text.toUpperCase() })
  const line = pipe(
    say('writer', 'A text.'),
    into(({ value }) => value.text, upper),
  )
  expect(await line.call({ task: 'Write.' })).toMatchObject({ ok: true, value: 'A TEXT.', usage: { tokens: 15 } })
  expect((await check(line)).filter(({ severity }) => severity === 'error')).toEqual([])
})

test('agents run side by side [T18]', async () => {
  const both = parallel({ a: say('first_writer', 'A.'), b: say('second_writer', 'B.') })
  expect(await both.call({ task: 'Write.' })).toMatchObject({ ok: true, value: { a: { text: 'A.' }, b: { text: 'B.' } } })
})

test('a saga undoes what was done before an agent failed [T18]', async () => {
  const undone: string[] = []
  const book = tool({
    name: 'book',
    description: 'Books.',
    effect: 'write',
    inputSchema: z.object({ task: z.string() }),
    execute: () => 'b1',
  })
  const cancel = tool({
    name: 'cancel',
    description: 'Cancels.',
    effect: 'write',
    idempotent: true,
    execute: (id) => (undone.push(id), id),
  })
  const lost = say('lost_writer', { finish: 'content-filter' })
  const trip = saga({ name: 'trip', description: 'Books and writes.', inputSchema: z.object({ task: z.string() }) })
    .step('book', book, { compensate: { with: cancel, class: 'reversible', input: ({ value }) => value ?? '' } })
    .step('write', lost)
    .build()
  expect(await trip.call({ task: 'x' })).toMatchObject({ ok: false, compensation: { state: 'compensated', failedStep: 'write' } })
  expect(undone).toEqual(['b1'])
})

test('an agent can be gated as a whole [T18]', async () => {
  const review = recordingReview({ action: 'reject', reason: 'no' })
  expect(await gate(say('writer', 'A.')).call({ task: 'Write.' }, { review })).toMatchObject({ ok: false, error: { code: 'rejected' } })
  expect(review.requests).toHaveLength(1)
})

test('an agent calls another agent as a tool [T18]', async () => {
  const inner = say('inner_writer', 'The inner answer.')
  const { model, requests } = scriptedModel({ calls: [['inner_writer', { task: 'Write.' }]] }, 'Done.')
  const result = await agent({ name: 'outer', role: 'Boss', goal: 'Delegate.', model, tools: [inner] }).run('Go.')
  expect(result).toMatchObject({ ok: true, text: 'Done.', usage: { tokens: 45 } })
  expect(requests[1]?.prompt.at(-1)).toMatchObject({ content: [{ output: { value: 'The inner answer.' } }] })
})

test('an agent has the gravest effect and the permissions of its tools, and a plan', async () => {
  const pay = tool({ name: 'pay', description: 'Pays.', effect: 'irreversible', permissions: ['pay'], execute: (x) => x })
  const clerk = agent({ name: 'clerk', role: 'Clerk', goal: 'Pay.', model: scriptedModel('x').model, tools: [gate(pay)] }).asTool()
  expect(clerk).toMatchObject({ effect: 'irreversible', permissions: ['pay'], name: 'clerk' })
  expect(String(explain(clerk))).toContain('clerk_model')
  const { specifications } = await resolve([clerk])
  expect(specifications[0]).toMatchObject({ name: 'clerk', parameters: { required: ['task'] } })
  const refused = await clerk.call({ task: 'x' }, { principal: { id: 'ada', permissions: [] } })
  expect(refused).toMatchObject({ ok: false, error: { code: 'permission_denied' } })
})

test('a tool of another name is another tool; without options it is the same one', () => {
  const writer = agent({ role: 'Writer', goal: 'Write.', model: scriptedModel('x').model, tools: [] })
  expect(writer.asTool()).toBe(writer.asTool())
  expect(writer.asTool({ name: 'essayist', description: 'Writes essays.' })).toMatchObject({
    name: 'essayist',
    description: 'Writes essays.',
  })
  expect(() => writer.asTool({ nam: 'x' } as object)).toThrow("Did you mean 'name'?")
})
