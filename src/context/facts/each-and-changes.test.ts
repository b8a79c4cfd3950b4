import { describe, expect, test } from 'vitest'
import { viewOf } from '../view/view-of.ts'
import { factsOf, profilesOf } from './facts-of.ts'
import { TaskWords } from './task-words.ts'

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const moment = (at: number): string => new Date(1_760_000_000_000 + at * 60_000).toISOString()
const factsAbout = (value: object): string[] => {
  const view = viewOf({ text: JSON.stringify(value), value })
  return factsOf(view, profilesOf(view.tables), new TaskWords()).map(({ text }) => text)
}
const course = (at: number, host: number): number => 100 * host + Math.round(20 * Math.sin(at / 9)) + (host === 2 && at >= 70 ? 500 : 0)

describe('numbers of several things', () => {
  const nested = times(3, (host) => ({
    metric: { name: 'memory', instance: `edge-${host + 1}` },
    values: times(100, (at) => [1_760_000_000 + at * 60, String(course(at, host + 1))]),
  }))
  const flat = times(300, (at) => ({
    host: `edge-${(at % 3) + 1}`,
    at: moment(Math.floor(at / 3)),
    memory: course(Math.floor(at / 3), (at % 3) + 1),
  }))

  test.each([
    ['below their records', nested, /^value of each: .*edge-2 memory max 720 \(176000\d+\)/],
    ['among each other', flat, /^memory of each: .*edge-2 max 720 \(2025-\S+\)/],
  ])('[R2] are told apart, where they stand %s', (_where, value, expected) => {
    expect(factsAbout(value)).toContainEqual(expect.stringMatching(expected))
  })

  test('[R2] rows that no column names are named by two', () => {
    const rows = times(24, (at) => ({ host: `h${at % 6}`, kind: `k${Math.floor(at / 6)}`, load: at === 17 ? 900 : at }))
    expect(factsAbout(rows)).toContainEqual(expect.stringMatching(/^load: .*max 900 \(h5 k2\)/))
  })

  test('[R2] what is compared is not added, and what is added comes before it', () => {
    const rows = times(60, (at) => ({
      id: `o-${at}`,
      unit_price: at % 7,
      discount_pct: at % 5,
      qty: at,
      region: `r${at % 3}`,
      net_total: at * 3,
    }))
    const facts = factsAbout(rows)
    expect(facts).toContainEqual(expect.stringMatching(/^sum of net_total by region: /))
    expect(facts).toContainEqual(expect.stringMatching(/^mean of unit_price by region: /))
    expect(facts.join('\n')).not.toMatch(/^sum of (?:unit_price|discount_pct) by/m)
  })
})

describe('what changes in the course of rows', () => {
  test('[R2] a value that holds and then is another, with when', () => {
    const rows = times(60, (at) => ({ at: moment(at), replicas: at < 40 ? 6 : 9 }))
    expect(factsAbout(rows)).toContain(`replicas changes: 6, 9 from ${moment(40)} (after ${moment(39)})`)
  })

  test('[R2] a number that jumps, with when and whose', () => {
    const rows = times(200, (at) => ({
      host: `h${at % 2}`,
      at: moment(Math.floor(at / 2)),
      load: course(Math.floor(at / 2), (at % 2) + 1),
    }))
    expect(factsAbout(rows)).toContainEqual(expect.stringMatching(new RegExp(`^load, largest step of h1: .* to 720 \\(${moment(70)}\\)$`)))
  })

  test('[R2] numbers in any order have no steps', () => {
    const rows = times(200, (at) => ({ at: moment(at), load: (at * at * 7919 + at * 31) % 997 }))
    expect(factsAbout(rows).join('\n')).not.toContain('largest step')
  })
})
