import { describe, expect, test } from 'vitest'
import { outputRouter } from '../output-router.ts'
import { OutputReader, type ReadQuery } from '../read/output-reader.ts'
import { estimateTokens } from '../tokens.ts'
import { linePairs } from './line-pairs.ts'
import { viewOf } from './view-of.ts'

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const read = async (text: string, query: ReadQuery): Promise<string> =>
  (await new OutputReader({ text }).read(query, { maxTokens: 900, count: estimateTokens })).text

const HEADERS = ['Received: from smtp (10.0.0.1) by lists; later', 'Message-ID: <7@x>', 'X-Trace: one,\n two']

describe('a mail', () => {
  const mail = (at: number, order: 'before' | 'behind'): string => {
    const from = `From: ${at % 3 === 0 ? 'Ana Lima' : 'Bo Ek'} <p${at % 3}@x.example>`
    const date = `Date: Tue, 0${1 + at} Sep 2026 10:00:00 +0000`
    const own = order === 'before' ? [...HEADERS, date, from, 'Subject: Keys'] : [from, ...HEADERS, 'Subject: Keys', date]
    const file = at === 4 ? ['', '--b1', 'Content-Disposition: attachment; filename="plan.ods"', '', '--b1--'] : []
    return [`From p${at}@x.example Tue Sep  1 10:00:00 2026`, ...own, '', ...times(2 + at, () => 'A line of text.'), ...file, ''].join('\n')
  }

  test.each(['before', 'behind'] as const)('[R2] has its own headers, whatever stands %s its sender', (order) => {
    const [table] = viewOf({ text: times(6, (at) => mail(at, order)).join('\n') }).tables
    expect(table?.columns.get('date')).toEqual(times(6, (at) => `Tue, 0${1 + at} Sep 2026 10:00:00 +0000`))
    expect(table?.columns.get('x-trace')).toEqual(times(6, () => 'one, two'))
    expect(table?.columns.get('lines')).toEqual(times(6, (at) => 2 + at))
    expect(table?.columns.get('attachments')?.filter((each) => each !== undefined)).toEqual(['plan.ods'])
  })

  test('[R4] can be asked for the longest one', async () => {
    const text = times(6, (at) => mail(at, 'before')).join('\n')
    expect(await read(text, { aggregate: { max: 'lines' } })).toMatch(/max of lines 7 in .*date=Tue, 06 Sep 2026.*from=Bo Ek/)
  })
})

test('[R2] a line of the log of a machine has its host and its program beside its message', () => {
  const text = times(20, (at) => `Nov 17 04:00:${10 + at} mx2 ${at % 2 === 0 ? 'postfix/qmgr[12]' : 'kernel'}: job ${at} ended`).join('\n')
  const [table] = viewOf({ text }).tables
  expect(new Set(table?.columns.get('host'))).toEqual(new Set(['mx2']))
  expect(table?.columns.get('component')?.slice(0, 2)).toEqual(['postfix/qmgr', 'kernel'])
})

test('[R2] pairs with room between them are pairs, whatever words their values have', () => {
  expect(linePairs('  Shelf: K 396.36   Branch: Quarry Road   Status: on loan')).toEqual([
    ['Shelf', 'K 396.36'],
    ['Branch', 'Quarry Road'],
    ['Status', 'on loan'],
  ])
  expect(linePairs('src/web/a.ts:55:    return x = config.retries')).not.toContainEqual(['return x', 'config.retries'])
})

test('[R3] where tokens are few, the block is short: which tool, which call, when, and where the rest is', async () => {
  const text = times(400, (at) => `note ${at}: nothing new on day ${at}`).join('\n')
  const chat = outputRouter({ budget: { window: 20_000, maxOutput: 200 } }).conversation()
  const provenance = { tool: 'notes@1.2.0', invocationId: 'call-7', timestamp: Date.UTC(2026, 10, 19, 4, 30, 12) }
  const admitted = await chat.admit({ ok: true, text, value: text, provenance })
  const [block] = chat.frame.read(admitted.text)
  expect(block?.attributes).toEqual({ tool: 'notes', call: 'call-7', at: '20261119T0430Z', pointer: admitted.pointer })
})
