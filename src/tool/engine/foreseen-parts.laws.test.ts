import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { isFull } from '../../../test/fixtures/is-full.ts'
import { branch } from '../../combinators/branch/branch.ts'
import { when } from '../../combinators/branch/route.ts'
import { fallback } from '../../combinators/fallback/fallback.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { map } from '../../combinators/map/map.ts'
import { parallel } from '../../combinators/parallel/parallel.ts'
import { pipe } from '../../combinators/pipe/pipe.ts'
import { retry } from '../../combinators/retry/retry.ts'
import { createRuntime } from '../../runtime/create-runtime.ts'
import { memoryRuns } from '../../testing/memory-runs.ts'
import type { AgentTool } from '../agent-tool.ts'
import { memoryJournal } from '../journal/journal.ts'
import type { ReviewRequest } from '../review.ts'
import { tool } from '../tool.ts'

const CASES = isFull ? 10_000 : 300
const DURABLE_CASES = isFull ? 1000 : 40

// Every case has schemas of its own: compiling them would take most of the time.
z.config({ jitless: true })

type AnyTool = AgentTool<unknown, unknown>

let made = 0

/** What schemas make of a field. Only the last two make another thing of it than a person can be shown. */
const FIELDS: Readonly<Record<string, () => z.ZodType>> = {
  'as it is': () => z.unknown().optional(),
  'a default': () =>
    z
      .unknown()
      .optional()
      .transform((value) => value ?? 'everybody'),
  'a coerced number': () => z.coerce.number().catch(-1),
  'a coerced boolean': () => z.coerce.boolean(),
  'a trimmed text': () => z.string().trim().catch('nobody'),
  'another default each time': () =>
    z
      .string()
      .default(() => `made ${made++}`)
      .catch('x'),
  'a date': () =>
    z
      .unknown()
      .optional()
      .refine((value) => !(value instanceof Date))
      .transform((value) => new Date(Number(value) || 0)),
  'a text that grows': () =>
    z
      .unknown()
      .optional()
      .transform((value) => `${JSON.stringify(value)}!`),
}
const HIDDEN: ReadonlySet<string> = new Set(['a date', 'a text that grows'])

type Fields = Readonly<Record<string, string>>

/** A composition as data. */
type Shape =
  | { readonly kind: 'leaf'; readonly fields: Fields; readonly fails: boolean }
  | { readonly kind: 'map' | 'retry' | 'pipe' | 'gate'; readonly inner: Shape }
  | { readonly kind: 'parallel' | 'fallback' | 'branch'; readonly inners: readonly Shape[] }

const fields = fc.dictionary(fc.constantFrom('to', 'n', 'at'), fc.constantFrom(...Object.keys(FIELDS)), { minKeys: 1, maxKeys: 3 })
const { shape: shapes } = fc.letrec<{ readonly shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
    fc.record({ kind: fc.constant('leaf' as const), fields, fails: fc.boolean() }),
    fc.record({ kind: fc.constantFrom('map', 'retry', 'pipe', 'gate'), inner: tie('shape') }),
    fc.record({ kind: fc.constantFrom('parallel', 'fallback', 'branch'), inners: fc.array(tie('shape'), { minLength: 2, maxLength: 3 }) }),
  ),
}))
const values = fc.constantFrom<unknown>('  bob ', '0x10', 7, true, 'false', '', null)
const records = fc.dictionary(fc.constantFrom('to', 'n', 'at', 'note'), values, { maxKeys: 4 })

/** Lists as deep as the maps around the leaves. */
function inputFor(shape: Shape): fc.Arbitrary<unknown> {
  if (shape.kind === 'leaf') return records
  if (shape.kind === 'map') return fc.array(inputFor(shape.inner), { minLength: 1, maxLength: 2 })
  return inputFor('inner' in shape ? shape.inner : (shape.inners[0] as Shape))
}

interface Ran {
  /** What the last person before it was shown for it. */
  readonly shown: unknown
  readonly schema: z.ZodType
  readonly fields: Fields
  readonly path: string
  readonly input: unknown
}

