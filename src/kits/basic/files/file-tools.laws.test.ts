import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileRead } from './file-read.ts'
import { fileWrite } from './file-write.ts'

/** More folders than a path below has steps up: with a defect in the tool, these tests must not harm the machine that they run on. */
const DEPTH = '1/2/3/4/5/6/7/8/9'

let home: string
let root: string
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'toolwright-laws-'))
  root = join(home, DEPTH, 'root')
  mkdirSync(join(root, 'sub'), { recursive: true })
  writeFileSync(join(root, '..', 'secret.txt'), 'SECRET')
  symlinkSync('..', join(root, 'out'))
  symlinkSync('../../secret.txt', join(root, 'sub', 'out'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const text = fc
  .array(
    fc.oneof(fc.constantFrom('\n', '\r\n', '', 'x'.repeat(40), '\u{1f30d}', '\u00e9'), fc.string({ unit: 'grapheme', maxLength: 30 })),
    { maxLength: 30 },
  )
  .map((parts) =>
    parts
      .join('')
      .replaceAll('\0', '')
      .replace(/^\ufeff/, ''),
  )

/** All of a file, by doing what each answer says. */
async function readOn(path: string, maxBytes: number): Promise<{ readonly whole: string; readonly largest: number }> {
  const read = fileRead({ root, maxBytes })
  let next: { fromLine?: number; fromByte?: number } | undefined = {}
  let whole = ''
  let largest = 0
  while (next !== undefined) {
    const result = await read.call({ path, ...next })
    if (!result.ok) throw new Error(result.text)
    whole += result.value.content
    largest = Math.max(largest, Buffer.byteLength(result.value.content))
    next = result.value.next
  }
  return { whole, largest }
}

test('whoever reads on as the answers say has read all of it, and never more than the limit at once [T17]', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 16, max: 200 }), fc.constantFrom('utf8', 'marked', 'utf16'), async (content, most, form) => {
      writeFileSync(
        join(root, 'law.txt'),
        Buffer.from(form === 'utf8' ? content : `\ufeff${content}`, form === 'utf16' ? 'utf16le' : 'utf8'),
      )
      const { whole, largest } = await readOn('law.txt', most)
      expect(whole).toBe(content)
      expect(largest).toBeLessThanOrEqual(most)
    }),
    { numRuns: 300 },
  )
})

test('lines are the lines of the text [T17]', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.nat(5), fc.nat(5), async (content, skip, count) => {
      writeFileSync(join(root, 'law.txt'), content)
      const lines = content.match(/[^\n]*\n|[^\n]+$/g) ?? []
      fc.pre(skip < lines.length)
      const result = await fileRead({ root }).call({ path: 'law.txt', fromLine: skip + 1, toLine: skip + count + 1 })
      expect(result.text).toBe(lines.slice(skip, skip + count + 1).join(''))
    }),
    { numRuns: 300 },
  )
})

test('what was written is what is read [T17]', async () => {
  await fc.assert(
    fc.asyncProperty(text, async (content) => {
      await fileWrite({ root }).call({ path: 'law.txt', content, mode: 'overwrite' })
      expect(await fileRead({ root }).call({ path: 'law.txt' })).toMatchObject({ value: { content } })
    }),
    { numRuns: 100 },
  )
})

const name = fc.oneof(
  fc.constantFrom('..', '.', '', 'sub', 'out', 'secret.txt', '~', 'root', 'C:', '%2e%2e', '\uff0e\uff0e', '...', '\\', '\0', 'file:'),
  fc.string({ unit: 'binary', maxLength: 8 }),
)

/** All names there are outside the root. */
function outside(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((each) => {
    const path = join(folder, each)
    return path === root ? [] : lstatSync(path).isDirectory() ? [path, ...outside(path)] : [path]
  })
}

test('no path whatever leads out [T17]', async () => {
  const [read, write] = [fileRead({ root }), fileWrite({ root })]
  const before = outside(home)
  await fc.assert(
    fc.asyncProperty(fc.array(name, { maxLength: 8 }), fc.constantFrom('', '/', './', '//'), async (names, prefix) => {
      const path = prefix + names.join('/')
      const results = [await read.call({ path }), await write.call({ path, content: 'x', mode: 'overwrite', parents: true })]
      expect(JSON.stringify(results)).not.toContain('SECRET')
      expect(results.filter((result) => !result.ok && ['tool_crashed', 'tool_failed'].includes(result.error.code))).toEqual([])
      expect(outside(home)).toEqual(before)
      expect(readFileSync(join(root, '..', 'secret.txt'), 'utf8')).toBe('SECRET')
    }),
    { numRuns: 300 },
  )
}, 60_000)
