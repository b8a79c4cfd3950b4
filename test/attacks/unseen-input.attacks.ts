import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { consoleReview, MASK, tool } from 'toolwright'
import { z } from 'zod'
import { describeRequest } from '../../src/review/describe-request.ts'
import { ask, textsIn } from './ask-person.ts'
import type { Attack } from './attack.ts'

const PAYLOAD = 'mallory-4711'

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = PAYLOAD
  for (let level = 0; level < depth; level++) value = wrap(value)
  return value
}

/** Nobody is asked about an input that cannot be shown. One that is nested too deeply to be copied is refused before. */
const REFUSALS: readonly unknown[] = ['input_not_showable', 'invalid_input']

/** An input that no person can see whole runs only if the person saw the payload. */
async function neverUnseen(input: unknown): Promise<void> {
  const { request, ran, code } = await ask(z.any(), input)
  if (ran.length === 0) assert.ok(REFUSALS.includes(code), String(code))
  else assert.ok(textsIn(request?.input).includes(PAYLOAD), 'it ran unseen')
}

const WRAPS: Readonly<Record<string, (inner: unknown) => unknown>> = {
  objects: (inner) => ({ a: inner }),
  lists: (inner) => [inner],
  'objects in lists': (inner) => [{ a: inner }],
  maps: (inner) => new Map([['a', inner]]),
}

const tooMuch: readonly Attack[] = [
  ...Object.entries(WRAPS).flatMap(([what, wrap]) =>
    [150, 201, 250, 1000, 3000].map((depth): Attack => {
      const isShallow = what === 'objects in lists' ? depth <= 100 : depth <= 201
      return {
        name: `a payload under ${depth} levels of ${what} is approved unseen`,
        before: isShallow ? 'held' : 'fell',
        attempt: () => neverUnseen(nested(depth, wrap)),
      }
    }),
  ),
  {
    name: 'a payload behind an object that contains itself is approved unseen',
    before: 'fell',
    attempt: async () => {
      const input: Record<string, unknown> = {}
      input['self'] = input
      const { ran, code } = await ask(z.any(), input)
      assert.deepEqual([ran.length, code], [0, 'input_not_showable'])
    },
  },
  {
    name: 'a payload behind a getter that throws for the view is approved unseen',
    before: 'held',
    attempt: async () => {
      const input = Object.defineProperty({ a: 1 }, 'b', {
        enumerable: true,
        get: () => {
          throw new Error('No.')
        },
      })
      const { ran } = await ask(z.any(), { input })
      assert.equal(ran.length, 0)
    },
  },
  {
    name: 'a payload after 100,000 objects is approved unseen',
    before: 'fell',
    attempt: () => neverUnseen([...Array.from({ length: 100_100 }, () => ({})), { a: PAYLOAD }]),
  },
]

/** The text that the console prints for an approval. */
async function consoleTextOf(input: string, why?: string): Promise<string> {
  const screen = { input: new PassThrough(), output: new PassThrough() }
  let text = ''
  screen.output.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
  const run = tool({
    name: 'run',
    description: 'Runs it.',
    inputSchema: z.string(),
    requireApproval: { why: why ?? 'Run it.' },
    execute: () => 1,
  })
  const result = run.call(input, { review: consoleReview(screen) })
  screen.input.write('n\n')
  await result
  return text
}

const tooLong: readonly Attack[] = [20_001, 30_000, 200_000].flatMap((length): readonly Attack[] => [
  {
    name: `a payload after ${length} characters of one line is not on the console`,
    before: 'fell',
    attempt: async () => assert.ok((await consoleTextOf(`${'x'.repeat(length)}${PAYLOAD}`)).includes(PAYLOAD)),
  },
  {
    name: `a payload after ${length} characters of many lines is not on the console`,
    before: 'fell',
    attempt: async () => assert.ok((await consoleTextOf(`${'x\n'.repeat(length / 2)}${PAYLOAD}`)).includes(PAYLOAD)),
  },
  {
    name: `a reason of ${length} characters is cut on the console`,
    before: 'fell',
    attempt: async () => assert.ok((await consoleTextOf('x', `${'y\n'.repeat(length / 2)}${PAYLOAD}`)).includes(PAYLOAD)),
  },
])

