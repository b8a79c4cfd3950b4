import { connect } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AttackedEndpoint, attackedEndpoint, ORDER, SECRET } from '../../../../test/fixtures/mcp/attacked-endpoint.ts'
import { type Attack, attacks } from '../../../../test/fixtures/mcp/attacks.ts'
import { isFull } from '../../../../test/fixtures/is-full.ts'
import { rawPost, statelessRequest } from '../../../../test/fixtures/mcp/over-http.ts'

const SEED = 20_261_116
const ATTACKS = isFull ? 10_000 : 600
const AT_ONCE = 16
/** Paths of files, frames of a stack, names of our parts. */
const INTERNAL = /\bat .*\.[cm]?[jt]s:\d+|node_modules|file:\/\/|\/src\/|ECONN|TypeError|RangeError/

interface Seen {
  readonly status: number
  readonly text: string
}

/** A stream that only waits for news is not read. */
async function attacked(url: string, { method, headers, body }: Attack): Promise<Seen> {
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) })
  const isWaiting = method === 'GET' || String(body).includes('subscriptions/listen')
  if (isWaiting && response.headers.get('content-type')?.includes('event-stream') === true) {
    await response.body?.cancel()
    return { status: response.status, text: '' }
  }
  return { status: response.status, text: await response.text() }
}

function judge({ isKnown }: Attack, { status, text }: Seen): string | undefined {
  if (status >= 500) return `answered ${status}`
  if (!isKnown && status < 400) return `answered ${status} without a good token`
  if (INTERNAL.test(text)) return 'told internals'
  if (text.includes(SECRET)) return 'told a secret'
  return undefined
}

async function checkAda({ url, token, ledger, loot, runtime }: AttackedEndpoint): Promise<void> {
  expect(ledger.filter((each) => each !== 'mallory shout')).toEqual([])
  expect(await runtime.inbox.list({ run: loot.run })).toHaveLength(1)
  const headers = { authorization: `Bearer ${await token({ scope: 'tools orders:pay' })}` }
  const list = JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/list' })
  expect((await rawPost(url, list, { ...headers, 'mcp-session-id': loot.session })).status).toBe(200)
  const answer = (name: string, requestState: string, key: string) =>
    statelessRequest(
      url,
      'tools/call',
      {
        name,
        arguments: { input: ORDER },
        requestState,
        inputResponses: { [key]: { action: 'accept', content: { decision: 'approve' } } },
      },
      headers,
    )
  expect((await answer('asks', loot.callState, loot.callKey)).text).toContain(`${ORDER} ${SECRET}`)
  expect((await answer('refund', loot.runState, loot.runKey)).text).toContain(`${ORDER} ${SECRET}`)
  expect(ledger.filter((each) => each !== 'mallory shout')).toEqual(['ada asks', 'ada step'])
}

test(
  `${ATTACKS} hostile requests: nothing crashes, tells internals, or runs without authorization [T10] [X6]`,
  { timeout: isFull ? 300_000 : 60_000 },
  async () => {
    const endpoint = await attackedEndpoint()
    const { url, loot, badTokens, token, problems } = endpoint
    const mallory = await token({ sub: 'mallory' })
    const sample = fc.sample(attacks({ loot, badTokens, mallory }), { numRuns: ATTACKS, seed: SEED })
    const found: unknown[] = []
    const statuses = new Map<number, number>()
    const work = async (): Promise<void> => {
      for (let attack = sample.pop(); attack !== undefined; attack = sample.pop()) {
        const seen = await attacked(url, attack)
        statuses.set(seen.status, (statuses.get(seen.status) ?? 0) + 1)
        const problem = judge(attack, seen)
        if (problem !== undefined) found.push({ problem, ...seen, attack })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    expect(found).toEqual([])
    expect(problems).toEqual([])
    // The attacks reach every wall, and some of them are answered as they should be.
    for (const status of [200, 400, 401, 403, 404, 405, 413]) expect(statuses.get(status) ?? 0).toBeGreaterThan(0)
    await checkAda(endpoint)
  },
)

test('a state of another caller is answered as one that never was [T10] [X6]', async () => {
  const { url, token, loot } = await attackedEndpoint()
  const headers = { authorization: `Bearer ${await token({ sub: 'mallory', scope: 'tools orders:pay' })}` }
  const unknown = `run.${Buffer.from(JSON.stringify({ run: crypto.randomUUID() })).toString('base64url')}`
  const answerTo = async (name: string, requestState: string) => {
    const inputResponses = { [loot.callKey]: { action: 'accept', content: { decision: 'approve' } } }
    const { status, message } = await statelessRequest(
      url,
      'tools/call',
      { name, arguments: { input: ORDER }, requestState, inputResponses },
      headers,
    )
    return { status, message }
  }
  const never = await answerTo('refund', unknown)
  expect(never.message?.error?.message).toBe('Invalid or expired requestState')
  expect(await answerTo('refund', loot.runState)).toEqual(never)
  expect(await answerTo('asks', loot.callState)).toEqual(await answerTo('asks', `${loot.callState.slice(0, -4)}AAAA`))
  expect(await answerTo('asks', loot.callState)).toEqual(never)
})

test('bodies that never end are given up, and others are served meanwhile [X6]', async () => {
  const { url, token } = await attackedEndpoint()
  const { host, port, hostname } = new URL(url)
  const headers = { authorization: `Bearer ${await token({ sub: 'mallory' })}` }
  const head = `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${headers.authorization}\r\nContent-Type: application/json\r\n`
  const ends = Array.from({ length: 20 }, (_each, index) => {
    const socket = connect(Number(port), hostname)
    socket.write(index % 2 === 0 ? `${head}Content-Length: 5000\r\n\r\n{` : `${head}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`)
    return new Promise<string>((resolve) => {
      let text = ''
      socket.on('data', (chunk) => (text += String(chunk))).on('error', () => {})
      socket.on('close', () => resolve(text))
    })
  })
  expect((await statelessRequest(url, 'tools/list', {}, headers)).status).toBe(200)
  for (const end of ends) expect(await end).toMatch(/^HTTP\/1.1 408 /)
})
