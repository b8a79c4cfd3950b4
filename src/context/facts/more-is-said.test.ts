import { describe, expect, test } from 'vitest'
import { fillBudget } from '../fill-budget.ts'
import { estimateTokens } from '../tokens.ts'
import { viewOf } from '../view/view-of.ts'
import { factsOf, profilesOf } from './facts-of.ts'
import { TaskWords } from './task-words.ts'

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const factsAbout = (output: string | object): string[] => {
  const view = viewOf(typeof output === 'string' ? { text: output } : { text: JSON.stringify(output), value: output })
  return factsOf(view, profilesOf(view.tables), new TaskWords()).flatMap(({ text, short }) => [text, short ?? ''])
}

describe('what is said of a table', () => {
  test.each([
    ['a word among phrases with numbers', (at: number) => (at === 31 ? 'NODE_FAIL' : at % 2 === 0 ? `CANCELLED by ${at}` : 'DONE')],
    ['a file of another folder', (at: number) => (at === 31 ? '/etc/ssl/old-2019/p31.pem' : `/etc/ssl/live/p${at}.pem`)],
    ['an image without a version', (at: number) => (at === 31 ? 'lan/shop/p31:latest' : `lan/shop/p${at}:1.${at}.0`)],
  ])('[R2] %s stands out', (_what, valueOf) => {
    const facts = factsAbout(times(80, (at) => ({ id: `J-${at}`, value: valueOf(at) })))
    expect(facts).toContain(`J-31: value=${valueOf(31)}`)
  })

  test('[R2] random identifiers do not stand out by their letters', () => {
    const ids = times(60, (at) => ({ id: `p_${(at * 7919 + 13).toString(36)}${at % 3 === 0 ? 'x' : at}`, n: at * at }))
    expect(factsAbout(ids).filter((fact) => fact.includes(': id='))).toEqual([])
  })

  test('[R2] a record is called by its own identifier, not by the name of its customer', () => {
    const orders = times(40, (at) => ({ id: `A-${at}`, customer: { name: `Customer ${at}` }, total: (at * 7) % 41 }))
    expect(factsAbout(orders).some((fact) => fact.startsWith('total: min 0, max 40 (A-'))).toBe(true)
  })

  test('[R2] numbers are added for two categories together; of many values the most frequent ones are said', () => {
    const rows = times(400, (at) => ({
      city: ['Delft', 'Gent'][at % 2],
      state: `s${at % 20}`,
      kind: ['x', 'y'][at % 4 < 2 ? 0 : 1],
      total: 1.5,
    }))
    const facts = factsAbout(rows.map((row, at) => ({ ...row, total: row.total + (at % 5) })))
    expect(facts).toContain('sum of total by city and kind: Delft (x 350, y 350), Gent (x 350, y 350)')
    expect(facts).toContainEqual(expect.stringMatching(/^state by city: Delft \(s0 20, .*s18 20\), Gent \(/))
  })

  test('[R2] rows and numbers by the periods of which there are some', () => {
    const rows = times(90, (at) => ({ at: new Date(Date.UTC(2026, 0, 1, at * (at % 2 === 0 ? 1 : 0.9))).toISOString(), total: at % 4 }))
    const facts = factsAbout(rows)
    expect(facts).toContainEqual(expect.stringMatching(/^rows by day: 2026-01-01 \d+, 2026-01-02 \d+/))
    expect(facts).toContainEqual(expect.stringMatching(/^sum of total by day: 2026-01-01 \d+, /))
  })

  test('[R2] how long rows last, where they begin and end', () => {
    const rows = times(20, (at) => ({
      id: `E${at}`,
      start: `2026-01-01T10:${10 + at}:00Z`,
      end: `2026-01-01T11:${10 + (at === 7 ? 45 : at)}:00Z`,
    }))
    expect(factsAbout(rows)).toContainEqual(expect.stringContaining('duration in s, computed: min 3600, max 5880 (E7)'))
  })

  test('[R2] what a text says again and again, and names in it', () => {
    const lines = times(
      30,
      (at) => `The clerk of room ${at} raised a ValueError, and nobody ${at % 2 === 0 ? 'came' : 'went'} there. The door was shut.`,
    )
    const facts = factsAbout(lines.join('\n\n'))
    expect(facts).toContain('said more than once: The door was shut. 30')
    expect(facts).toContain('names, with how often they come: ValueError 30')
  })
})

describe('a budget', () => {
  const facts = times(50, (at) => ({ text: `fact number ${at} of the table`, worth: 0.6 / (at + 1), part: 'table', order: 1 }))
  const said = (budget: number, plenty?: number): number =>
    fillBudget(facts, { budget, count: estimateTokens, leastWorth: 0.01, plenty }).tokens

  test('[R2] [R4] of which much is left is spent on what says less', () => {
    expect(said(2000)).toBeGreaterThan(2 * said(100_000, 1))
    expect(said(100_000, 1)).toBeGreaterThan(0)
  })

  test('[R4] is not spent because it is large', () => {
    expect(said(100_000, 200)).toBe(said(1_000_000, 200))
  })
})

test('[R2] the record with the most rows below it is named', () => {
  const packages = times(20, (at) => ({ name: `p${at}`, needs: times(at === 13 ? 9 : 1 + (at % 3), (need) => ({ on: `q${need}` })) }))
  expect(factsAbout({ packages })).toContain('rows for each: 1 to 9 (p13)')
})
