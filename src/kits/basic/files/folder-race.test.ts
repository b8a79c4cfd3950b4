import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fileRead } from './file-read.ts'
import { fileWrite } from './file-write.ts'

const SECRET = 'a secret that lies outside'
const ATTEMPTS = 2000

let home: string
let root: string
let outside: string

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-race-')))
  root = join(home, 'root')
  outside = join(home, 'outside')
  for (const folder of [root, join(root, 'sub'), outside]) mkdirSync(folder)
  writeFileSync(join(root, 'sub', 'file.txt'), 'inside')
  writeFileSync(join(root, 'file.txt'), 'inside')
  writeFileSync(join(outside, 'file.txt'), SECRET)
  symlinkSync(outside, join(root, 'link'))
  symlinkSync(join(outside, 'file.txt'), join(root, 'file-link'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** Puts a link in the place of an entry and back, as fast as it can, in a thread of its own. */
const SWAPPER = `
const { renameSync } = require('node:fs')
const { parentPort, workerData: { real, link, away, state } } = require('node:worker_threads')
const flags = new Int32Array(state)
while (Atomics.load(flags, 0) === 0) {
  renameSync(real, away)
  renameSync(link, real)
  renameSync(real, link)
  renameSync(away, real)
  if (Atomics.add(flags, 1, 1) === 0) parentPort.postMessage('swapping')
}
`

interface Swapping {
  readonly swaps: () => number
  readonly stop: () => Promise<void>
}

async function startSwapping(real: string, link: string): Promise<Swapping> {
  const state = new SharedArrayBuffer(8)
  const flags = new Int32Array(state)
  const worker = new Worker(SWAPPER, {
    eval: true,
    workerData: { real: join(root, real), link: join(root, link), away: join(root, 'away'), state },
  })
  const ended = new Promise<void>((resolve, reject) => worker.once('exit', () => resolve()).once('error', reject))
  await Promise.race([new Promise((resolve) => worker.once('message', resolve)), ended])
  return {
    swaps: () => Atomics.load(flags, 1),
    stop: async () => {
      Atomics.store(flags, 0, 1)
      await ended
    },
  }
}

const isLinux = process.platform === 'linux'

/** Elsewhere folders cannot be held by descriptors, and the guide says that the tools are weaker there. */
describe.runIf(isLinux)('while a link is swapped in and out', () => {
  test.each([
    ['a folder on the way', { real: 'sub', link: 'link', path: 'sub/file.txt', overwritten: 'sub/file.txt', fresh: 'sub/' }],
    ['the file itself', { real: 'file.txt', link: 'file-link', path: 'file.txt', overwritten: 'sub/file.txt', fresh: '' }],
  ])(
    'in the place of %s, every one of 2,000 calls stays inside [T17]',
    async (_name, { real, link, path, overwritten, fresh }) => {
      const [read, write] = [fileRead({ root }), fileWrite({ root })]
      const swapping = await startSwapping(real, link)
      const ends = { ok: 0, path_refused: 0, other: 0 }
      const contents = new Set<string>()
      try {
        for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
          const kind = attempt % 10
          const result =
            kind === 0
              ? await write.call({ path, content: 'appended', mode: 'append' })
              : kind === 1
                ? await write.call({ path: overwritten, content: 'inside', mode: 'overwrite' })
                : kind === 2
                  ? await write.call({ path: `${fresh}new-${attempt}.txt`, content: 'new' })
                  : await read.call({ path })
          if (result.ok) ends.ok++
          else if (result.error.code === 'path_refused') ends.path_refused++
          else ends.other++
          if (result.ok && 'content' in result.value) contents.add(result.value.content)
          if (readdirSync(outside).length !== 1) break
        }
      } finally {
        await swapping.stop()
      }
      expect(readdirSync(outside)).toEqual(['file.txt'])
      expect(readFileSync(join(outside, 'file.txt'), 'utf8')).toBe(SECRET)
      expect([...contents].filter((content) => content.includes(SECRET))).toEqual([])
      expect(ends.ok + ends.path_refused + ends.other).toBe(ATTEMPTS)
      expect(swapping.swaps()).toBeGreaterThan(100)
      expect(Math.min(ends.ok, ends.path_refused)).toBeGreaterThan(0)
    },
    120_000,
  )
})
