import { expect, test } from 'vitest'
import { clausesOf as readClauses } from './clauses.ts'

const clausesOf = (request: string): string[] => readClauses(request).map(({ text }) => text)

test('a request of one wish has no clauses, one of several has each', () => {
  expect(clausesOf('will it rain in Paris tomorrow?')).toEqual([])
  expect(clausesOf('Pay the customer back and then write a mail to her boss')).toEqual([
    'Pay the customer back',
    'write a mail to her boss',
  ])
})

test('a point inside a number, a file name or an address ends no clause, and neither does an adjective', () => {
  expect(clausesOf("Lend me $35.4 for a year. Read 'a/survival.csv' from https://example.com/a.b! Predict my next big purchase.")).toEqual([
    'Lend me $35.4 for a year',
    "Read 'a/survival.csv' from https://example.com/a.b",
    'Predict my next big purchase',
  ])
})

test('no word of a request of many wishes is left out, however many there are', () => {
  const wishes = Array.from({ length: 40 }, (_, at) => `find the thing number${at} for me`)
  const clauses = clausesOf(`${wishes.join('. ')}.`)
  expect(clauses.length).toBe(6)
  for (const wish of wishes) expect(clauses.filter((clause) => clause.includes(`${wish.split(' ')[3]} `))).toHaveLength(1)
})
