import type { Decider, GateOptions, Inbox } from 'toolwright'
import { expect } from 'vitest'
import type { Attack } from './attack.ts'
import { atInbox, atRun, type Asking, type Waiting } from './desk.ts'
import { ADA, BOB, CYD, STAFF, who } from './staff.ts'

type Verb = (inbox: Inbox, id: string, by: Decider | undefined) => Promise<void>

const APPROVE: Verb = (inbox, id, by) => inbox.approve(id, by)
const VERBS: Readonly<Record<string, Verb>> = {
  approves: APPROVE,
  edits: (inbox, id, by) => inbox.edit(id, { input: 'mallory' }, by),
  rejects: (inbox, id, by) => inbox.reject(id, 'no', by),
  stops: (inbox, id, by) => inbox.stop(id, 'no', by),
  'lets expire what then is approved': (inbox, id, by) => inbox.expire(id, by),
}

const DESKS: Readonly<Record<string, (asking: Asking) => Promise<Waiting>>> = { 'at an inbox': atInbox, 'in a durable run': atRun }

/** Rows at both desks. The attempt must leave the request open and the tool at rest, unless it says otherwise itself. */
function rows(name: string, before: Attack['before'], asking: Asking, attempt: (desk: Waiting) => Promise<void>): readonly Attack[] {
  return Object.entries(DESKS).map(([place, open]) => ({
    name: `${name}, ${place}`,
    before,
    attempt: async () => {
      const desk = await open(asking)
      try {
        await attempt(desk)
      } finally {
        await desk.close()
      }
    },
  }))
}

async function refused(attempt: Promise<void>, code: string): Promise<void> {
  await expect(attempt).rejects.toMatchObject({ name: 'InboxError', code })
}

async function staysOpen({ item, ran }: Waiting): Promise<void> {
  expect((await item())?.status).toBe('open')
  expect(ran).toEqual([])
}

const CONTINUES: GateOptions<string> = { onTimeout: 'continue', timeout: '1h' }

const STRANGERS: Readonly<Record<string, Decider | undefined>> = {
  'nobody in particular': undefined,
  'a name that the program does not know': 'mallory',
  'the empty name': '',
  'the name of somebody without permissions': 'eve',
  'the name of somebody with a permission for another tool': 'dan',
  'a known name in another spelling': 'ADA',
  'a known name with a space': 'ada ',
  'a principal without permissions': who('eve'),
  'a principal with a permission for another tool': who('dan', 'review:mail'),
  'a principal with a permission that begins alike': who('dan', 'review:pa'),
  'a principal with a permission that is longer': who('dan', 'review:pay:all'),
  'a principal with a permission in capitals': who('dan', 'REVIEW:PAY'),
  'a principal with a permission to call the tool': who('dan', 'pay', 'pay:*'),
  'a principal who may assign': who('dan', 'assign:pay', 'assign:*'),
  'a principal whose permissions are a text': { id: 'dan', permissions: 'review:*' as never },
  'a principal without an id': { permissions: ['review:*'] } as never,
  'a principal with an empty id': who(' ', 'review:*'),
}

const permissionRows: readonly Attack[] = [
  ...Object.entries(STRANGERS).flatMap(([name, by]) =>
    rows(`${name} approves`, 'fell', { reviewers: STAFF }, async (desk) => {
      await refused(desk.inbox.approve(desk.id, by), 'not_permitted')
      await staysOpen(desk)
    }),
  ),
  ...Object.entries(VERBS).flatMap(([verb, decide]) =>
    rows(`somebody without the permission ${verb}`, 'fell', { reviewers: STAFF, gate: CONTINUES }, async (desk) => {
      await refused(decide(desk.inbox, desk.id, 'eve'), 'not_permitted')
      await staysOpen(desk)
    }),
  ),
  ...rows('a program that cannot identify anybody is given a name', 'fell', { reviewers: {} }, async (desk) => {
    await refused(desk.inbox.approve(desk.id, 'ada'), 'not_permitted')
    await staysOpen(desk)
  }),
  ...rows('the look-up of a name fails', 'fell', { reviewers: { identify: () => Promise.reject(new Error('down')) } }, async (desk) => {
    await refused(desk.inbox.approve(desk.id, 'ada'), 'not_permitted')
    await staysOpen(desk)
  }),
  ...rows('the look-up of a name gives no principal', 'fell', { reviewers: { identify: () => ({}) as never } }, async (desk) => {
    await refused(desk.inbox.approve(desk.id, 'ada'), 'not_permitted')
    await staysOpen(desk)
  }),
  ...rows('a name is claimed where nobody is authenticated, and recorded as if it were', 'fell', {}, async (desk) => {
    await desk.inbox.approve(desk.id, 'ada')
    expect((await desk.item())?.decision).toMatchObject({ by: 'ada', identity: 'claimed' })
    await desk.ended
  }),
  ...rows(
    'an authenticated decider is recorded under the name that was claimed',
    'fell',
    { reviewers: { identify: () => ADA } },
    async (desk) => {
      await desk.inbox.approve(desk.id, 'the boss')
      expect((await desk.item())?.decision).toMatchObject({ by: 'ada', identity: 'authenticated' })
      await desk.ended
    },
  ),
]

