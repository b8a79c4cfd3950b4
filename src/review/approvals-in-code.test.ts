import { describe, expect, test } from 'vitest'
import { createRuntime } from '../runtime/create-runtime.ts'
import { memoryRuns } from '../testing/memory-runs.ts'
import { compound } from '../tool/compound.ts'
import type { CallOptions } from '../tool/context.ts'
import type { RequiredApprovals } from '../tool/deciders.ts'
import type { Principal } from '../tool/principal.ts'
import type { ReviewQuestion } from '../tool/review.ts'
import { tool } from '../tool/tool.ts'
import { autoReview } from './auto-review.ts'
import { createInbox } from './create-inbox.ts'

const person = (id: string): Principal => ({ id, permissions: ['finance:lead'] })
const RITA = person('rita')
const paid: string[] = []

/** Pays above 100 only if people approve in the middle of it. */
const paying = (question: Partial<ReviewQuestion>) =>
  compound({
    name: 'pay',
    description: 'Pays.',
    effect: 'write',
    parts: {},
    run: async (to, { review }) => {
      const answer = await review({ why: 'A lot of money.', ...question, onEdit: 'return' })
      paid.push(answer.action === 'edit' && 'input' in answer ? String(answer.input) : to)
      return 'paid'
    },
  })

/** A call that waits at an inbox. */
async function waiting(approvals: RequiredApprovals, options: CallOptions = {}) {
  paid.length = 0
  const inbox = createInbox()
  const arrived = new Promise<string>((resolve) => inbox.on('requested', ({ request }) => resolve(request.id)))
  const running = paying({ approvals }).call('ann', { principal: RITA, review: inbox.handler, ...options })
  return { inbox, running, id: await arrived }
}

describe('a review in code that names how many must approve', () => {
  test('goes on when so many others have approved', async () => {
    const { inbox, running, id } = await waiting({ count: 2 })
    expect((await inbox.get(id))?.request.deciders).toEqual({ count: 2, excludeRequester: true })
    await expect(inbox.approve(id, RITA)).rejects.toMatchObject({ code: 'not_permitted' })
    await expect(inbox.approve(id, 'ada')).rejects.toMatchObject({ code: 'not_permitted' })
    await inbox.approve(id, person('ada'))
    expect(paid).toEqual([])
    await inbox.approve(id, person('bob'))
    expect(await running).toMatchObject({ ok: true })
    expect(paid).toEqual(['ann'])
  })

  test('counts the approvals of an edit anew', async () => {
    const { inbox, running, id } = await waiting({ count: 2, of: ['ada', 'bob', 'cyd'] })
    await inbox.approve(id, person('ada'))
    await inbox.edit(id, { input: 'eve' }, person('bob'))
    await inbox.approve(id, person('cyd'), { edition: 1 })
    await running
    expect(paid).toEqual(['eve'])
  })

  test('asks for the permission that it names, and for that of the reviewers', async () => {
    const { inbox, running, id } = await waiting({ of: 'finance:lead' }, { reviewers: {} })
    await expect(inbox.approve(id, { id: 'ada', permissions: ['review:pay'] })).rejects.toMatchObject({ code: 'not_permitted' })
    await expect(inbox.approve(id, person('ada'))).rejects.toMatchObject({ code: 'not_permitted' })
    await inbox.approve(id, { id: 'ada', permissions: ['review:pay', 'finance:lead'] })
    expect(await running).toMatchObject({ ok: true })
  })

  test('does not take the answer of a handler that gives one', async () => {
    paid.length = 0
    const review = autoReview({ action: 'continue', by: 'ada' })
    const result = await paying({ approvals: { count: 2 } }).call('ann', { principal: RITA, review })
    expect(result).toMatchObject({ ok: false, error: { code: 'reviewer_unreachable', message: expect.stringContaining('does not count') } })
    expect(paid).toEqual([])
  })

  test.each(['write', 'read'] as const)('never goes on with nobody to ask: a tool with the effect %s', async (effect) => {
    const own = tool({
      name: 'own',
      description: 'Asks.',
      effect,
      execute: async (_input, { review }) => (await review({ why: 'Four eyes.', approvals: { count: 2 } })).action,
    })
    const alone = own.call('', { principal: RITA, unattended: 'approve' })
    await expect(alone).rejects.toMatchObject({ code: 'missing_review_handler', message: expect.not.stringContaining('unattended') })
  })

  test.each([
    [{ approvals: { count: 0 } }, 'approvals.count'],
    [{ approvals: { count: 2, of: ['ada', 'Ada'] } }, 'approvals.of'],
    [{ approvals: { count: 2 }, onTimeout: 'continue' }, 'onTimeout'],
  ] as const)('refuses the rule %o', async (question, option) => {
    const call = paying(question).call('ann', { principal: RITA, review: autoReview() })
    await expect(call).rejects.toMatchObject({ code: 'invalid_option', message: expect.stringContaining(`'${option}'`) })
  })

  test('waits for them in a durable run, over the end of a process', async () => {
    paid.length = 0
    const database = memoryRuns()
    const pay = paying({ approvals: { count: 2 } })
    const first = createRuntime({ tools: [pay], database })
    const { id } = await first.start(pay, 'ann', { principal: RITA })
    await database.idle()
    const [item] = await first.inbox.list()
    await first.inbox.approve(item?.request.id ?? '', person('ada'))
    database.crash()
    const second = createRuntime({ tools: [pay], database })
    await second.inbox.approve(item?.request.id ?? '', person('bob'))
    expect(await (await second.run(id)).result()).toMatchObject({ ok: true })
    expect(paid).toEqual(['ann'])
    await second.close()
  })
})
