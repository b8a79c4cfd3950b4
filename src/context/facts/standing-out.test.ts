import { describe, expect, test } from 'vitest'
import { viewOf } from '../view/view-of.ts'
import { factsOf, profilesOf } from './facts-of.ts'
import { TaskWords } from './task-words.ts'

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

function factsAbout(value: object): readonly { readonly text: string; readonly short?: string | undefined; readonly worth: number }[] {
  const view = viewOf({ text: JSON.stringify(value), value })
  return factsOf(view, profilesOf(view.tables), new TaskWords()).toSorted((a, b) => b.worth - a.worth)
}

describe('what stands out in a table', () => {
  test('[R2] a text that is unlike the others of its column', () => {
    const rows = times(60, (at) => ({
      id: `B-${at}`,
      said: at === 41 ? 'reversal of B-7 after a call' : `${['rate', 'invoice'][at % 2]} ${at}`,
      paid: 'yes',
    }))
    const odd = factsAbout({ rows }).find(({ text }) => text.includes('reversal of B-7'))
    expect(odd?.short).toBe('B-41: said=reversal of B-7 after a call')
    expect(odd?.worth).toBeGreaterThan(1)
  })

  test('[R2] codes and numbers of vouchers are not added up', () => {
    const rows = times(200, (at) => ({ voucherNr: 20_000 + 3 * (at % 150), account: 4100 + 100 * (at % 5), total: at / 4 }))
    const texts = factsAbout({ rows }).map(({ text }) => text)
    expect(texts.some((text) => text.startsWith('account: 4100 40, 4200 40'))).toBe(true)
    expect(texts.filter((text) => /sum of (?:voucherNr|account)/.test(text))).toEqual([])
    expect(texts.some((text) => text.startsWith('sum of total by account'))).toBe(true)
  })

  test('[R2] a row is not called by what it happens to carry, and a header is said no sooner than a field', () => {
    const entries = times(30, (at) => ({
      url: `/items/${at}`,
      took: 3 * at,
      type: ['html', 'json', 'png'][at % 3],
      headers: [
        { name: 'request-id', value: `${at}f0f0f0f0f0` },
        { name: 'type', value: ['html', 'json', 'png'][at % 3] },
      ],
    }))
    const texts = factsAbout({ entries }).map(({ text }) => text)
    expect(texts.some((text) => text.startsWith('took: min 0 (/items/0), max 87 (/items/29)'))).toBe(true)
    expect(texts.some((text) => text.startsWith('type: html 10, json 10, png 10'))).toBe(true)
  })
})
