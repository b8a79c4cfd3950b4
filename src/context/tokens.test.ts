import { describe, expect, test } from 'vitest'
import { estimateTokens, gptTokens } from './tokens.ts'

const SAMPLES: Readonly<Record<string, string>> = {
  prose:
    'The deposit goes to the account of the hall, with the date of the evening as the reference. Nobody has seen the keys since.'.repeat(8),
  json: JSON.stringify(
    Array.from({ length: 40 }, (_, at) => ({
      id: `A-${1000 + at}`,
      customer: 'Ada Lovelace',
      total: at * 13.37,
      status: at % 3 === 0 ? 'open' : 'paid',
      createdAt: '2026-11-16T10:00:00Z',
    })),
  ),
  log: Array.from(
    { length: 40 },
    (_, at) => `2026-11-16T10:00:${String(at).padStart(2, '0')}.123Z INFO [worker-${at}] job ${at * 7919} finished in ${at * 31} ms`,
  ).join('\n'),
  code: 'export function estimateTokens(text: string): number {\n  let tokens = 0\n  for (const [piece] of text.matchAll(WORD)) tokens += costOf(piece)\n  return Math.ceil(tokens)\n}\n'.repeat(
    6,
  ),
  csv: Array.from({ length: 60 }, (_, at) => `SH25${100000 + at},2025-W${at % 52},Gdansk,Rotterdam,${at * 91}.5,delivered`).join('\n'),
  german: 'Die Straßenbahn fährt über die Brücke, während die Möwen schreien und niemand an die Rückgabe denkt. '.repeat(6),
  markup: '<table class="wide"><tr><td>Price</td><td>12.50</td></tr></table>'.repeat(20),
}

describe('an estimate of tokens', () => {
  test.each(Object.entries(SAMPLES))('[R4] of %s is at least the count, and at most 1.8 times as much', async (_name, text) => {
    const counted = (await gptTokens())(text)
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(counted)
    expect(estimateTokens(text)).toBeLessThanOrEqual(1.8 * counted)
  })

  test('[R4] other writings and symbols are never counted too low', async () => {
    const count = await gptTokens()
    for (const text of [
      '日本語の文章はここにあります。注文は三件です。',
      'Заказы клиента не найдены',
      '🙂🎉👨‍👩‍👧',
      'مرحبا بالعالم',
      '한국어 문장입니다',
    ]) {
      expect(estimateTokens(text)).toBeGreaterThanOrEqual(count(text))
    }
  })
})

test('[R4] a text that spells a special token is counted as text', async () => {
  expect((await gptTokens())('<|endoftext|>')).toBeGreaterThan(1)
})
