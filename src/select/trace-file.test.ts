import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failure } from '../tool/result/returned.ts'
import { tool } from '../tool/tool.ts'
import { catalog } from './catalog.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolwright-traces-'))
})
afterAll(() => rm(folder, { recursive: true }))

const ASKED = ['book me a table', 'a table for two tonight', 'reserve dinner at eight', 'table near the window please']
const TOOLS = ['alpha', 'beta', 'gamma'].map((name) =>
  tool({ name, description: `Is called ${name}.`, effect: 'read', execute: () => name }),
)
const taught = async () => {
  const tools = await catalog(TOOLS)
  await tools.learn(ASKED.map((text, at) => ({ text, tool: 'beta', served: true, principal: 'ada', at })))
  await tools.refit()
  return tools
}

describe('the file of a catalog', () => {
  test('what was learned is the same after it was saved and loaded [S4]', async () => {
    const path = join(folder, 'same.json')
    const tools = await taught()
    await tools.save(path)
    const again = await catalog(TOOLS)
    expect(await again.load(path)).toEqual({ traces: 4, problem: undefined })
    expect(again.traces()).toEqual(tools.traces())
    const request = 'a table for tomorrow'
    expect(await again.select(request)).toEqual(await tools.select(request))
    expect((await readdir(folder)).filter((each) => each.endsWith('.tmp'))).toEqual([])
  })

  test('a file that is missing, damaged in any byte, of another version or foreign is reported and changes nothing', async () => {
    const path = join(folder, 'damaged.json')
    await (await taught()).save(path)
    const whole = await readFile(path)
    const fresh = await catalog(TOOLS)
    expect(await fresh.load(join(folder, 'missing.json'))).toEqual({ traces: 0, problem: undefined })
    const isLeftOut = async (content: Uint8Array | string): Promise<void> => {
      await writeFile(path, content)
      const { traces, problem } = await fresh.load(path)
      expect({ traces, problem: problem !== undefined, kept: fresh.traces() }).toEqual({ traces: 0, problem: true, kept: [] })
    }
    for (const foreign of ['', '{}', 'null\nnull\n', '[1,2]', whole.toString().replace('"version":1', '"version":2')])
      await isLeftOut(foreign)
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 2), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const damaged = Uint8Array.from(whole)
        damaged[at] = (damaged[at] as number) ^ change
        await isLeftOut(damaged)
      }),
      { numRuns: 60 },
    )
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 2), async (length) => isLeftOut(whole.subarray(0, length))),
      { numRuns: 30 },
    )
    await fresh.save(path)
    expect(await fresh.load(path)).toEqual({ traces: 0, problem: undefined })
  })

  test('a trace that is none is refused', async () => {
    const tools = await catalog(TOOLS)
    await expect(tools.learn([{ text: 1, tool: 'beta', served: true } as never])).rejects.toMatchObject({ code: 'invalid_option' })
  })
})

describe('listening to calls', () => {
  test('a task and the tool that served it are learned, failures count against, refusals say nothing [S4]', async () => {
    const works = tool({ name: 'works', description: 'Works.', effect: 'read', execute: () => 'done' })
    const fails = tool({
      name: 'fails',
      description: 'Fails.',
      effect: 'read',
      execute: () => failure('There is no such table.', { code: 'not_found' }),
    })
    const closed = tool({ name: 'closed', description: 'Is closed.', effect: 'read', permissions: ['x:y'], execute: () => 'done' })
    const stranger = tool({ name: 'stranger', description: 'Is in no catalog.', effect: 'read', execute: () => 'done' })
    const tools = await catalog([works, fails, closed])
    const options = { on: tools.listen(), task: 'book a table', principal: { id: 'ada', permissions: [] } }
    for (const each of [works, fails, closed, stranger]) await each.call('x', options)
    await works.call('x', { on: tools.listen() })
    await new Promise(setImmediate)
    expect(tools.traces().map(({ at, ...rest }) => ({ ...rest, isTimed: at > 0 }))).toEqual([
      { text: 'book a table', tool: 'works', served: true, principal: 'ada', isTimed: true },
      { text: 'book a table', tool: 'fails', served: false, principal: 'ada', isTimed: true },
    ])
  })
})
