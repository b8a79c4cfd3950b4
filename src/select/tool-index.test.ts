import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AgentTool } from '../tool/agent-tool.ts'
import { tool } from '../tool/tool.ts'
import { catalog, type Catalog } from './catalog.ts'
import * as texts from './tool-text.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tool-index-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const make = (name: string, description: string): AgentTool =>
  tool({ name, description, effect: 'read', execute: () => 'done' }) as AgentTool
const TOOLS = [
  make('issue_refund', 'Pays an order back to a customer.'),
  make('weather_forecast', 'Tells the weather of the next days at a place.'),
  make('send_email', 'Sends a mail to a person.'),
]
const REQUESTS = ['will it rain tomorrow?', 'pay her back and then write a mail to her boss', 'asdf']

/** All numbers and words of the answers. */
async function answers(tools: Catalog): Promise<unknown> {
  const found = []
  for (const request of REQUESTS) found.push(await tools.select(request))
  return found.map(({ tools: list, ...rest }) => [rest, list.map(({ tool: { name }, ...each }) => ({ name, ...each }))])
}

/** How many tools were read anew; the probe is not counted. */
async function reads(work: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(texts, 'toolText')
  try {
    await work()
    return spy.mock.calls.filter(([{ name }]) => name !== 'getHTTPUrls_by_weatherforecast').length
  } finally {
    spy.mockRestore()
  }
}

describe('the index of a catalog in a file', () => {
  test('a catalog finds the same with the file as without it, and reads no tool anew that is in it', async () => {
    const index = join(folder, 'same')
    const plain = await answers(await catalog(TOOLS, { server: 'shop' }))
    expect(await answers(await catalog(TOOLS, { server: 'shop', index }))).toEqual(plain)
    expect(await reads(async () => expect(await answers(await catalog(TOOLS, { server: 'shop', index }))).toEqual(plain))).toBe(0)
    expect((await readFile(index, 'utf8')).split('\n')[0]).toContain('"format":"toolwright index","version":2')
  })

  test('a tool that says something else, or comes from another server, is read anew', async () => {
    const index = join(folder, 'changed')
    await catalog(TOOLS, { index })
    const changed = [...TOOLS.slice(0, 2), make('send_email', 'Paints a house.')]
    const tools = await catalog(changed, { index })
    expect((await tools.select('paint my house')).tools[0]?.tool.name).toBe('send_email')
    expect(await answers(tools)).toEqual(await answers(await catalog(changed)))
    expect(await answers(await catalog(TOOLS, { index, server: 'shop' }))).toEqual(await answers(await catalog(TOOLS, { server: 'shop' })))
  })

  test('what was read with other vectors, or by an earlier version, is made anew', async () => {
    const index = join(folder, 'other')
    await catalog(TOOLS, { index, vectors: false })
    expect(await answers(await catalog(TOOLS, { index }))).toEqual(await answers(await catalog(TOOLS)))
    for (const version of [0, 1, 3]) {
      await writeFile(index, (await readFile(index, 'utf8')).replace('"version":2', `"version":${version}`))
      expect(await reads(() => catalog(TOOLS, { index }))).toBeGreaterThan(0)
      expect(await readFile(index, 'utf8')).toContain('"version":2')
    }
  })

  test('a file that is damaged in any byte, cut anywhere, empty or foreign is made anew, never wrong', async () => {
    const index = join(folder, 'damaged')
    await catalog(TOOLS, { index })
    const good = await readFile(index)
    const plain = await answers(await catalog(TOOLS))
    for (let at = 0; at < good.length - 1; at += 37) {
      const bad = Buffer.from(good)
      bad[at] = (bad[at] as number) ^ 1
      for (const bytes of [bad, good.subarray(0, at)]) {
        await writeFile(index, bytes)
        expect(await answers(await catalog(TOOLS, { index }))).toEqual(plain)
        expect((await readFile(index)).equals(good)).toBe(true)
      }
    }
  })

  test('tools that are added later are in it after saveIndex, those that were removed are not; the catalog is used meanwhile', async () => {
    const index = join(folder, 'later')
    const tools = await catalog(TOOLS.slice(0, 1), { index })
    await tools.add(TOOLS.slice(1), { server: 'late' })
    tools.remove('issue_refund')
    const saving = tools.saveIndex()
    expect((await tools.select('will it rain tomorrow?')).tools[0]?.tool.name).toBe('weather_forecast')
    await saving
    expect(await reads(() => catalog(TOOLS.slice(1), { index, server: 'late' }))).toBe(0)
    // A catalog that begins empty, and gets its tools later, finds them in the file, which it does not write.
    const empty = await catalog([], { index })
    expect(await reads(() => empty.replaceServer('late', TOOLS.slice(1)))).toBe(0)
    expect(await reads(() => catalog(TOOLS.slice(0, 1), { index }))).toBeGreaterThan(0)
  })

  test('processes that write it at once leave one whole file, and nothing beside it', async () => {
    const index = join(folder, 'race')
    const many = await Promise.all(Array.from({ length: 8 }, (_, at) => catalog(TOOLS.slice(at % 3), { index })))
    await Promise.all(many.map((each) => each.saveIndex()))
    expect(await answers(await catalog(TOOLS, { index }))).toEqual(await answers(await catalog(TOOLS)))
    expect((await readdir(folder)).filter((name) => name.includes('race'))).toEqual(['race'])
  })

  test('it is refused with vectors of another kind, and an error of the disk is told', async () => {
    await expect(catalog(TOOLS, { index: 'x', vectors: { vectorOf: () => undefined } })).rejects.toThrow("'index'")
    await expect(catalog(TOOLS, { index: folder })).rejects.toThrow('EISDIR')
    await chmod(folder, 0o700)
  })
})
