import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { check, memoryJournal, pipe, resolve, type JournalEntry, type ReviewDecision, type ReviewRequest } from '../../../index.ts'
import { fileWrite } from './file-write.ts'
import { RootedFolder } from '../../../files/rooted-folder.ts'
import { diffPreview, writePreview } from './write-preview.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'toolwright-approval-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const put = (name: string, content: string | Buffer): void => writeFileSync(join(root, name), content)
const got = (name: string): string => readFileSync(join(root, name), 'utf8')

/** Answers and keeps what was asked; `meanwhile` happens while the person thinks. */
function reviewer(decision: ReviewDecision = { action: 'continue' }, meanwhile: () => void = () => {}) {
  const asked: ReviewRequest[] = []
  return {
    asked,
    review: (request: ReviewRequest) => {
      asked.push(request)
      meanwhile()
      return decision
    },
  }
}

describe('the person sees what would change', () => {
  test('as a unified diff [T14] [T17]', async () => {
    put('a.txt', 'one\ntwo\nthree\n')
    const review = reviewer()
    const result = await fileWrite({ root, requireApproval: true }).call(
      { path: 'a.txt', content: 'one\n2\nthree\n', mode: 'overwrite' },
      { review },
    )
    expect(result).toMatchObject({ ok: true })
    expect(review.asked).toMatchObject([
      { kind: 'approval', tool: 'file_write', risk: 'medium', input: { path: 'a.txt', content: 'one\n2\nthree\n' } },
    ])
    expect(review.asked[0]?.why).toBe("Overwrites 'a.txt', 12 bytes.\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n")
    expect(got('a.txt')).toBe('one\n2\nthree\n')
  })

  test.each([
    ['a new file', { path: 'b.txt', content: 'new\n' }, "Creates 'b.txt', 4 bytes.\n--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1,1 @@\n+new\n"],
    [
      'what is added',
      { path: 'a.txt', content: 'two\n', mode: 'append' },
      "Appends to 'a.txt', 4 bytes.\n--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,2 @@\n one\n+two\n",
    ],
    [
      'bytes',
      { path: 'a.txt', content: 'AP8=', encoding: 'base64', mode: 'overwrite' },
      "Overwrites 'a.txt', 2 bytes.\nNot text: 4 bytes become 2 bytes.",
    ],
    ['no change', { path: 'a.txt', content: 'one\n', mode: 'overwrite' }, "Overwrites 'a.txt', 4 bytes.\nThe content stays the same."],
  ] as const)('%s [T17]', async (_name, input, why) => {
    put('a.txt', 'one\n')
    const review = reviewer()
    expect(await fileWrite({ root, requireApproval: true }).call(input, { review })).toMatchObject({ ok: true })
    expect(review.asked.map((request) => request.why)).toEqual([why])
  })

  test('with the words of whoever made the tool before it [T17]', async () => {
    const review = reviewer()
    const write = fileWrite({ root, requireApproval: { why: ({ path }) => `Is ${path} yours?`, risk: 'high' } })
    await write.call({ path: 'a.txt', content: 'x' }, { review })
    expect(review.asked).toMatchObject([{ risk: 'high', why: expect.stringMatching(/^Is a\.txt yours\?\nCreates 'a\.txt'/) }])
  })

  test('in part where it is long, with a note at both ends [T17]', async () => {
    const review = reviewer()
    const content = Array.from({ length: 5000 }, (_, index) => `line ${index}`).join('\n')
    await fileWrite({ root, requireApproval: true }).call({ path: 'a.txt', content }, { review })
    const why = review.asked[0]?.why ?? ''
    expect(why.length).toBeLessThan(9000)
    expect(why.match(/characters are left out\.\)/g)).toHaveLength(2)
    expect(got('a.txt')).toBe(content)
  })

  test('without anything that could mislead the eye [T17]', () => {
    const why = diffPreview({ path: 'a\u202eb', before: undefined, after: Buffer.from('\u001b[2Jx\u202ey\r\tz\n') })
    expect(why).toContain('+\\u{1b}[2Jx\\u{202e}y\\u{d}\tz')
    expect(why).not.toContain('\u202e')
  })

  test('where two texts have nearly nothing in common, as the new one [T17]', () => {
    const text = (word: string): Buffer => Buffer.from(Array.from({ length: 4000 }, (_, index) => `${word} ${index}\n`).join(''))
    expect(diffPreview({ path: 'a', before: text('old'), after: text('new') })).toMatch(/^Nearly all of it changes/)
  })

  test('where the old content is too long to compare, as that [T17]', async () => {
    put('a.txt', 'x'.repeat(300_000))
    const review = reviewer()
    expect(
      await fileWrite({ root, requireApproval: true }).call({ path: 'a.txt', content: 'new', mode: 'overwrite' }, { review }),
    ).toMatchObject({ ok: true })
    expect(review.asked[0]?.why).toContain('300000 bytes, is too long to show')
  })
})