const KEY = 'sk-live-4711-abcdef'

/** With a secret of the provider known, the person sees all of the text but that. */
async function showsWithKey(text: string, view: string, secret = KEY): Promise<void> {
  const { request } = await ask(z.string(), text, { secret })
  assert.equal(request?.input, view)
}

const provider: readonly Attack[] = [
  {
    name: 'a secret of the provider hides the rest of its line',
    before: 'fell',
    attempt: () => showsWithKey(`curl ${KEY} ; rm -rf x`, `curl ${MASK}(19) ; rm -rf x`),
  },
  { name: 'a secret of the provider says nothing of its length', before: 'fell', attempt: () => showsWithKey(KEY, `${MASK}(19)`) },
  {
    name: 'a secret of several lines hides that there are several',
    before: 'fell',
    attempt: () => showsWithKey('a line-one\nline-two b', `a ${MASK}(8)\n${MASK}(8) b`, 'line-one\nline-two'),
  },
  {
    name: 'a secret of several words hides that there are several',
    before: 'fell',
    attempt: () => showsWithKey('say correct horse staple', `say ${MASK}(7) ${MASK}(5) ${MASK}(6)`, 'correct horse staple'),
  },
  {
    name: 'a secret that is written twice hides what is between',
    before: 'fell',
    attempt: () => showsWithKey(`${KEY} rm -rf x ${KEY}`, `${MASK}(19) rm -rf x ${MASK}(19)`),
  },
  {
    name: 'a secret of the provider is shown to the reviewer',
    before: 'held',
    attempt: async () => {
      const { request } = await ask(z.any(), { a: [KEY], [KEY]: 1, b: `x=${KEY}` }, { secret: KEY })
      assert.ok(!JSON.stringify(request).includes(KEY))
    },
  },
  {
    name: 'an edit that leaves the mask in place sends the mask to the tool',
    before: 'held',
    attempt: async () => {
      const { ran } = await ask(
        z.object({ command: z.string(), n: z.number() }),
        { command: `use ${KEY} now`, n: 1 },
        { secret: KEY, decision: { action: 'edit', patch: { n: 2 } } },
      )
      assert.deepEqual(ran, [{ command: `use ${KEY} now`, n: 2 }])
    },
  },
  {
    name: 'a full edit that leaves the counted mask in place sends the mask to the tool',
    before: 'fell',
    attempt: async () => {
      const schema = z.object({ command: z.string(), n: z.number() })
      const { ran } = await ask(
        schema,
        { command: `use ${KEY} now`, n: 1 },
        { secret: KEY, decision: { action: 'edit', input: { command: `use ${MASK}(19) now`, n: 2 } } },
      )
      assert.deepEqual(ran, [{ command: `use ${KEY} now`, n: 2 }])
    },
  },
  {
    name: 'an edit moves the secret of one field to another by its mask',
    before: 'held',
    attempt: async () => {
      const schema = z.object({ command: z.string(), note: z.string() })
      const { ran } = await ask(
        schema,
        { command: `use ${KEY}`, note: 'free' },
        { secret: KEY, decision: { action: 'edit', input: { command: 'use nothing', note: `${MASK}(19)` } } },
      )
      assert.ok(!JSON.stringify(ran).includes(KEY))
    },
  },
]

class Liar {
  readonly command: string = PAYLOAD
  toJSON(): object {
    return { command: 'ls' }
  }
}

class Dumb {
  readonly #command = PAYLOAD
  run(): string {
    return this.#command
  }
}

class NamedMap extends Map<string, string> {
  readonly command = PAYLOAD
}

const bytes = Buffer.from(PAYLOAD)
const FIRST_BYTES = /109\D+(?:1\D+)?97/

