import { describe, expect, test } from 'vitest'
import type { Shape } from './view.ts'
import { viewOf } from './view-of.ts'

const JAVA = [
  'java.lang.IllegalStateException: no tariff',
  '\tat a.b.C.d(C.java:12)',
  'Caused by: java.sql.SQLException: gone',
  '\tat a.b.E.f(E.java:7)',
]
const SAMPLES: readonly (readonly [Shape, string])[] = [
  ['json', '{"orders":[{"id":1,"total":2.5},{"id":2,"total":3}],"page":1}'],
  ['json', '[1, 2, 3, 4]'],
  ['ndjson', '{"a":1}\n{"a":2}\n{"a":3}'],
  ['table', 'id,name,total\n1,"Lovelace, Ada",12.5\n2,Bob,3\n3,Eve,4'],
  ['table', 'id\tname\n1\tAda\n2\tBob\n3\tEve'],
  ['log', '2026-11-16T10:00:00Z INFO started\n2026-11-16T10:00:01Z WARN slow\n2026-11-16T10:00:02Z INFO done'],
  ['log', '10.0.0.1 - - [14/Mar/2026:00:34:17 +0000] "GET /cart HTTP/1.1" 200 512 "-" "curl"\n'.repeat(4).trim()],
  ['trace', `${['2026-11-16T10:00:00Z ERROR [w-1] failed', ...JAVA].join('\n')}\n`.repeat(3)],
  ['diff', 'diff --git a/x.ts b/x.ts\n--- a/x.ts\n+++ b/x.ts\n@@ -1,2 +1,2 @@ f()\n-old\n+new\n same'],
  ['html', '<!doctype html><html><body><h1>Prices</h1><p>All prices.</p></body></html>'],
  ['xml', '<?xml version="1.0"?><feed><entry id="1"><title>A</title></entry><entry id="2"><title>B</title></entry></feed>'],
  ['mail', 'From: Ada <ada@x.example>\nDate: Mon, 01 Jun 2026 08:00:00 +0000\nSubject: Keys\n\nThe keys are with Bob.\n'],
  ['chat', '[10:01] ana: hello\n[10:02] bob: hi\n[10:03] ana: where are the keys?\n[10:04] bob: in Delft\n[10:05] ana: thanks'],
  ['markdown', '# Handbook\n\nEverybody signs the list.\n\n## Keys\n\nThe keys are with the porter at night.'],
  ['prose', 'Everybody signs the list. The keys are with the porter at night, and nobody else has one.'],
  ['mixed', 'NAME      STATUS    AGE\nweb-1     Running   3d\nweb-2     Pending   1d\n\nEvents were quiet.'],
]

describe('a view', () => {
  test.each(SAMPLES)('[R2] knows %s: %j', (shape, text) => {
    expect(viewOf({ text }).shape).toBe(shape)
  })

  test('[R2] lists in lists, maps of like objects and lists side by side are tables', () => {
    const prices = Object.fromEntries(['a', 'b', 'c', 'd'].map((key, at) => [key, { price: at, unit: 'EUR' }]))
    const value = {
      orders: [
        {
          id: 1,
          lines: [
            { sku: 'x', n: 2 },
            { sku: 'y', n: 1 },
          ],
        },
        { id: 2, lines: [{ sku: 'x', n: 5 }] },
      ],
      prices,
      series: { t: [1, 2, 3, 4, 5], v: [5, 4, 3, 2, 1] },
    }
    const { tables } = viewOf({ text: JSON.stringify(value), value })
    expect(tables.map(({ name, rows, columns }) => [name, rows, [...columns.keys()]])).toEqual([
      ['orders[]', 2, ['id']],
      ['orders[].lines[]', 3, ['sku', 'n']],
      ['prices.*', 4, ['key', 'price', 'unit']],
      ['series.{t,v}[]', 5, ['t', 'v']],
    ])
  })

  test('[R2] broken JSON gives the records that are whole, and says so', () => {
    const { shape, tables, notes } = viewOf({ text: '{"items":[{"id":1,"a":2},{"id":2,"a":3},{"id":3,"a"' })
    expect([shape, tables[0]?.rows]).toEqual(['json', 2])
    expect(notes).toEqual(['The JSON is broken or cut off: 2 whole records were read.'])
  })

  test('[R2] base64 is described, not shown', () => {
    const png = Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      Buffer.from('0000000d49484452000002800000 01e0'.replace(' ', ''), 'hex'),
      Buffer.from(Array.from({ length: 400 }, (_, at) => (at * 7919) % 256)),
    ])
    const { blobs } = viewOf({ text: `{"image":"${png.toString('base64')}"}` })
    expect(blobs).toMatchObject([{ mediaType: 'image/png', dimensions: '640x480', bytes: png.length }])
  })

  test('[R2] log lines that differ in their values are one kind of message, with a column for each value', () => {
    const text = Array.from(
      { length: 20 },
      (_, at) => `2026-11-16T10:00:${String(at).padStart(2, '0')}Z INFO [worker] job ${at} finished in ${at * 3} ms`,
    ).join('\n')
    const { tables } = viewOf({ text })
    const kinds = tables.find(({ name }) => name === 'messages')
    expect([kinds?.rows, kinds?.cell(0, 'message'), kinds?.cell(0, 'count')]).toEqual([1, 'job * finished in * ms', 20])
    expect([...(tables.at(-1)?.columns.keys() ?? [])]).toEqual(['time', 'component', 'job', 'finished in'])
  })

  test('[R2] hostile outputs are looked at in bounded time', () => {
    const hostile = [
      'a'.repeat(1_000_000),
      '['.repeat(100_000),
      '{"a":'.repeat(20_000),
      '<a href='.repeat(40_000),
      '\n'.repeat(400_000),
      `${'x y '.repeat(300_000)}`,
      '"'.repeat(100_000),
      `${'{"k":1,'.repeat(20_000)}`,
      '<!--'.repeat(50_000),
      'A1b2'.repeat(200_000),
    ]
    for (const text of hostile) expect(viewOf({ text }).text).toBe(text)
  })
})