test('the change is never shown against another state of the file than the one that it is bound to [T17]', () => {
  put('a.txt', 'by somebody else')
  const request = { path: 'a.txt', content: 'new', mode: 'overwrite', encoding: 'utf8', parents: false, ifHash: 'absent' } as const
  const why = writePreview(new RootedFolder(root), request)
  expect(why).toContain('The file is changing just now')
  expect(why).not.toContain('somebody else')
})

describe('the decision', () => {
  test('of a predicate is asked with the defaults in place [T14] [T17]', async () => {
    const write = fileWrite({ root, requireApproval: ({ mode }) => mode !== 'create' })
    const review = reviewer()
    expect(await write.call({ path: 'a.txt', content: 'one' }, { review })).toMatchObject({ ok: true })
    expect(review.asked).toEqual([])
    expect(await write.call({ path: 'a.txt', content: 'two', mode: 'append' }, { review })).toMatchObject({ ok: true })
    expect(review.asked).toHaveLength(1)
    const journal = memoryJournal()
    expect(await write.call({ path: 'b.txt', content: 'x' }, { journal })).toMatchObject({ ok: true })
    expect(journal.entries.map(({ kind }) => kind)).toEqual(['call', 'call'])
  })

  test('to reject leaves the file as it was [T14] [T17]', async () => {
    put('a.txt', 'old')
    const review = reviewer({ action: 'reject', reason: 'not that' })
    expect(
      await fileWrite({ root, requireApproval: true }).call({ path: 'a.txt', content: 'new', mode: 'overwrite' }, { review }),
    ).toMatchObject({
      error: { code: 'rejected', outcome: 'not_started' },
    })
    expect(got('a.txt')).toBe('old')
  })

  test('to edit writes what the person wrote [T14] [T17]', async () => {
    put('a.txt', 'old')
    const review = reviewer({ action: 'edit', patch: { content: 'theirs' } })
    expect(
      await fileWrite({ root, requireApproval: true }).call({ path: 'a.txt', content: 'new', mode: 'overwrite' }, { review }),
    ).toMatchObject({ ok: true })
    expect(got('a.txt')).toBe('theirs')
  })

  test('without anybody to ask is a configuration error [T14]', async () => {
    await expect(fileWrite({ root, requireApproval: true }).call({ path: 'a.txt', content: 'x' })).rejects.toThrow(
      "Tool 'file_write' requires approval but no ReviewHandler is configured. Pass one as 'review'.",
    )
    expect(readdirSync(root)).toEqual([])
  })

  test('by a model goes the same way [T17]', async () => {
    const { call } = await resolve([fileWrite({ root, requireApproval: true })])
    const review = reviewer()
    expect(await call('file_write', '{"path":"a.txt","content":"x"}', { review })).toMatchObject({ ok: true })
    expect(review.asked).toHaveLength(1)
    expect(await call('file_write', '{"path":7}', { review })).toMatchObject({ error: { code: 'invalid_input' } })
  })
})