/** Values whose JSON is not what a tool gets, and the text in which a person recognises them. */
const ODD: Readonly<Record<string, readonly [make: () => unknown, shown: RegExp, before: Attack['before']]>> = {
  'an instance whose toJSON lies': [() => new Liar(), /mallory-4711/, 'fell'],
  'a plain object whose toJSON lies': [() => ({ command: PAYLOAD, toJSON: () => 'ls' }), /mallory-4711/, 'held'],
  'an instance with private fields': [() => new Dumb(), /mallory-4711/, 'fell'],
  'a map with fields': [() => new NamedMap(), /mallory-4711/, 'fell'],
  'a text object with fields': [() => Object.assign(Object('ls') as object, { command: PAYLOAD }), /mallory-4711/, 'fell'],
  'a field that is named by a symbol': [() => ({ a: 1, [Symbol('command')]: PAYLOAD }), /mallory-4711/, 'fell'],
  'a function': [() => () => PAYLOAD, /mallory-4711/, 'fell'],
  'a function in a list': [() => [() => PAYLOAD], /mallory-4711/, 'fell'],
  'a symbol': [() => Symbol(PAYLOAD), /mallory-4711/, 'fell'],
  'a pattern': [() => /mallory-4711/, /mallory-4711/, 'fell'],
  'a buffer of bytes': [() => Uint8Array.from(bytes).buffer, FIRST_BYTES, 'fell'],
  'a view of bytes': [() => new DataView(Uint8Array.from(bytes).buffer), FIRST_BYTES, 'fell'],
  'a list of bytes': [() => Uint8Array.from(bytes), FIRST_BYTES, 'held'],
  'a blob': [() => new Blob([PAYLOAD]), /mallory-4711/, 'fell'],
  'a promise': [() => [Promise.resolve(PAYLOAD)], /mallory-4711/, 'fell'],
  'a weak map': [() => new WeakMap([[{}, PAYLOAD]]), /mallory-4711/, 'fell'],
  'a number above all': [() => Number.POSITIVE_INFINITY, /"v": "Infinity"/, 'fell'],
  'a number below all': [() => Number.NEGATIVE_INFINITY, /"v": "-Infinity"/, 'fell'],
  'a number that is none': [() => Number.NaN, /"v": "NaN"/, 'fell'],
  'a zero below zero': [() => -0, /"v": "-0"/, 'fell'],
  'a number in a list': [() => [Number.POSITIVE_INFINITY], /"Infinity"/, 'fell'],
  'a date that is none': [() => new Date(Number.NaN), /"v": "Invalid Date"/, 'fell'],
}

const odd: readonly Attack[] = Object.entries(ODD).map(([what, [make, shown, before]]) => ({
  name: `${what} is approved unseen`,
  before,
  attempt: async () => {
    const { request, ran, code } = await ask(z.any(), { v: make() })
    if (ran.length === 0) assert.ok(REFUSALS.includes(code), String(code))
    else assert.match(describeRequest(request!), shown)
  },
}))

/** Schemas that lead to themselves without end: nobody can say whether they take an item, and whether it is a secret. */
const ENDLESS: Readonly<Record<string, object>> = {
  'a reference': { anyOf: [{ $ref: '#/$defs/a' }, { type: 'string', sensitive: true }] },
  'a reference behind another': { allOf: [{ $ref: '#/$defs/b' }], sensitive: true },
}

const endless: readonly Attack[] = Object.entries(ENDLESS).map(([what, a]) => ({
  name: `an item that ${what} without end could mean as a secret is approved unseen`,
  before: what === 'a reference' ? 'held' : 'fell',
  attempt: async () => {
    const list = { type: 'array', contains: { $ref: '#/$defs/a' }, minContains: 0 }
    const schema = { type: 'object', properties: { list }, $defs: { a, b: { anyOf: [{ $ref: '#/$defs/a' }, { sensitive: true }] } } }
    const { request, ran, code } = await ask(schema, { list: [{ command: PAYLOAD }, PAYLOAD] })
    if (ran.length === 0) assert.equal(code, 'input_not_showable')
    else assert.match(describeRequest(request!), /mallory-4711/)
  },
}))

export const UNSEEN_INPUT_ATTACKS: readonly Attack[] = [...tooMuch, ...tooLong, ...provider, ...odd, ...endless]