const assignmentRows: readonly Attack[] = [
  ...rows('somebody assigns who may only review', 'fell', { reviewers: STAFF }, async (desk) => {
    await refused(desk.inbox.assign(desk.id, 'bob', BOB), 'not_permitted')
    expect((await desk.item())?.assignee).toBeUndefined()
  }),
  ...rows('nobody in particular assigns', 'fell', { reviewers: STAFF }, async (desk) => {
    await refused(desk.inbox.assign(desk.id, 'eve'), 'not_permitted')
    expect((await desk.item())?.assignee).toBeUndefined()
  }),
  ...rows('an assignee without the permission approves', 'fell', { reviewers: STAFF }, async (desk) => {
    await desk.inbox.assign(desk.id, 'eve', who('lea', 'assign:pay'))
    await refused(desk.inbox.approve(desk.id, 'eve'), 'not_permitted')
    await staysOpen(desk)
  }),
  ...rows('somebody else than the assignee approves', 'fell', { reviewers: STAFF }, async (desk) => {
    await desk.inbox.assign(desk.id, 'ada', who('lea', 'assign:money'))
    await refused(desk.inbox.approve(desk.id, BOB), 'not_permitted')
    await staysOpen(desk)
  }),
  ...rows('somebody in the spelling of the assignee approves', 'fell', { reviewers: STAFF }, async (desk) => {
    await desk.inbox.assign(desk.id, 'ada', who('lea', 'assign:*'))
    await refused(desk.inbox.approve(desk.id, who('Ada', 'review:pay')), 'not_permitted')
    await staysOpen(desk)
  }),
  ...rows('the other one takes the assignment away first', 'fell', { reviewers: STAFF }, async (desk) => {
    await desk.inbox.assign(desk.id, 'ada', who('lea', 'assign:*'))
    await refused(desk.inbox.assign(desk.id, undefined, BOB), 'not_permitted')
    await refused(desk.inbox.approve(desk.id, BOB), 'not_permitted')
    await staysOpen(desk)
  }),
]

const TWO: Asking = { gate: { approvals: { count: 2 } } }

/** One approval was given, and counts; the second attempt must not. */
const second = (name: string, asking: Asking, by: Decider | undefined, code: string): readonly Attack[] =>
  rows(`${name} is the second of two`, 'fell', asking, async (desk) => {
    await desk.inbox.approve(desk.id, ADA)
    await refused(desk.inbox.approve(desk.id, by), code)
    await staysOpen(desk)
    expect((await desk.item())?.ballot?.votes).toHaveLength(1)
  })

/** Characters that a person does not see in a name. */
const UNSEEN: Readonly<Record<string, string>> = {
  'a variation selector': '\uFE0F',
  'a variation selector of the supplement': '\u{E0100}',
  'a variation selector of Mongolian': '\u180B',
  'a grapheme joiner': '\u034F',
  'a filler of Hangul': '\u3164',
  'a first filler of Hangul': '\u115F',
  'a blank of Braille': '\u2800',
  'an inherent vowel of Khmer': '\u17B4',
  'an empty notehead': '\u{1D159}',
  'a character for private use': '\uE000',
  'a NUL': '\0',
  'a bell': '\u0007',
  'a delete': '\u007F',
  'a next line': '\u0085',
  'half of a surrogate pair': '\uD800',
}

