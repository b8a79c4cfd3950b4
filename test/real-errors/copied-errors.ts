import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { freePort } from '../fixtures/free-port.ts'
import type { MisbehavingServers } from './misbehaving-servers.ts'
import { type RealError, realErrors, thrownBy } from './real-error.ts'

type Provoke = () => unknown

const isError = (error: unknown): error is Error & { readonly code?: string } => error instanceof Error

/** The ways in which an error leaves its thread, its process or its program, each with what it keeps. */
const COPIES: Readonly<Record<string, (error: unknown) => unknown>> = {
  'a clone': (error) => structuredClone(error),
  JSON: (error) => JSON.parse(JSON.stringify(plain(error))) as unknown,
  'an error made of JSON': (error) => Object.assign(new Error(), JSON.parse(JSON.stringify(plain(error)))),
  'name and message': (error) => (isError(error) ? { name: error.name, message: error.message } : error),
  'a cause': (error) => new Error('The step failed.', { cause: error }),
}

/** As libraries that send errors do it. */
function plain(error: unknown): unknown {
  if (!isError(error)) return error
  const { name, message, code, cause } = error
  return { name, message, code, cause: plain(cause) }
}

/** A text keeps neither the code nor the cause. */
const TEXTS: Readonly<Record<string, (error: unknown) => unknown>> = {
  'its text': String,
  'its text in an error': (error) => new Error(String(error)),
  'the words of another error': (error) => new Error(`Step 3 failed: ${isError(error) ? error.message : ''}`),
}

function through(copies: typeof COPIES, provoke: Provoke): readonly (readonly [string, Provoke])[] {
  return Object.entries(copies).map(([how, copy]) => [
    how,
    async () => {
      throw copy(await thrownBy(provoke))
    },
  ])
}

const refused = async (): Promise<never> => {
  const port = await freePort()
  return new Promise((_resolve, reject) => connect(port, '127.0.0.1').on('error', reject))
}

/** What a worker threw or sent. */
const fromWorker = (code: string) => () =>
  new Promise((_resolve, reject) => {
    const worker = new Worker(code, { eval: true })
    worker.on('error', reject)
    worker.on('message', reject)
  })
const SEND = "(error) => require('node:worker_threads').parentPort.postMessage(error)"

export function copiedErrors({ http }: MisbehavingServers): readonly RealError[] {
  const absent: Provoke = () => readFile('/no/such/file')
  const slow: Provoke = () => fetch(`${http}/silent`, { signal: AbortSignal.timeout(20) })
  const withdrawn: Provoke = () => fetch(`${http}/silent`, { signal: AbortSignal.abort() })
  const everywhere = { ...COPIES, ...TEXTS }
  const answered = (status: number, words: (status: number, phrase: string) => string) => async () => {
    const response = await fetch(`${http}/status/${status}`)
    throw new Error(words(response.status, response.statusText))
  }
  return [
    ...through(everywhere, refused).map(
      ([how, provoke]) => [`a refused connection as ${how}`, 'service_unavailable', 'not_started', provoke] as const,
    ),
    ...through(everywhere, absent).map(([how, provoke]) => [`a missing file as ${how}`, 'not_found', 'failed', provoke] as const),
    ...through(everywhere, slow).map(([how, provoke]) => [`a time-out as ${how}`, 'service_unavailable', 'unknown', provoke] as const),
    ...through({ ...COPIES, 'its text': String }, withdrawn).map(
      ([how, provoke]) => [`a withdrawal as ${how}`, 'cancelled', 'unknown', provoke] as const,
    ),
    ...through(COPIES, () => fetch(`${http}/reset`)).map(
      ([how, provoke]) => [`a reset connection as ${how}`, 'service_unavailable', 'unknown', provoke] as const,
    ),
    ['a file that a worker misses', 'not_found', 'failed', fromWorker("require('node:fs').readFileSync('/no/such/file')")] as const,
    [
      'an error that a worker sends',
      'not_found',
      'failed',
      fromWorker(`require('node:fs/promises').readFile('/no/such/file').catch(${SEND})`),
    ] as const,
    ['a mistake in a worker', 'tool_crashed', 'failed', fromWorker('null.x')] as const,
    ['a status in words', 'not_found', 'failed', answered(404, (status) => `HTTP error! status: ${status}`)] as const,
    ['a status in other words', 'rate_limited', 'failed', answered(429, (status) => `Request failed with status code ${status}`)] as const,
    [
      'a status that was returned',
      'service_unavailable',
      'unknown',
      answered(502, (status, phrase) => `/a returned ${status} (${phrase})`),
    ] as const,
    [
      'a status and its phrase',
      'access_denied',
      'failed',
      answered(401, (status, phrase) => `Failed to fetch: ${status} ${phrase}`),
    ] as const,
    ['a response with', 'upstream_error', 'unknown', answered(500, (status) => `Server responded with ${status}`)] as const,
    ['all mirrors gone', 'service_unavailable', 'not_started', () => Promise.any([refused(), refused()])] as const,
    ['all attempts with one mistake', 'tool_crashed', 'failed', () => Promise.any([mistake(), mistake()])] as const,
    [
      'one mirror gone, one in the middle',
      'service_unavailable',
      'unknown',
      () => Promise.any([refused(), fetch(`${http}/reset`)]),
    ] as const,
  ].flatMap((row) => realErrors('copied', [row]))
}

async function mistake(): Promise<string> {
  await Promise.resolve()
  return (JSON.parse('{}') as { a: { b: string } }).a.b
}
