import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type Decider, InboxError, type Principal } from 'toolwright'
import { expect, test } from 'vitest'
import { isFull } from '../fixtures/is-full.ts'
import { atInbox, atRun, type Waiting } from './desk.ts'
import { ADA, BOB, CYD, STAFF, who } from './staff.ts'

const RITA = who('rita', 'review:*', 'assign:*')

/** Everybody who might try to decide: staff, by name and as principals, the caller, strangers, and people who look like others. */
const PEOPLE: readonly (Decider | undefined)[] = [
  ...[ADA, BOB, CYD, RITA, who('lea', 'review:pay', 'lead'), who('max', 'review:money', 'lead'), who('eve'), who('dan', 'review:mail')],
  ...[
    who('ADA', 'review:pay'),
    who('Rita', 'review:pay'),
    who(' ada', 'review:pay'),
    who('a\u200bda', 'review:pay'),
    who('lead', 'review:pay'),
  ],
  ...['ada', 'bob', 'cyd', 'eve', 'rita', 'mallory', 'ada ', '', undefined],
]

/** The principal that the program knows behind a decider. */
function known(decider: Decider | undefined): Principal | undefined {
  return typeof decider === 'string' ? [ADA, BOB, CYD, who('eve'), who('dan', 'review:mail')].find(({ id }) => id === decider) : decider
}

const person = fc.nat(PEOPLE.length - 1).map((index) => PEOPLE[index])
const edition = fc.constantFrom(0, 0, 0, 1, 1, 2, -1, 0.5, NaN)
const acts = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant('approve' as const), by: person, edition }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('edit' as const), by: person, edition, to: fc.constantFrom('eve', 'dan', 'bob') }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constantFrom('reject' as const, 'stop' as const, 'expire' as const), by: person }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('assign' as const), by: person, to: fc.constantFrom('ada', 'eve', 'lea') }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('withdraw' as const) }) },
)
type Act = typeof acts extends fc.Arbitrary<infer T> ? T : never

const rules = fc.record(
  {
    count: fc.constantFrom(1, 2, 2, 3),
    of: fc.constantFrom<string | string[]>(['ada', 'bob', 'rita', 'lea'], 'lead', ['eve', 'cyd', 'ada', 'bob']),
    excludeRequester: fc.boolean(),
  },
  { requiredKeys: ['count'] },
)
type Rule = typeof rules extends fc.Arbitrary<infer T> ? T : never

function holds({ permissions }: Principal, wanted: string): boolean {
  return permissions.some((each) => each === wanted || (each.endsWith(':*') && wanted.startsWith(each.slice(0, -1))))
}

/** Letters that look alike, spaces and characters that cannot be seen do not make another person. */
function samePerson(id: string): string {
  return id
    .normalize('NFKC')
    .replaceAll(/[\s\u200b]/g, '')
    .toLowerCase()
}

/** What is promised of several approvals, written again without the code that keeps it. */
class Ledger {
  readonly #rule: Rule
  #edition = 0
  #input = 'bob'
  #voters = new Set<string>()
  assignee: string | undefined
  isOpen = true
  paid: string | undefined

  constructor(rule: Rule) {
    this.#rule = rule
  }

  mayApprove(by: Decider | undefined): boolean {
    const principal = known(by)
    if (principal === undefined || !this.mayReview(principal)) return false
    const { of, excludeRequester = true } = this.#rule
    if (excludeRequester && samePerson(principal.id) === 'rita') return false
    return of === undefined || (typeof of === 'string' ? holds(principal, of) : of.includes(principal.id))
  }

  mayReview(principal: Principal): boolean {
    if (!holds(principal, 'review:pay') && !holds(principal, 'review:money')) return false
    return this.assignee === undefined || this.assignee === principal.id || holds(principal, 'assign:pay')
  }

  /** Notes an act that was taken. */
  take(act: Act): void {
    if (act.act === 'assign') this.assignee = act.to
    if (act.act === 'reject' || act.act === 'stop' || act.act === 'expire' || act.act === 'withdraw') this.isOpen = false
    if (act.act !== 'approve' && act.act !== 'edit') return
    assert.ok(this.isOpen)
    assert.ok(this.mayApprove(act.by), JSON.stringify(act))
    const voter = samePerson(known(act.by)?.id ?? '')
    if (this.#rule.count > 1) assert.equal(act.edition, this.#edition)
    if (act.act === 'edit') {
      this.#edition++
      this.#input = act.to
      this.#voters = new Set()
    }
    assert.ok(!this.#voters.has(voter))
    this.#voters.add(voter)
    if (this.#voters.size < this.#rule.count) return
    this.isOpen = false
    this.paid = this.#input
  }
}

async function attempt({ inbox, id, withdraw }: Waiting, act: Act): Promise<boolean> {
  try {
    if (act.act === 'approve') await inbox.approve(id, act.by, { edition: act.edition })
    else if (act.act === 'edit') await inbox.edit(id, { input: act.to }, act.by, { edition: act.edition })
    else if (act.act === 'expire') await inbox.expire(id, act.by)
    else if (act.act === 'assign') await inbox.assign(id, act.to, act.by)
    else if (act.act === 'withdraw') await withdraw().catch(() => undefined)
    else await inbox[act.act](id, 'no', act.by)
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(InboxError)
    return false
  }
}

const DESKS = {
  'an inbox in memory': { open: atInbox, cases: isFull ? 5000 : 500 },
  'a durable run': { open: atRun, cases: isFull ? 1000 : 120 },
}

test.each(Object.entries(DESKS))(
  'at %s, a call runs with the input that enough people have approved, and never otherwise [H2]',
  { timeout: 120_000 },
  async (_desk, { open, cases }) => {
    let paid = 0
    await fc.assert(
      fc.asyncProperty(rules, fc.array(acts, { minLength: 1, maxLength: 9 }), async (rule, list) => {
        const desk = await open({ gate: { approvals: rule }, reviewers: STAFF, principal: RITA })
        const ledger = new Ledger(rule)
        // A stop ends the call with an error of its own.
        const ended = desk.ended.catch(() => undefined)
        try {
          for (const act of list) if (await attempt(desk, act)) ledger.take(act)
          if (ledger.isOpen) await desk.withdraw()
          await ended
          // A call that is withdrawn right after its approval may have run, or not.
          if (!list.some(({ act }) => act === 'withdraw') || desk.ran.length > 0)
            expect(desk.ran).toEqual(ledger.paid === undefined ? [] : [ledger.paid])
          if (ledger.paid !== undefined) paid++
        } finally {
          await desk.close().catch(() => undefined)
        }
      }),
      { numRuns: cases },
    )
    expect(paid).toBeGreaterThan(cases / 100)
  },
)
