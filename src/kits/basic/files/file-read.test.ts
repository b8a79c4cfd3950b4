import { createHash } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { resolve } from '../../../index.ts'
import { fileRead } from './file-read.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'toolwright-read-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const put = (name: string, content: string | Buffer): void => writeFileSync(join(root, name), content)

test('a model sees the path as the one parameter that is needed, and what else it may say [T17] [T3]', async () => {
  const read = fileRead({ root })
  expect(read).toMatchObject({ name: 'file_read', effect: 'read', idempotent: true, tags: ['files'] })
  expect(read.specification.parameters).toMatchObject({ required: ['path'], properties: { fromLine: { type: 'integer', minimum: 1 } } })
  put('a.txt', 'one\n')
  const { call } = await resolve([read])
  expect(await call('file_read', '{"path":"a.txt"}')).toMatchObject({ ok: true, text: 'one\n' })
})

test('the text is the content, and the value says what was read [T17]', async () => {
  mkdirSync(join(root, 'notes'))
  put('notes/a.txt', 'one\ntwo\n')
  expect(await fileRead({ root }).call({ path: './notes/../notes/a.txt' })).toMatchObject({
    ok: true,
    text: 'one\ntwo\n',
    value: {
      path: 'notes/a.txt',
      content: 'one\ntwo\n',
      encoding: 'utf8',
      lines: { from: 1, to: 2, total: 2 },
      bytes: 8,
      truncated: false,
      hash: createHash('sha256').update('one\ntwo\n').digest('hex'),
    },
  })
})

describe('lines', () => {
  test.each([
    [{ fromLine: 2 }, 'two\nthree', { from: 2, to: 3, total: 3 }],
    [{ toLine: 2 }, 'one\ntwo\n', { from: 1, to: 2 }],
    [{ fromLine: 2, toLine: 2 }, 'two\n', { from: 2, to: 2 }],
    [{ fromLine: 3, toLine: 9 }, 'three', { from: 3, to: 3, total: 3 }],
  ])('%j gives these lines and no others [T17]', async (range, content, lines) => {
    put('a.txt', 'one\ntwo\nthree')
    const result = await fileRead({ root }).call({ path: 'a.txt', ...range })
    expect(result).toMatchObject({ ok: true, text: content, value: { content, truncated: false } })
    expect(result.ok && result.value.lines).toEqual(lines)
  })

  test('carriage returns stay, and the last line needs no line feed [T17]', async () => {
    put('a.txt', 'one\r\ntwo\r\n')
    expect(await fileRead({ root }).call({ path: 'a.txt', fromLine: 2 })).toMatchObject({
      value: { content: 'two\r\n', lines: { total: 2 } },
    })
  })

  test('an empty file has none [T17]', async () => {
    put('a.txt', '')
    expect(await fileRead({ root }).call({ path: 'a.txt' })).toMatchObject({
      ok: true,
      text: '',
      value: { lines: { from: 1, to: 0, total: 0 } },
    })
  })

  test.each([
    [{ fromLine: 9 }, 'fromLine is 9, but'],
    [{ fromLine: 3, toLine: 2 }, 'before fromLine'],
    [{ fromLine: 1, fromByte: 2 }, 'neither'],
    [{ fromLine: 1, encoding: 'base64' }, 'no lines'],
    [{ fromByte: 99 }, 'fromByte is 99'],
    [{ fromLine: 0 }, 'fromLine'],
    [{ maxBytes: 300_000 }, 'maxBytes'],
  ] as const)('%j is a mistake, and the message says which [T17] [T4]', async (range, words) => {
    put('a.txt', 'one\ntwo\n')
    expect(await fileRead({ root }).call({ path: 'a.txt', ...range })).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', message: expect.stringContaining(words) },
    })
  })

  test('far down in a large file are found [T17]', async () => {
    const line = `${'x'.repeat(99)}\n`
    put('large.txt', line.repeat(200_000))
    expect(await fileRead({ root }).call({ path: 'large.txt', fromLine: 199_999 })).toMatchObject({
      value: { content: line.repeat(2), lines: { from: 199_999, to: 200_000, total: 200_000 } },
    })
  })

  test('are read without the rest of the file, which may be larger than the memory [T17]', async () => {
    put('huge.txt', 'line\n'.repeat(50_000))
    truncateSync(join(root, 'huge.txt'), 64 * 2 ** 30)
    expect(await fileRead({ root }).call({ path: 'huge.txt', toLine: 2 })).toMatchObject({
      text: 'line\nline\n',
      value: { bytes: 64 * 2 ** 30, truncated: false },
    })
  })
})

