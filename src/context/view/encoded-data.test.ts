import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OutputReader, type ReadQuery } from '../read/output-reader.ts'
import { estimateTokens } from '../tokens.ts'
import { takeOutBlobs } from './blobs.ts'
import { viewOf } from './view-of.ts'

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const read = async (text: string, query: ReadQuery): Promise<string> =>
  (await new OutputReader({ text }).read(query, { maxTokens: 900, count: estimateTokens })).text

const WIDTHS = fc.constantFrom(60, 64, 72, 76)
const BREAKS = fc.constantFrom('\n', '\r\n')
const wrapped = (data: string | Buffer, width: number, end: string): string =>
  (
    Buffer.from(data)
      .toString('base64')
      .match(new RegExp(`.{1,${width}}`, 'g')) ?? []
  ).join(end)

interface Mailed {
  readonly end: string
  readonly width: number
  readonly file: string | Buffer
  readonly indent?: string
}

/** Two mails with a body for seven bits, a file, and a note. */
function mails({ end, width, file, indent = '' }: Mailed): string {
  const mail = (at: number): string =>
    [
      'From: Ana Lima <ana@x.example>',
      `Subject: =?UTF-8?B?${Buffer.from('Die Prüfung').toString('base64')}?= =?iso-8859-1?Q?_der_Caf=E9s?=`,
      `Date: Tue, 0${at + 1} Nov 2026 10:00:00 +0000`,
      'X-Trace: one,',
      ' two',
      'Content-Type: multipart/mixed; boundary="b1"',
      '',
      '--b1',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'The crane of the harbour=',
      ' is closed until noon, says Caf=C3=A9 Zentral.',
      '--b1',
      'Content-Transfer-Encoding: base64',
      `Content-Disposition: attachment; filename="order-${at}.csv"`,
      '',
      indent + wrapped(file, width, end + indent),
      '--b1--',
      '',
    ].join(end)
  return times(2, mail).join(end)
}

const CSV = ['sku,qty,price', ...times(40, (at) => `SKU-${at},${at % 7},${at}.25`)].join('\n')

describe('encoded data', () => {
  test('[R4] in lines of any width and with any ends are decoded: searched, counted, and named by their file', async () => {
    await fc.assert(
      fc.asyncProperty(WIDTHS, BREAKS, fc.constantFrom('', '  '), async (width, end, indent) => {
        const text = mails({ end, width, indent, file: CSV })
        expect(await read(text, { query: 'SKU-33' })).toMatch(/^2 matches in 2 lines\n.*order-0\.csv.*SKU-33,5,33\.25\n.*order-1\.csv/)
        expect(await read(text, { aggregate: { sum: 'qty', where: { sku: { in: ['SKU-5', 'SKU-6'] } } } })).toContain('sum of qty 22')
        expect(await read(text, { aggregate: { groupBy: 'from' } })).toContain('Ana Lima <ana@x.example>: count 2')
        expect(await read(text, { query: 'harbour is closed until noon, says Café' })).toMatch(/^2 matches in 2 lines\n/)
        expect(await read(text, { query: 'Prüfung der Cafés' })).toMatch(/^2 matches in 2 lines\n/)
      }),
      { numRuns: 16 },
    )
  })

  test('[R4] keep their lines: what stands behind them has the number that it has in the output', () => {
    fc.assert(
      fc.property(WIDTHS, BREAKS, fc.uint8Array({ minLength: 150, maxLength: 900 }), (width, end, bytes) => {
        const text = mails({ end, width, file: Buffer.from(bytes) })
        const { lines, blobs } = viewOf({ text })
        expect(lines).toHaveLength(text.split('\n').length)
        expect(lines.findLastIndex((line) => line === '--b1--')).toBe(text.split(end).lastIndexOf('--b1--'))
        for (const { at, length } of blobs) expect(Buffer.from(text.slice(at, at + length), 'base64')).toEqual(Buffer.from(bytes))
      }),
      { numRuns: 50 },
    )
  })

  test('[R4] are decoded where they are short, if they say something', async () => {
    const secret = Buffer.from('The key of the locker is 5230-kiso.').toString('base64')
    expect(await read(`name,content\nnote.txt,${secret}\n`, { query: 'locker' })).toContain(
      'note.txt,<decoded: The key of the locker is 5230-kiso.>',
    )
    expect(await read(JSON.stringify({ files: [{ name: 'note.txt', content: secret }, { name: 'b' }] }), { query: 'locker' })).toContain(
      'note.txt',
    )
  })

  test('[R4] a name, a path or a random identifier is none', () => {
    const names = fc.oneof(
      fc.stringMatching(/^(?:[A-Z][a-z]{2,8}\d?){3,8}$/),
      fc.stringMatching(/^(?:[a-z]{2,9}\/){3,9}[A-Z][a-z]{3,9}\d$/),
      fc.uint8Array({ minLength: 18, maxLength: 90 }).map((bytes) => Buffer.from(bytes).toString('base64')),
      fc.uint8Array({ minLength: 16, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex')),
    )
    fc.assert(
      fc.property(fc.array(names, { minLength: 1, maxLength: 20 }), (all) => {
        const text = all.join('\n')
        expect(takeOutBlobs(text)).toEqual({ text, blobs: [] })
      }),
      { numRuns: 300 },
    )
  })
})
