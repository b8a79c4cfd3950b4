import fc from 'fast-check'
import { gate, signWebhookAnswer, tool, webhookReview } from 'toolwright'
import { fakeClock } from 'toolwright/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { isFull } from '../fixtures/is-full.ts'

const CASES = isFull ? 20_000 : 2000
const SECRET = 'a secret that both sides know'
const ORIGIN = 'https://desk.example.com'

/** Bodies of answers, and what each of them decides: the input that runs, or undefined for no approval. */
const BODIES: Readonly<Record<string, readonly [body: string, runs: unknown]>> = {
  'an approval': ['{"action":"continue","by":"ada"}', { to: 'bob' }],
  'an approval with more': ['{"action":"continue","by":"ada","identity":"authenticated","votes":[{"by":"eve"}],"x":1}', { to: 'bob' }],
  'an edit': ['{"action":"edit","input":{"to":"cyd"},"by":"ada"}', { to: 'cyd' }],
  'a patch': ['{"action":"edit","patch":{"to":"cyd"},"by":"ada"}', { to: 'cyd' }],
  'an edit that does not fit': ['{"action":"edit","input":{"to":7},"by":"ada"}', undefined],
  'an edit without an input': ['{"action":"edit","by":"ada"}', undefined],
  'a rejection': ['{"action":"reject","by":"ada"}', undefined],
  'a word': ['"continue"', undefined],
  'another case': ['{"action":"Continue","by":"ada"}', undefined],
  'an action with a space': ['{"action":"continue ","by":"ada"}', undefined],
  'an action in a list': ['{"action":["continue"],"by":"ada"}', undefined],
  'an inherited action': ['{"__proto__":{"action":"continue"},"by":"ada"}', undefined],
  'two actions, of which the last counts': ['{"action":"continue","action":"reject","by":"ada"}', undefined],
  'another word for it': ['{"approved":true,"decision":"approve","by":"ada"}', undefined],
  'an answer to a question': ['{"action":"answer","value":true,"by":"ada"}', undefined],
  'a list': ['[{"action":"continue","by":"ada"}]', undefined],
  'half of it': ['{"action":"continue","by":"ada"', undefined],
  'two of them': ['{"action":"continue"}{"action":"continue"}', undefined],
  'a comment': ['{"action":"continue"} // yes', undefined],
  'a mark before it': ['\uFEFF\uFEFF{"action":"continue"}', undefined],
  nothing: ['', undefined],
  null: ['null', undefined],
  'a long one': [`{"action":"continue","by":"ada","note":"${'x'.repeat(70_000)}"}`, undefined],
}

/** How an answer is signed, and whether that proves who has decided. */
const SIGNATURES = {
  'not at all': () => ({}),
  rightly: (id, body, now) => signWebhookAnswer({ id, body, secret: SECRET, now: () => now }),
  'for another request': (_id, body, now) => signWebhookAnswer({ id: 'another', body, secret: SECRET, now: () => now }),
  'for another body': (id, _body, now) => signWebhookAnswer({ id, body: '{"action":"reject"}', secret: SECRET, now: () => now }),
  'with another secret': (id, body, now) => signWebhookAnswer({ id, body, secret: `${SECRET}!`, now: () => now }),
  'an hour ago': (id, body, now) => signWebhookAnswer({ id, body, secret: SECRET, now: () => now - 3_600_000 }),
  'in an hour': (id, body, now) => signWebhookAnswer({ id, body, secret: SECRET, now: () => now + 3_600_000 }),
  'with the signature of the request': (_id, _body, _now, sent) => sent,
} satisfies Record<string, (id: string, body: string, now: number, sent: Record<string, string>) => Record<string, string>>

const PLACES = {
  none: undefined,
  here: '/later',
  'another origin': 'https://evil.example.com/later',
  nonsense: 'http://[',
  script: 'data:,{}',
} as const

/** Enough of them that conversations end well, too. */
const APPROVING = Object.keys(BODIES).filter((body) => BODIES[body]?.[1] !== undefined)