class World {
  readonly ran: Ran[] = []
  readonly requests: ReviewRequest[] = []
  #names = 0

  build(shape: Shape): AnyTool {
    const name = `t${this.#names++}`
    const described = { name, description: 'd' }
    switch (shape.kind) {
      case 'leaf': {
        const schema = z.object(
          Object.fromEntries(Object.entries(shape.fields).map(([key, field]) => [key, (FIELDS[field] as () => z.ZodType)()])),
        )
        const execute = (input: unknown, { path }: { readonly path: string }): string => {
          this.ran.push({
            shown: shownFor(this.requests, path.replaceAll(/@\d+/g, '')),
            schema,
            fields: shape.fields,
            path,
            input: structuredClone(input),
          })
          if (shape.fails) throw new Error('It is down.')
          return 'done'
        }
        return tool({ ...described, inputSchema: schema, effect: 'read', execute }) as AnyTool
      }
      case 'map':
        return map(this.build(shape.inner), { name, onFailure: 'collect' }) as AnyTool
      case 'retry':
        return retry(this.build(shape.inner), { attempts: 2, base: 0, max: 0, retryIf: () => true } as never) as unknown as AnyTool
      case 'gate':
        return gate(this.build(shape.inner))
      case 'pipe':
        return pipe(
          this.build(shape.inner),
          tool({ name: `${name}_end`, description: 'd', effect: 'read', inputSchema: z.unknown(), execute: () => 'end' }) as never,
        ) as unknown as AnyTool
      case 'parallel':
        return parallel(Object.fromEntries(shape.inners.map((each, at) => [`b${at}`, this.build(each)])) as never, {
          name,
        }) as unknown as AnyTool
      case 'fallback':
        return fallback(described as never, shape.inners.map((each) => this.build(each)) as never) as unknown as AnyTool
      case 'branch': {
        const routes = shape.inners.map((each) => this.build(each))
        return branch(
          described as never,
          routes.map((each, at) => when(() => at === routes.length - 1, each as never)) as never,
        ) as unknown as AnyTool
      }
    }
  }
}

/** What the last person who was asked about this call was shown for it. */
function shownFor(requests: readonly ReviewRequest[], path: string): unknown {
  const request = requests.findLast((each) => `${path}/`.startsWith(`${placeOf(each)}/`)) as ReviewRequest
  const labels = path
    .slice(placeOf(request).length)
    .split('/')
    .filter((label) => label !== '')
  let place = placeOf(request)
  let value: unknown = request.input
  for (const label of labels) {
    place = `${place}/${label}`
    const part = request.parts?.find((each) => each.path.replaceAll(/@\d+/g, '') === place)
    if (Array.isArray(value) && /^\d+$/.test(label)) value = value[Number(label)]
    if (part !== undefined) value = part.input
  }
  return value
}