describe('what is too long', () => {
  test('ends with a whole line, and the text says how to read on [T17]', async () => {
    put('a.txt', 'first line\nsecond line\nthird line\n')
    const read = fileRead({ root, maxBytes: 24 })
    const result = await read.call({ path: 'a.txt' })
    expect(result).toMatchObject({
      text: 'first line\nsecond line\n\n[Truncated: the file has 34 bytes. Read on with fromLine: 3.]',
      value: { content: 'first line\nsecond line\n', truncated: true, next: { fromLine: 3 }, lines: { from: 1, to: 2 } },
      issues: [{ severity: 'warning', message: expect.stringContaining('Read on with fromLine: 3') }],
    })
    expect(result.ok && result.value.hash).toBe(undefined)
  })

  test('a line that is longer than the limit is cut between characters, and read on by its position [T17]', async () => {
    const text = 'h\u00e9llo w\u00f6rld \u{1f30d} '.repeat(20)
    for (const [name, bytes] of [
      ['utf8', Buffer.from(text)],
      ['marked', Buffer.from(`\ufeff${text}`)],
      ['utf16', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ] as const) {
      put(name, bytes)
      const read = fileRead({ root, maxBytes: 17 })
      let whole = ''
      let next: { fromLine?: number; fromByte?: number } | undefined = {}
      while (next !== undefined) {
        const result = await read.call({ path: name, ...next })
        if (!result.ok) throw new Error(result.text)
        expect(Buffer.byteLength(result.value.content)).toBeLessThanOrEqual(17)
        whole += result.value.content
        next = result.value.next
      }
      expect(whole).toBe(text)
    }
  })

  test('bytes are read on by their position [T17]', async () => {
    const bytes = Buffer.from(Array.from({ length: 100 }, (_, index) => index * 2))
    put('b', bytes)
    const read = fileRead({ root, maxBytes: 64 })
    const first = await read.call({ path: 'b', encoding: 'base64' })
    expect(first).toMatchObject({ value: { truncated: true, bytes: 100, next: { fromByte: 64 } } })
    const second = await read.call({ path: 'b', encoding: 'base64', fromByte: 64 })
    expect(second).toMatchObject({ value: { truncated: false } })
    if (!first.ok || !second.ok) throw new Error('unread')
    expect(Buffer.concat([first, second].map(({ value }) => Buffer.from(value.content, 'base64')))).toEqual(bytes)
  })
})

describe('encodings', () => {
  test.each([
    ['UTF-8 with a mark', Buffer.from('\ufeffh\u00e9'), 'utf8'],
    ['UTF-16, little end first', Buffer.from('\ufeffh\u00e9', 'utf16le'), 'utf16le'],
    ['UTF-16, big end first', Buffer.from('\ufeffh\u00e9', 'utf16le').swap16(), 'utf16be'],
  ])('%s is known by the mark, which is no part of the text [T17]', async (_name, bytes, encoding) => {
    put('a.txt', bytes)
    expect(await fileRead({ root }).call({ path: 'a.txt' })).toMatchObject({ text: 'h\u00e9', value: { encoding, bytes: bytes.length } })
  })

  test('others are read when the caller names them [T17]', async () => {
    put('l.txt', Buffer.from('h\u00e9', 'latin1'))
    put('u.txt', Buffer.from('h\u00e9', 'utf16le'))
    expect(await fileRead({ root }).call({ path: 'l.txt', encoding: 'latin1' })).toMatchObject({ text: 'h\u00e9' })
    expect(await fileRead({ root }).call({ path: 'u.txt', encoding: 'utf16le' })).toMatchObject({ text: 'h\u00e9' })
  })

  test.each([
    ['a PNG image', Buffer.from('89504e470d0a1a0a00', 'hex')],
    ['a PDF document', Buffer.from('%PDF-1.7\n\0')],
    ['of an unknown binary kind', Buffer.from([0x80, 0x81])],
    ['of an unknown binary kind', Buffer.from('text and \0 then more')],
    ['of an unknown binary kind', Buffer.from([0x68, 0xc3])],
    ['of an unknown binary kind', Buffer.concat([Buffer.alloc(100_000, 'x'), Buffer.from([0xff])])],
  ])('what is %s is refused as text, with its size, and can be had as base64 [T17]', async (kind, bytes) => {
    put('b', bytes)
    const read = fileRead({ root })
    expect(await read.call({ path: 'b' })).toMatchObject({
      ok: false,
      error: {
        code: 'not_text',
        message: expect.stringContaining(`${bytes.length} bytes and is ${kind}`),
        hint: expect.stringContaining('base64'),
      },
    })
    expect(await read.call({ path: 'b', encoding: 'base64' })).toMatchObject({ ok: true, text: bytes.toString('base64') })
  })

  test('a position in the middle of a character is said to be one [T17]', async () => {
    put('a.txt', '\u00e9')
    expect(await fileRead({ root }).call({ path: 'a.txt', fromByte: 1 })).toMatchObject({
      error: { code: 'not_text', message: expect.stringContaining('middle of a character') },
    })
  })
})

describe('what is not there', () => {
  test('a wrong name gets the ones that are near [T17]', async () => {
    put('report.md', 'x')
    expect(await fileRead({ root }).call({ path: 'reprot.md' })).toMatchObject({
      text: "Error: There is no file 'reprot.md'.",
      error: { code: 'not_found', class: 'not_found', hint: "In the same folder there is: 'report.md'." },
    })
  })

  test('a folder that is missing is said to be [T17]', async () => {
    expect(await fileRead({ root }).call({ path: 'none/a.txt' })).toMatchObject({
      error: { code: 'not_found', message: expect.stringContaining('a folder on the way') },
    })
  })

  test('a root that is gone is told without a path of this machine [T17]', async () => {
    const read = fileRead({ root })
    rmSync(root, { recursive: true })
    const result = await read.call({ path: 'a.txt' })
    expect(result).toMatchObject({ ok: false, error: { code: 'not_found' } })
    expect(JSON.stringify(result)).not.toContain(root)
  })
})

test('a file with another name is read only where that is allowed [T17]', async () => {
  put('a.txt', 'shared')
  linkSync(join(root, 'a.txt'), join(root, 'b.txt'))
  expect(await fileRead({ root }).call({ path: 'a.txt' })).toMatchObject({
    error: { code: 'path_refused', message: expect.stringContaining('hard link') },
  })
  expect(await fileRead({ root, hardLinks: 'allow' }).call({ path: 'a.txt' })).toMatchObject({ text: 'shared' })
})

test.runIf(process.getuid?.() !== 0 && process.platform !== 'win32')('a file that may not be read is said to be [T17]', async () => {
  put('a.txt', 'x')
  chmodSync(join(root, 'a.txt'), 0)
  expect(await fileRead({ root }).call({ path: 'a.txt' })).toMatchObject({ error: { code: 'access_denied' } })
})

test.each([
  [{ root: '' }, 'must be a folder that exists'],
  [{ root: '/no/such/folder' }, 'must be a folder that exists'],
  [{ root: import.meta.filename }, 'must be a folder that exists'],
  [{ root: '.', maxBytes: 1 }, "'maxBytes'"],
  [{ root: '.', maxBytes: Number.NaN }, "'maxBytes'"],
  [{ root: '.', hardLinks: 'maybe' }, "'hardLinks'"],
  [undefined, 'The options of fileRead'],
])('%j is refused when the tool is made', (options, words) => {
  expect(() => fileRead(options as never)).toThrow(
    expect.objectContaining({ code: 'invalid_option', message: expect.stringContaining(words) }),
  )
})
