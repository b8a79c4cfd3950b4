import { describe, expect, test } from 'vitest'
import { viewOf } from '../view/view-of.ts'
import { factsOf, profilesOf } from './facts-of.ts'
import { TaskWords } from './task-words.ts'

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const factsAbout = (output: string | object): string[] => {
  const view = viewOf(typeof output === 'string' ? { text: output } : { text: JSON.stringify(output), value: output })
  return factsOf(view, profilesOf(view.tables), new TaskWords()).flatMap(({ text, short }) => [text, short ?? ''])
}

describe('what is said of groups', () => {
  const sales = times(300, (at) => ({
    id: `S-${at}`,
    seller: `Seller ${String.fromCodePoint(65 + (at % 15))}`,
    total: at % 15 === 4 ? 90 : (at * 7) % 23,
    day: new Date(Date.UTC(2026, 0, 1 + Math.floor(at / 5))).toISOString().slice(0, 10),
  }))

  test('[R2] of many groups the first ones and the last are said in short', () => {
    expect(factsAbout(sales)).toContainEqual(
      expect.stringMatching(/^sum of total by seller: most Seller E 1800, .*; least Seller . \d+; 15 groups$/),
    )
  })

  test('[R2] of more periods than can be listed, those with the most', () => {
    expect(factsAbout(sales)).toContainEqual(
      expect.stringMatching(/^sum of total by day: most 2026-\d\d-\d\d \d+, .*; least .*; 60 groups$/),
    )
  })

  test('[R2] the highest row of each group is named, and those next to the highest of all', () => {
    const rows = times(60, (at) => ({
      id: `R-${at}`,
      kind: ['x', 'y'][at % 2],
      size: at === 31 ? 900 : at === 12 ? 800 : at === 8 ? 700 : at,
    }))
    const facts = factsAbout(rows)
    expect(facts).toContain('size, next to the highest: 800 (R-12), 700 (R-8)')
    expect(facts).toContainEqual(expect.stringMatching(/^size by kind: .*max 800 R-12.*/))
  })

  test('[R2] a code and its name are said once, with what stands for what', () => {
    const rows = times(60, (at) => ({
      id: `R-${at}`,
      state: { code: ['OP', 'CL'][at % 3 === 0 ? 0 : 1], label: ['open', 'closed'][at % 3 === 0 ? 0 : 1] },
      size: (at * 7) % 41,
    }))
    const facts = factsAbout(rows)
    expect(facts).toContain('state.label: closed 40, open 20')
    expect(facts).toContain('state.code: as state.label: OP 20 = open, CL 40 = closed')
    expect(facts.filter((fact) => fact.startsWith('sum of size by state.'))).toHaveLength(1)
  })

  test.each([
    ['folders', (at: number) => `src/${['net', 'ui'][at % 2]}/f${at}.c`, 'name by folder: src/net 30, src/ui 30'],
    ['domains', (at: number) => `u${at}@${['a.example', 'b.example'][at % 3 === 0 ? 0 : 1]}`, 'name by domain: b.example 40, a.example 20'],
    ['beginnings', (at: number) => `${['web', 'job'][at % 2]}-${(at * 7919).toString(36)}`, 'name by beginning: web 30, job 30'],
  ])('[R2] names are counted by their %s', (_what, nameOf, said) => {
    expect(factsAbout(times(60, (at) => ({ name: nameOf(at), n: at })))).toContain(said)
  })

  test('[R2] numbers of things and days in digits are not added', () => {
    const facts = factsAbout(
      times(40, (at) => ({ ref: 100_003 + ((at * 7919) % 800_000), born: `19${60 + (at % 30)}0${1 + (at % 9)}1${at % 9}`, size: at })),
    )
    expect(facts.filter((fact) => /^(?:ref|born).*sum/.test(fact))).toEqual([])
    expect(facts).toContainEqual(expect.stringMatching(/^born: 1960\d+ .*to 1989\d+/))
  })
})

describe('what is said of words', () => {
  test('[R2] words and phrases that come again are counted', () => {
    const hearing = times(60, (at) => [
      `Q. What did you see at gate ${at} on that morning?`,
      ...(at % 6 === 0 ? ['MR. ABARA: Objection.', at % 12 === 0 ? 'THE COURT: Sustained.' : 'THE COURT: Overruled.'] : []),
      `A. I saw the crane number ${at} moving slowly.`,
    ]).flat()
    const said = factsAbout(hearing.join('\n')).join('\n')
    expect(said).toContain('Objection 10')
    expect(said).toContain('Sustained 5')
  })

  test('[R2] a note whose words no other note has goes before the others', () => {
    const words = ['office', 'report', 'market', 'review', 'safety', 'supply']
    const notes = times(80, (at) => times(5, (each) => words[(at * 7919 + each * (at % 11) * 31 + ((at * each) % 13)) % 6]).join(' '))
    notes[37] = 'found with a broken seal'
    const view = viewOf({ text: JSON.stringify(notes.map((note, at) => ({ id: `N-${at}`, note }))) })
    const spoken = factsOf(view, profilesOf(view.tables), new TaskWords('Report on the market.')).filter(({ text }) =>
      text.startsWith('[N-'),
    )
    expect(spoken.toSorted((a, b) => b.worth - a.worth)[0]?.text).toBe('[N-37 note] found with a broken seal')
  })
})
