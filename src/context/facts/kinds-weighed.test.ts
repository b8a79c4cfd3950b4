import { describe, expect, test } from 'vitest'
import { fillBudget } from '../fill-budget.ts'
import { estimateTokens } from '../tokens.ts'
import { viewOf } from '../view/view-of.ts'
import { factsOf, profilesOf } from './facts-of.ts'
import { TaskWords } from './task-words.ts'

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const factsAbout = (value: object | string): ReturnType<typeof factsOf> => {
  const view = viewOf(typeof value === 'string' ? { text: value } : { text: JSON.stringify(value), value })
  return factsOf(view, profilesOf(view.tables), new TaskWords())
}
const textsAbout = (value: object | string): string[] => factsAbout(value).map(({ text }) => text)

describe('kinds of facts', () => {
  const teams = ['red', 'blue', 'green', 'amber']
  const rows = times(80, (at) => ({
    team: teams[at % 4],
    site: `site ${at % 5}`,
    kind: `kind ${at % 3}`,
    cost: 10 + ((at * 37) % 90),
    hours: 1 + ((at * 13) % 40),
    note:
      at === 41 ? 'The valve of pump K-7731 must be replaced before 3 March.' : `Looked at it again as usual, nothing new in round ${at}.`,
  }))

  test('[R2] a sentence that stands out is said before more about groups', () => {
    const said = (budget: number): string => fillBudget(factsAbout({ rows }), { budget, count: estimateTokens, leastWorth: 0.01 }).text
    expect(said(120)).toContain('pump K-7731 must be replaced')
  })

  test('[R2] a table of samples has a time and a value, whose mean is said, and moments in words', () => {
    const result = ['web', 'db'].map((host, at) => ({
      metric: { host },
      values: times(60 - 9 * at, (step) => [1_760_000_000 + 60 * step, String(at + (step % 7))]),
    }))
    const texts = textsAbout({ result })
    expect(texts).toContain('rows for each: 51 (db) to 60 (web)')
    expect(texts).toContainEqual(expect.stringMatching(/^time: 1760000000 \(2025-10-09T08:53:20Z\)/))
    expect(texts).toContainEqual(expect.stringMatching(/^mean of value of each: db /))
  })

  test('[R2] a list of pairs without times has no names', () => {
    expect(textsAbout({ points: times(20, (at) => [at, at * at]) })).toContainEqual(expect.stringMatching(/^points\[\]: 20 rows; 0, 1$/))
  })
})