function placeOf({ path }: ReviewRequest): string {
  return path.replace(/:approval(?:#\d+)?$/, '').replaceAll(/@\d+/g, '')
}

/** All of it that a person can be shown is what was shown; of the rest they were shown what it is made of. */
function expectShown({ shown, input, schema, fields: own }: Ran): void {
  const plain = (value: unknown): unknown =>
    Object.fromEntries(Object.entries(value as object).filter(([key]) => !HIDDEN.has(own[key] ?? '')))
  expect(plain(shown)).toEqual(plain(input))
  expect(schema.parse(shown)).toEqual(input)
}

const cases = shapes.chain((shape) => fc.record({ shape: fc.constant(shape), input: inputFor(shape) }))

test(
  `whatever is behind a gate gets what the last person was shown for it, in ${CASES} compositions [H2]`,
  { timeout: isFull ? 180_000 : 30_000 },
  async () => {
    let compared = 0
    let differed = 0
    await fc.assert(
      fc.asyncProperty(cases, fc.boolean(), async ({ shape, input }, isRecorded) => {
        const world = new World()
        const review = (request: ReviewRequest): { action: 'continue' } => (world.requests.push(request), { action: 'continue' })
        await gate(world.build(shape)).call(input, { review: { review }, ...(isRecorded ? { journal: memoryJournal() } : {}) })
        for (const ran of world.ran) expectShown(ran)
        compared += world.ran.length
        differed += world.requests.filter(({ parts }) => parts !== undefined).length
      }),
      { numRuns: CASES },
    )
    expect(compared).toBeGreaterThan(CASES)
    expect(differed).toBeGreaterThan(CASES / 20)
  },
)

/** What a person wrote for a call: maps give each item of it to a call, all else gives all of it. */
function writtenFor(edited: unknown, path: string): unknown {
  let value = edited
  for (const label of path.replaceAll(/@\d+/g, '').split('/')) if (Array.isArray(value) && /^\d+$/.test(label)) value = value[Number(label)]
  return value
}

const edits = shapes.chain((shape) =>
  fc.record({ shape: fc.constant(shape), input: inputFor(shape), edited: fc.array(inputFor(shape), { minLength: 1, maxLength: 2 }) }),
)

test(
  `after an edit, whatever is behind a gate gets what a person wrote or was shown, in ${CASES} compositions [H2]`,
  { timeout: isFull ? 180_000 : 30_000 },
  async () => {
    let compared = 0
    let askedAgain = 0
    await fc.assert(
      fc.asyncProperty(edits, fc.boolean(), async ({ shape, input, edited }, isRecorded) => {
        const world = new World()
        const left = [...edited]
        let written: unknown
        const review = (request: ReviewRequest): object => {
          world.requests.push(request)
          if (!request.path.startsWith(`${whole.name}:approval`)) return { action: 'continue' }
          if (left.length === 0) return { action: 'continue' }
          written = left.shift()
          return { action: 'edit', input: written }
        }
        const whole = gate(world.build(shape))
        await whole.call(input, { review: { review: review as never }, ...(isRecorded ? { journal: memoryJournal() } : {}) })
        askedAgain += world.requests.filter(({ path }) => path.includes('#')).length
        for (const { input: ran, shown, path, fields: own } of world.ran)
          for (const [key, value] of Object.entries(ran as object).filter(([each]) => !HIDDEN.has(own[each] ?? '')))
            expect([fieldOf(shown, key), fieldOf(writtenFor(written, path), key)]).toContainEqual(value)
        compared += world.ran.length
      }),
      { numRuns: CASES },
    )
    expect(compared).toBeGreaterThan(CASES / 2)
    expect(askedAgain).toBeGreaterThan(CASES / 20)
  },
)

function fieldOf(value: unknown, key: string): unknown {
  return (value as Readonly<Record<string, unknown>> | undefined)?.[key]
}

test(
  `a kept request shows it too, and another process goes on with it, in ${DURABLE_CASES} compositions [H2]`,
  { timeout: isFull ? 180_000 : 30_000 },
  async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(cases, async ({ shape, input }) => {
        const runs = memoryRuns()
        const process = (): { readonly world: World; readonly whole: AnyTool } => {
          const world = new World()
          return { world, whole: gate(world.build(shape)) }
        }
        const first = process()
        // A call that is refused at the door asks nobody.
        const started = await createRuntime({ tools: [first.whole], database: runs })
          .start(first.whole, input)
          .catch(() => undefined)
        if (started === undefined) return
        await runs.idle()
        runs.crash()
        const { world, whole } = process()
        const runtime = createRuntime({ tools: [whole], database: runs })
        const { inbox } = await runtime.runs()
        for (let open = await inbox.list(); open.length > 0; open = await inbox.list()) {
          for (const { request } of open) {
            world.requests.push(request)
            await inbox.approve(request.id)
          }
          await runs.idle()
        }
        await runtime.close()
        expect(first.world.ran).toEqual([])
        for (const ran of world.ran) expectShown(ran)
        compared += world.ran.length
      }),
      { numRuns: DURABLE_CASES },
    )
    expect(compared).toBeGreaterThan(DURABLE_CASES / 2)
  },
)