const reply = fc.record({
  status: fc.constantFrom(200, 200, 200, 200, 202, 202, 201, 204, 206, 301, 302, 307, 400, 401, 404, 429, 500, 503),
  body: fc.constantFrom(...Object.keys(BODIES), ...APPROVING, ...APPROVING),
  signed: fc.constantFrom(...(Object.keys(SIGNATURES) as (keyof typeof SIGNATURES)[]), 'rightly', 'rightly'),
  place: fc.constantFrom(...(Object.keys(PLACES) as (keyof typeof PLACES)[])),
  fails: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
})
type Answer = typeof reply extends fc.Arbitrary<infer T> ? T : never

/** What must run after these answers, written without the code that reads them. */
function expected(
  answers: readonly Answer[],
  { retries, needsProof }: { readonly retries: number; readonly needsProof: boolean },
): unknown {
  let failed = 0
  let hasPlace = false
  for (const { status, body, signed, place, fails } of answers) {
    if (fails || status >= 500 || status === 429) {
      if (failed++ >= retries) return undefined
      continue
    }
    failed = 0
    if (status === 202) {
      if (place !== 'none' && place !== 'here') return undefined
      hasPlace ||= place === 'here'
      if (!hasPlace) return undefined
      continue
    }
    if (status !== 200 || (needsProof && signed !== 'rightly')) return undefined
    return BODIES[body]?.[1]
  }
  return undefined
}

test(`a webhook runs what its last answer approves, and nothing else, in ${CASES} conversations [H2]`, { timeout: 180_000 }, async () => {
  let paid = 0
  // Loaded before the first call: a clock that a test moves does not wait for it.
  await import('../../src/review/ask-webhook.ts')
  await fc.assert(
    fc.asyncProperty(fc.array(reply, { minLength: 1, maxLength: 4 }), fc.nat(2), fc.boolean(), async (answers, retries, needsProof) => {
      const ran: unknown[] = []
      const origins: string[] = []
      const pay = tool({
        name: 'pay',
        description: 'Pays.',
        inputSchema: z.object({ to: z.string() }),
        execute: (given) => `${ran.push(given)}`,
      })
      const gated = gate(pay, needsProof ? { approvals: { count: 1, of: ['ada'] } } : {})
      const clock = fakeClock()
      const left = [...answers]
      const fetch: typeof globalThis.fetch = async (url, init) => {
        origins.push(new URL(String(url)).origin)
        const sent = init?.headers as Record<string, string>
        const { status, body, signed, place, fails } = left.shift() ?? {
          status: 404,
          body: 'nothing',
          signed: 'not at all',
          place: 'none',
          fails: false,
        }
        if (fails) throw new TypeError('fetch failed')
        const [text = ''] = BODIES[body] ?? []
        const location = PLACES[place]
        const headers = {
          ...SIGNATURES[signed](sent['toolwright-id'] ?? '', text, clock.now(), sent),
          ...(location === undefined ? {} : { location }),
        }
        return Promise.resolve(new Response([204, 301, 302, 307].includes(status) ? null : text, { status, headers }))
      }
      const review = webhookReview({ url: `${ORIGIN}/reviews`, secret: SECRET, retries, fetch })
      const staff = {
        identify: ({ name, identity }: { name: string; identity: string }) =>
          identity === 'authenticated' ? { id: name, permissions: ['review:pay'] } : undefined,
      }
      const calling = { review, clock, principal: { id: 'rita', permissions: [] }, ...(needsProof ? { reviewers: staff } : {}) }
      await clock.until(gated.call({ to: 'bob' }, calling))
      const runs = expected(answers, { retries, needsProof })
      expect(ran).toEqual(runs === undefined ? [] : [runs])
      expect(new Set(origins)).toEqual(new Set([ORIGIN]))
      if (runs !== undefined) paid++
    }),
    { numRuns: CASES },
  )
  expect(paid).toBeGreaterThan(CASES / 50)
})
