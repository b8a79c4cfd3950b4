import { fork } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { appendFile } from './append-file.ts'
import { hashOfBytes, type Interruptible } from './file-bytes.ts'
import { fileRead } from './file-read.ts'
import { fileTools } from './file-tools.ts'
import { fileWrite } from './file-write.ts'
import { replaceFile } from './replace-file.ts'
import { RootedFolder } from '../../../files/rooted-folder.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'toolwright-write-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const put = (name: string, content: string | Buffer): void => writeFileSync(join(root, name), content)
const got = (name: string): string => readFileSync(join(root, name), 'utf8')

test('one byte is one byte, and one line one line [T17]', async () => {
  expect((await fileWrite({ root }).call({ path: 'a', content: 'x' })).text).toBe("Created 'a': 1 byte written.")
  const read = fileRead({ root })
  expect((await read.call({ path: 'a', fromByte: 2 })).text).toBe("Error: fromByte is 2, but 'a' has 1 byte.")
  expect((await read.call({ path: 'a', fromLine: 2 })).text).toBe("Error: fromLine is 2, but 'a' has 1 line.")
  put('b', Buffer.from([0]))
  expect((await read.call({ path: 'b' })).text).toContain('It has 1 byte and is')
})

test('a plan sees that it writes, and whether it may be repeated [T17]', () => {
  expect(fileWrite({ root })).toMatchObject({ name: 'file_write', effect: 'write', idempotent: false, tags: ['files'] })
  expect(fileWrite({ root, modes: ['overwrite', 'create'] }).idempotent).toBe(true)
  expect(fileWrite({ root, modes: ['overwrite'] }).specification.parameters).toMatchObject({
    required: ['path', 'content'],
    properties: { mode: { enum: ['overwrite'], default: 'overwrite' } },
  })
  expect(fileTools({ root }).map(({ name }) => name)).toEqual(['file_read', 'file_write'])
})