describe('an approval binds to what was shown', () => {
  test.each([
    ['changed', 'overwrite', () => put('a.txt', 'theirs'), 'theirs'],
    ['changed', 'append', () => put('a.txt', 'theirs'), 'theirs'],
    ['deleted', 'overwrite', () => rmSync(join(root, 'a.txt')), undefined],
  ] as const)('a file that was %s meanwhile is left alone by %s [T14] [T17]', async (_how, mode, meanwhile, left) => {
    put('a.txt', 'old')
    const review = reviewer({ action: 'continue' }, meanwhile)
    expect(await fileWrite({ root, requireApproval: true }).call({ path: 'a.txt', content: 'new', mode }, { review })).toMatchObject({
      error: { code: 'conflict', outcome: 'not_started' },
    })
    expect(readdirSync(root)).toEqual(left === undefined ? [] : ['a.txt'])
    expect(left === undefined || got('a.txt') === left).toBe(true)
  })

  test.each(['create', 'overwrite', 'append'] as const)('a file that appeared meanwhile is left alone by %s [T17]', async (mode) => {
    const review = reviewer({ action: 'continue' }, () => put('a.txt', 'theirs'))
    expect(await fileWrite({ root, requireApproval: true }).call({ path: 'a.txt', content: 'new', mode }, { review })).toMatchObject({
      error: { code: 'conflict' },
    })
    expect(got('a.txt')).toBe('theirs')
  })

  test('an edit to another path does not carry the approval there [T17]', async () => {
    put('a.txt', 'old')
    put('b.txt', 'other')
    const review = reviewer({ action: 'edit', patch: { path: 'b.txt' } })
    expect(
      await fileWrite({ root, requireApproval: true }).call({ path: 'a.txt', content: 'new', mode: 'overwrite' }, { review }),
    ).toMatchObject({
      error: { code: 'conflict' },
    })
    expect(got('b.txt')).toBe('other')
  })

  test('nobody is asked about a write that could not succeed [T17]', async () => {
    put('a.txt', 'old')
    const review = reviewer()
    const write = fileWrite({ root, requireApproval: true, maxBytes: 16 })
    for (const [input, code] of [
      [{ path: 'a.txt', content: 'x' }, 'conflict'],
      [{ path: '../x', content: 'x' }, 'path_refused'],
      [{ path: 'none/x', content: 'x' }, 'not_found'],
      [{ path: 'b', content: 'x'.repeat(17) }, 'invalid_input'],
      [{ path: 'a.txt', content: 'x', mode: 'overwrite', ifHash: 'absent' }, 'conflict'],
    ] as const) {
      expect(await write.call(input, { review })).toMatchObject({ error: { code, outcome: 'not_started' } })
    }
    expect(review.asked).toEqual([])
  })
})

describe('in a recorded run', () => {
  const entriesAtRequest = async (): Promise<readonly JournalEntry[]> => {
    const journal = memoryJournal()
    let entries: readonly JournalEntry[] = []
    const review = reviewer({ action: 'continue' }, () => (entries = [...journal.entries]))
    await fileWrite({ root, requireApproval: true }).call(
      { path: 'a.txt', content: 'new', mode: 'overwrite' },
      { review, journal, idempotencyKey: 'r' },
    )
    return entries
  }

  test.each([
    ['is written when it is as it was shown', 'old', { ok: true }],
    ['is left alone when it has changed since', 'theirs', { error: { code: 'conflict' } }],
  ])('that was taken up again, the file %s [T14] [T17]', async (_name, content, end) => {
    put('a.txt', 'old')
    const entries = await entriesAtRequest()
    expect(entries.map(({ kind }) => kind)).toEqual(['decision', 'review'])
    put('a.txt', content)
    const review = reviewer()
    const result = await fileWrite({ root, requireApproval: true }).call(
      { path: 'a.txt', content: 'new', mode: 'overwrite' },
      { review, journal: memoryJournal(entries), idempotencyKey: 'r' },
    )
    expect(review.asked[0]?.why).toContain('-old')
    expect(result).toMatchObject(end)
    expect(got('a.txt')).toBe(result.ok ? 'new' : 'theirs')
  })

  test('a replay of the end writes nothing again [T17]', async () => {
    const journal = memoryJournal()
    const write = fileWrite({ root, requireApproval: true })
    await write.call({ path: 'a.txt', content: 'new' }, { review: reviewer(), journal, idempotencyKey: 'r' })
    put('a.txt', 'theirs')
    const again = { review: reviewer({ action: 'stop' }), journal: memoryJournal(journal.entries), idempotencyKey: 'r' }
    expect(await write.call({ path: 'a.txt', content: 'new' }, again)).toMatchObject({ ok: true, value: { created: true } })
    expect(got('a.txt')).toBe('theirs')
  })

  test('a refusal is replayed as it was [T17]', async () => {
    put('a.txt', 'old')
    const journal = memoryJournal()
    const write = fileWrite({ root, requireApproval: true })
    await write.call({ path: 'a.txt', content: 'new' }, { review: reviewer(), journal, idempotencyKey: 'r' })
    rmSync(join(root, 'a.txt'))
    const again = { review: reviewer(), journal: memoryJournal(journal.entries), idempotencyKey: 'r' }
    expect(await write.call({ path: 'a.txt', content: 'new' }, again)).toMatchObject({ error: { code: 'conflict' } })
    expect(readdirSync(root)).toEqual([])
  })
})

test('a plan with it stands up to check, and shows the gate [T17]', () => {
  const write = fileWrite({ root, requireApproval: true })
  expect(check(pipe(write), {}).filter(({ severity }) => severity === 'error')).toEqual([])
  expect(write).toMatchObject({ name: 'file_write', effect: 'write', idempotent: false })
  expect(write.plan().parts[0]?.tool.plan().gated).toBe(true)
})
