import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tool } from '../tool/tool.ts'
import { catalog, type Catalog } from './catalog.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'learner-'))
})
afterAll(() => rm(folder, { recursive: true }))

const THINGS = ['order', 'invoice', 'weather', 'parcel', 'meeting', 'photo', 'contract', 'salary']
const TOOLS = THINGS.map((thing) =>
  tool({ name: `look_at_${thing}`, description: `Looks at ${thing} data.`, effect: 'read', execute: () => thing }),
)
const WORDS = ['table', 'dinner', 'rain', 'mail', 'lawyer', 'paint', 'garden', 'bicycle', 'ticket', 'doctor', ...THINGS]

interface Taught {
  readonly text: string
  readonly tool: string
  readonly served: boolean
  readonly principal: string
}

/** Requests of eight words each, for tools by their number. */
const asked = (of: (number: number) => string, count: number, principal: string): Taught[] =>
  Array.from({ length: count }, (_, at) => ({
    text: [1, 2, 3, 5, 7].map((step) => WORDS[(at * step + step * step) % WORDS.length]).join(' ') + ` number ${principal} ${at}`,
    tool: of(at),
    served: at % 9 !== 8,
    principal,
  }))
const ofAda = asked((at) => `look_at_${THINGS[at % 5]}`, 90, 'ada')
const ofBob = asked((at) => `look_at_${THINGS[(at * 3) % 8]}`, 80, 'bob')

let files = 0
/** The fitted weights, undefined if there are none: they are in no answer, but in the file. */
async function weightsOf(tools: Catalog): Promise<unknown> {
  const path = join(folder, `${files++}.json`)
  await tools.save(path)
  const [, body = ''] = (await readFile(path, 'utf8')).split('\n')
  return (JSON.parse(body) as { weights?: unknown }).weights
}

async function taught(traces: readonly Taught[]): Promise<Catalog> {
  const tools = await catalog(TOOLS)
  await tools.learn(traces)
  await tools.refit()
  return tools
}

const turns = async (count: number): Promise<void> => {
  for (let at = 0; at < count; at++) await new Promise(setImmediate)
}

describe('weights', () => {
  test('what is forgotten while a fit runs leaves nothing in them, whenever that is', async () => {
    const expected = await weightsOf(await taught(ofBob))
    expect(expected).toBeDefined()
    await fc.assert(
      fc.asyncProperty(fc.nat(220), async (wait) => {
        const tools = await catalog(TOOLS)
        await tools.learn([...ofAda, ...ofBob])
        const fitting = tools.refit()
        await turns(wait)
        await tools.forget({ principal: 'ada' })
        await fitting
        expect(await weightsOf(tools)).toEqual(expected)
      }),
      { numRuns: 12 },
    )
  })

  test('all is forgotten while a fit runs: there are no weights afterwards', async () => {
    for (const wait of [0, 3, 30, 100]) {
      const tools = await catalog(TOOLS)
      await tools.learn(ofAda)
      const fitting = tools.refit()
      await turns(wait)
      await tools.forget({ principal: 'ada' })
      await fitting
      expect(await weightsOf(tools), `after ${wait} turns`).toBeUndefined()
    }
  })

  test('a fit that is asked for while another runs has learned what came between', async () => {
    const expected = await weightsOf(await taught([...ofAda, ...ofBob]))
    for (const wait of [0, 5, 60]) {
      const tools = await catalog(TOOLS)
      await tools.learn(ofAda)
      const first = tools.refit()
      await turns(wait)
      await tools.learn(ofBob)
      await Promise.all([first, tools.refit(), tools.refit()])
      expect(await weightsOf(tools), `after ${wait} turns`).toEqual(expected)
    }
  })

  test('traces of tools that are not there change neither the weights nor the answers, however many they are', async () => {
    const plain = await taught(ofBob)
    const expected = await weightsOf(plain)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 400 }), async (count, names) => {
        const strange = asked((at) => `gone_${at % names}`, count, 'eve')
        const tools = await taught([...strange, ...ofBob])
        expect(await weightsOf(tools)).toEqual(expected)
        for (const request of ['dinner table and then paint the garden', 'rain mail lawyer'])
          expect(await tools.select(request)).toEqual(await plain.select(request))
      }),
      { numRuns: 8 },
    )
  })
})