describe('create', () => {
  test('makes a new file [T17]', async () => {
    expect(await fileWrite({ root }).call({ path: 'a.txt', content: 'h\u00e9' })).toMatchObject({
      ok: true,
      text: "Created 'a.txt': 3 bytes written.",
      value: { path: 'a.txt', bytes: 3, created: true, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    expect(got('a.txt')).toBe('h\u00e9')
    expect(statSync(join(root, 'a.txt')).mode & 0o777).toBe(0o644 & ~process.umask())
    expect(statSync(join(root, 'a.txt')).nlink).toBe(1)
  })

  test('leaves a file alone that is there, and says what could be done [T17]', async () => {
    put('a.txt', 'old')
    expect(await fileWrite({ root }).call({ path: 'a.txt', content: 'new' })).toMatchObject({
      error: { code: 'conflict', outcome: 'not_started', hint: expect.stringContaining("mode: 'overwrite'") },
    })
    expect(got('a.txt')).toBe('old')
  })

  test('of many at once for the same name, one wins and the others leave its file alone [T17]', async () => {
    const write = fileWrite({ root })
    const results = await Promise.all(Array.from({ length: 20 }, (_, index) => write.call({ path: 'a.txt', content: `writer ${index}` })))
    const winners = results.flatMap((result, index) => (result.ok ? [index] : []))
    expect(winners).toHaveLength(1)
    expect(got('a.txt')).toBe(`writer ${winners[0]}`)
    expect(readdirSync(root)).toEqual(['a.txt'])
  })

  test('makes folders only when it is told to [T17]', async () => {
    const write = fileWrite({ root })
    expect(await write.call({ path: 'a/b/c.txt', content: 'x' })).toMatchObject({
      error: { code: 'not_found', hint: expect.stringContaining('parents: true') },
    })
    expect(readdirSync(root)).toEqual([])
    expect(await write.call({ path: 'a/b/c.txt', content: 'x', parents: true })).toMatchObject({ ok: true, value: { path: 'a/b/c.txt' } })
    expect(got('a/b/c.txt')).toBe('x')
  })

  test('makes folders where its author says so, unless the call does not want them [T17]', async () => {
    const write = fileWrite({ root, parents: true })
    expect(write.specification.parameters).toMatchObject({ properties: { parents: { default: true } } })
    expect(await write.call({ path: 'a/b.txt', content: 'x', parents: false })).toMatchObject({ error: { code: 'not_found' } })
    expect(readdirSync(root)).toEqual([])
    expect(await write.call({ path: 'a/b.txt', content: 'x' })).toMatchObject({ ok: true, value: { path: 'a/b.txt', created: true } })
    expect(got('a/b.txt')).toBe('x')
    expect(await write.call({ path: 'a/c/../../../d/e.txt', content: 'x' })).toMatchObject({ error: { code: 'path_refused' } })
    expect(readdirSync(root)).toEqual(['a'])
  })
})

describe('overwrite', () => {
  test('replaces a file and keeps its mode, without the bits that lend a user [T17]', async () => {
    put('a.sh', 'old')
    chmodSync(join(root, 'a.sh'), 0o4750)
    expect(await fileWrite({ root }).call({ path: 'a.sh', content: 'new', mode: 'overwrite' })).toMatchObject({
      value: { created: false, bytes: 3 },
    })
    expect(got('a.sh')).toBe('new')
    expect(statSync(join(root, 'a.sh')).mode & 0o7777).toBe(0o750)
    expect(readdirSync(root)).toEqual(['a.sh'])
  })

  test('makes the file where there is none [T17]', async () => {
    expect(await fileWrite({ root }).call({ path: 'a.txt', content: '', mode: 'overwrite' })).toMatchObject({
      value: { created: true, bytes: 0 },
    })
    expect(got('a.txt')).toBe('')
  })

  test('does it only to the file that the caller has seen [T17]', async () => {
    put('a.txt', 'old')
    const seen = await fileRead({ root }).call({ path: 'a.txt' })
    const ifHash = seen.ok ? (seen.value.hash ?? '') : ''
    const write = fileWrite({ root })
    expect(await write.call({ path: 'a.txt', content: 'new', mode: 'overwrite', ifHash })).toMatchObject({ ok: true })
    expect(await write.call({ path: 'a.txt', content: 'newer', mode: 'overwrite', ifHash })).toMatchObject({
      error: { code: 'conflict', message: expect.stringContaining('has changed') },
    })
    expect(await write.call({ path: 'a.txt', content: 'x', mode: 'overwrite', ifHash: 'absent' })).toMatchObject({
      error: { code: 'conflict', message: expect.stringContaining('should not exist') },
    })
    expect(await write.call({ path: 'b.txt', content: 'x', mode: 'append', ifHash })).toMatchObject({
      error: { code: 'conflict', message: expect.stringContaining('not exist any more') },
    })
    expect(await write.call({ path: 'a.txt', content: 'x', mode: 'append', ifHash })).toMatchObject({ error: { code: 'conflict' } })
    expect(got('a.txt')).toBe('new')
    expect(readdirSync(root)).toEqual(['a.txt'])
  })

  test.runIf(process.getuid?.() !== 0 && process.platform !== 'win32')('leaves a read-only file alone [T17]', async () => {
    put('a.txt', 'old')
    chmodSync(join(root, 'a.txt'), 0o444)
    expect(await fileWrite({ root }).call({ path: 'a.txt', content: 'x', mode: 'overwrite' })).toMatchObject({
      error: { code: 'access_denied' },
    })
  })
})

describe('append', () => {
  test('adds to the end, or makes the file [T17]', async () => {
    const write = fileWrite({ root })
    expect(await write.call({ path: 'log', content: 'one\n', mode: 'append' })).toMatchObject({ value: { created: true } })
    const second = await write.call({ path: 'log', content: 'two\n', mode: 'append' })
    expect(second).toMatchObject({ text: "Appended to 'log': 4 bytes written.", value: { created: false, bytes: 4 } })
    expect(got('log')).toBe('one\ntwo\n')
  })

  test('by many at once loses nothing and mixes nothing [T17]', async () => {
    put('log', '')
    const write = fileWrite({ root })
    const lines = Array.from({ length: 50 }, (_, index) => `${String(index).repeat(50)}\n`)
    await Promise.all(lines.map((content) => write.call({ path: 'log', content, mode: 'append' })))
    expect(got('log').split('\n').toSorted()).toEqual(lines.join('').split('\n').toSorted())
  })

  test('by many at once makes the file once and loses nothing [T17]', async () => {
    const write = fileWrite({ root })
    const lines = Array.from({ length: 30 }, (_, index) => `${index}\n`)
    const results = await Promise.all(lines.map((content) => write.call({ path: 'new.log', content, mode: 'append' })))
    expect(results.filter(({ ok }) => !ok)).toEqual([])
    expect(got('new.log').split('\n').toSorted()).toEqual(lines.join('').split('\n').toSorted())
  })

  test('does not mix two encodings in one file [T17]', async () => {
    put('a.txt', Buffer.from('\ufeffold', 'utf16le'))
    const write = fileWrite({ root })
    expect(await write.call({ path: 'a.txt', content: 'x', mode: 'append' })).toMatchObject({ error: { code: 'not_text' } })
    const bytes = Buffer.from('new', 'utf16le').toString('base64')
    expect(await write.call({ path: 'a.txt', content: bytes, mode: 'append', encoding: 'base64' })).toMatchObject({ ok: true })
    expect(await fileRead({ root }).call({ path: 'a.txt' })).toMatchObject({ text: 'oldnew' })
  })
})

describe('content', () => {
  test('as base64 arrives as bytes [T17]', async () => {
    await fileWrite({ root }).call({ path: 'b', content: 'AP+A', encoding: 'base64' })
    expect(readFileSync(join(root, 'b'))).toEqual(Buffer.from([0, 255, 128]))
  })

  test.each([
    [{ content: 'not base64!', encoding: 'base64' }, 'not base64'],
    [{ content: 'abc', encoding: 'base64' }, 'not base64'],
    [{ content: 'x\ud83d' }, 'surrogate'],
    [{ content: '\u00e9'.repeat(20) }, '40 bytes, and at most 32'],
  ] as const)('%j is refused, and nothing is made [T17]', async (given, words) => {
    expect(await fileWrite({ root, maxBytes: 32 }).call({ path: 'a.txt', ...given })).toMatchObject({
      error: { code: 'invalid_input', outcome: 'not_started', message: expect.stringContaining(words) },
    })
    expect(readdirSync(root)).toEqual([])
  })

  test('all that is wrong with the input is said at once [T4]', async () => {
    const result = await fileWrite({ root })
      .execute({ mode: 'destroy' } as never)
      .catch((error: Error) => error.message)
    expect(result).toContain('path')
    expect(result).toContain('content')
    expect(result).toContain('mode')
  })
})

/** A signal that does something when it is asked for the nth time. */
function acting(count: number, act: () => void): Interruptible {
  let asked = 0
  return {
    throwIfAborted: () => {
      asked++
      if (asked === count) act()
    },
  }
}

function abort(): never {
  throw new DOMException('stop', 'AbortError')
}

describe('a file that changes while a write with ifHash is under way', () => {
  test.each([
    ['overwrite', 1],
    ['overwrite', 2],
    ['overwrite', 3],
    ['overwrite', 4],
    ['append', 1],
    ['append', 2],
  ] as const)('is left alone: %s, moment %i [T17]', async (mode, moment) => {
    put('a.txt', 'old')
    // Long ago by the clock of the file system, whose ticks may be longer than this test.
    utimesSync(join(root, 'a.txt'), 1, 1)
    const place = new RootedFolder(root).make('a.txt')
    const signal = acting(moment, () => put('a.txt', 'new'))
    const writing = { bytes: Buffer.from('mine'), ifHash: hashOfBytes(Buffer.from('old')), signal, random: () => 0 }
    const running = mode === 'append' ? appendFile(place, { ...writing, isText: true }) : replaceFile(place, writing, false)
    await expect(running).rejects.toThrow(expect.objectContaining({ code: 'conflict' }))
    place.close()
    expect(got('a.txt')).toBe('new')
    expect(readdirSync(root)).toEqual(['a.txt'])
  })
})

describe('an abort', () => {
  const large = Buffer.alloc(1_000_000, 'n')
  const random = (): number => 0.5

  /** Writes over and over, aborted one moment later each time, until a write comes to its end. */
  async function abortAtEachMoment(
    mode: 'overwrite' | 'create' | 'append' | 'pinned',
  ): Promise<readonly { readonly ended: string; readonly left: string }[]> {
    const rounds: { readonly ended: string; readonly left: string }[] = []
    for (let moment = 1; rounds.at(-1)?.ended !== 'written'; moment++) {
      rmSync(join(root, 'a.txt'), { force: true })
      if (mode !== 'create') put('a.txt', 'old')
      const ifHash = mode === 'pinned' ? hashOfBytes(Buffer.from('old')) : undefined
      const place = new RootedFolder(root).make('a.txt')
      const writing = { bytes: large, signal: acting(moment, abort), random, ifHash }
      const ended = await (
        mode === 'append' ? appendFile(place, { ...writing, isText: true }) : replaceFile(place, writing, mode === 'create')
      ).then(
        () => 'written',
        (error: Error) => error.name,
      )
      place.close()
      rounds.push({
        ended,
        left: readdirSync(root)
          .map((name) => `${name}: ${got(name).slice(-3)}`)
          .join(),
      })
    }
    return rounds
  }

  test.each(['overwrite', 'create', 'append', 'pinned'] as const)(
    'at any moment of %s leaves what was there, and nothing else [T17]',
    async (mode) => {
      const rounds = await abortAtEachMoment(mode)
      expect(rounds.length).toBeGreaterThan(mode === 'append' ? 1 : 4)
      expect(rounds.at(-1)).toEqual({ ended: 'written', left: 'a.txt: nnn' })
      for (const round of rounds.slice(0, -1)) expect(round).toEqual({ ended: 'AbortError', left: mode === 'create' ? '' : 'a.txt: old' })
    },
  )

  test('by the caller is a cancellation, and nothing is written after it [T17]', async () => {
    put('a.txt', 'old')
    const cancel = new AbortController()
    const running = fileWrite({ root }).call({ path: 'a.txt', content: 'new', mode: 'overwrite' }, { signal: cancel.signal })
    cancel.abort()
    expect(await running).toMatchObject({ error: { code: 'cancelled' } })
    expect(got('a.txt')).toBe('old')
    await fileWrite({ root }).call({ path: 'b.txt', content: 'long after' })
    expect(got('a.txt')).toBe('old')
  })

  test('of a failed stroke leaves nothing behind [T17]', async () => {
    const folder = new RootedFolder(root)
    const place = folder.make('a.txt')
    const writing = { bytes: large, signal: { throwIfAborted: () => {} }, random }
    const running = replaceFile(place, writing, false)
    mkdirSync(join(root, 'a.txt'))
    await expect(running).rejects.toThrow(expect.objectContaining({ code: expect.stringMatching(/EISDIR|EEXIST|ENOTEMPTY|EPERM/) }))
    place.close()
    expect(readdirSync(root)).toEqual(['a.txt'])
  })

  test('a temporary name that is taken, even by a link, is passed over [T17]', async () => {
    symlinkSync('elsewhere.txt', join(root, '.toolwright-800000000000-1.tmp'))
    const place = new RootedFolder(root).make('a.txt')
    await replaceFile(place, { bytes: Buffer.from('x'), signal: { throwIfAborted: () => {} }, random }, true)
    place.close()
    expect(readdirSync(root).toSorted()).toEqual(['.toolwright-800000000000-1.tmp', 'a.txt'])
  })
})

/** Replaces a file by all a and all b in turn, and tells of each. */
const WRITER = `
const [, , source, root] = process.argv
const { fileWrite } = await import(source)
const write = fileWrite({ root })
for (let turn = 0; ; turn++) {
  const result = await write.call({ path: 'a.txt', content: (turn % 2 === 0 ? 'a' : 'b').repeat(200_000), mode: 'overwrite' })
  process.send(result.ok)
}
`

test('a reader never sees half a file, and a writer that is killed leaves a whole one [T17]', async () => {
  put('a.txt', 'a'.repeat(200_000))
  const script = join(root, 'writer.mts')
  writeFileSync(script, WRITER)
  const read = fileRead({ root })
  for (let round = 0; round < 3; round++) {
    const writer = fork(script, [join(import.meta.dirname, 'file-write.ts'), root], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    await once(writer, 'message')
    for (let attempt = 0; attempt < 50; attempt++) {
      const result = await read.call({ path: 'a.txt' })
      expect(result.ok && /^(a{200000}|b{200000})$/.test(result.value.content), result.text.slice(0, 80)).toBe(true)
    }
    const ended = once(writer, 'exit')
    writer.kill('SIGKILL')
    await ended
    expect(got('a.txt')).toMatch(/^(a{200000}|b{200000})$/)
  }
})

test.each([
  [{ modes: [] }, "'modes'"],
  [{ modes: ['destroy'] }, "'modes'"],
  [{ modes: 'create' }, "'modes'"],
  [{ maxBytes: -1 }, "'maxBytes'"],
  [{ parents: 'yes' }, "'parents'"],
  [{ requireApproval: null }, 'approval'],
  [{ requireApproval: { risk: 'huge' } }, "'risk'"],
])('%j is refused when the tool is made', (options, words) => {
  expect(() => fileWrite({ root, ...(options as object) })).toThrow(
    expect.objectContaining({ code: 'invalid_option', message: expect.stringContaining(words) }),
  )
})
