import { expectTypeOf, test } from 'vitest'
import { gate } from '../combinators/gate/gate.ts'
import type { Decider, Identity, ReviewVote } from '../tool/deciders.ts'
import type { Principal } from '../tool/principal.ts'
import type { Reviewed } from '../tool/review.ts'
import { tool } from '../tool/tool.ts'
import type { Inbox } from './inbox.ts'

const pay = tool({ name: 'pay', description: 'Pays.', execute: (to) => to })

test('a decider is a name or a principal', () => {
  expectTypeOf<Decider>().toEqualTypeOf<string | Principal>()
  expectTypeOf<Parameters<Inbox['approve']>[1]>().toEqualTypeOf<Decider | undefined>()
  expectTypeOf<Reviewed['identity']>().toEqualTypeOf<Identity | undefined>()
  expectTypeOf<Reviewed['votes']>().toEqualTypeOf<readonly ReviewVote[] | undefined>()
})

test('a gate takes how many must approve, and who', () => {
  gate(pay, { approvals: { count: 2, of: ['ada', 'bob'], excludeRequester: true } })
  gate(pay, { approvals: { of: 'finance:lead' } })
  // @ts-expect-error a number is no rule
  gate(pay, { approvals: 2 })
  // @ts-expect-error people are named by their ids
  gate(pay, { approvals: { of: [{ id: 'ada' }] } })
})

test('reviewers give principals for names', () => {
  void pay.call('bob', { reviewers: { identify: ({ name }) => ({ id: name, permissions: [] }) } })
  void pay.call('bob', { reviewers: { identify: async () => undefined } })
  // @ts-expect-error a name is not a principal
  void pay.call('bob', { reviewers: { identify: ({ name }) => name } })
})