const fourEyesRows: readonly Attack[] = [
  ...rows('one of two approves', 'fell', TWO, async (desk) => {
    await desk.inbox.approve(desk.id, ADA)
    await staysOpen(desk)
    await desk.inbox.approve(desk.id, BOB)
    await desk.ended
    expect(desk.ran).toEqual(['bob'])
    expect((await desk.item())?.decision?.votes?.map(({ by, identity }) => `${by} ${identity}`)).toEqual([
      'ada authenticated',
      'bob authenticated',
    ])
  }),
  ...second('the same person', TWO, ADA, 'already_voted'),
  ...second('the same person in capitals', TWO, who('ADA'), 'already_voted'),
  ...second('the same person with spaces', TWO, who(' a d a '), 'already_voted'),
  ...second('the same person with an invisible character', TWO, who('a\u200Bda'), 'already_voted'),
  ...Object.entries(UNSEEN).flatMap(([what, unseen]) => second(`the same person with ${what}`, TWO, who(`a${unseen}da`), 'already_voted')),
  ...rows('the same person with an accent behind a joiner is the second of two', 'fell', TWO, async (desk) => {
    await desk.inbox.approve(desk.id, who('ad\u00E9'))
    await refused(desk.inbox.approve(desk.id, who('ade\u034F\u0301')), 'already_voted')
    await staysOpen(desk)
  }),
  ...second('the same person in full-width letters', TWO, who('ａｄａ'), 'already_voted'),
  ...second('the requester', TWO, who('rita', 'review:*'), 'not_permitted'),
  ...second('the requester in another spelling', TWO, who('Rita'), 'not_permitted'),
  ...second('a name that somebody claims', TWO, 'bob', 'not_permitted'),
  ...second('nobody in particular', TWO, undefined, 'not_permitted'),
  ...second('somebody without the permission', { ...TWO, reviewers: STAFF }, 'eve', 'not_permitted'),
  ...second('somebody who is not on the list', { gate: { approvals: { count: 2, of: ['ada', 'bob'] } } }, CYD, 'not_permitted'),
  ...second('somebody who is almost on the list', { gate: { approvals: { count: 2, of: ['ada', 'bob'] } } }, who('Bob'), 'not_permitted'),
  ...rows('somebody without the permission of the list', 'fell', { gate: { approvals: { of: 'finance:lead' } } }, async (desk) => {
    await refused(desk.inbox.approve(desk.id, who('bob', 'finance:clerk')), 'not_permitted')
    await staysOpen(desk)
  }),
  ...rows('the requester edits their own call', 'fell', { gate: { approvals: {} } }, async (desk) => {
    await refused(desk.inbox.edit(desk.id, { input: 'mallory' }, who('rita')), 'not_permitted')
    await staysOpen(desk)
  }),
  ...rows('an approval of the original counts for an edit', 'fell', TWO, async (desk) => {
    await desk.inbox.approve(desk.id, ADA)
    await desk.inbox.edit(desk.id, { input: 'mallory' }, BOB)
    await staysOpen(desk)
  }),
  ...rows('somebody approves after an edit and has not seen it', 'fell', TWO, async (desk) => {
    await desk.inbox.edit(desk.id, { input: 'mallory' }, BOB)
    await refused(desk.inbox.approve(desk.id, ADA), 'edited')
    await staysOpen(desk)
  }),
  ...rows('somebody approves an edition that does not exist yet', 'fell', TWO, async (desk) => {
    await refused(desk.inbox.approve(desk.id, ADA, { edition: 1 }), 'edited')
    await desk.inbox.edit(desk.id, { input: 'mallory' }, BOB)
    await staysOpen(desk)
  }),
  ...rows('the editor approves the edit too', 'fell', TWO, async (desk) => {
    await desk.inbox.edit(desk.id, { input: 'mallory' }, BOB)
    await refused(desk.inbox.approve(desk.id, BOB, { edition: 1 }), 'already_voted')
    await staysOpen(desk)
  }),
  ...rows('an edit that all approve runs with another input', 'fell', TWO, async (desk) => {
    await desk.inbox.approve(desk.id, CYD)
    await desk.inbox.edit(desk.id, { input: 'carol' }, BOB)
    await desk.inbox.approve(desk.id, ADA, { edition: 1 })
    await desk.ended
    expect(desk.ran).toEqual(['carol'])
  }),
  ...rows('a vote comes after a rejection', 'fell', TWO, async (desk) => {
    await desk.inbox.approve(desk.id, ADA)
    await desk.inbox.reject(desk.id, 'no', BOB)
    await refused(desk.inbox.approve(desk.id, CYD), 'already_decided')
    await desk.ended
    expect(desk.ran).toEqual([])
  }),
  ...rows('a vote comes after a withdrawal', 'fell', TWO, async (desk) => {
    await desk.inbox.approve(desk.id, ADA)
    await desk.withdraw()
    await refused(desk.inbox.approve(desk.id, BOB), 'withdrawn')
    expect(desk.ran).toEqual([])
  }),
  ...rows('two approve at the same moment, as the same person', 'fell', TWO, async (desk) => {
    await Promise.allSettled([desk.inbox.approve(desk.id, ADA), desk.inbox.approve(desk.id, who('Ada'))])
    await staysOpen(desk)
  }),
  ...rows('many approve at the same moment, and no vote is lost', 'fell', { gate: { approvals: { count: 5 } } }, async (desk) => {
    await Promise.all(['a', 'b', 'c', 'd'].map((id) => desk.inbox.approve(desk.id, who(id))))
    expect((await desk.item())?.ballot?.votes).toHaveLength(4)
    await staysOpen(desk)
  }),
]

/** Who may decide a request. */
export const DECIDER_ATTACKS: readonly Attack[] = [...permissionRows, ...assignmentRows, ...fourEyesRows]
