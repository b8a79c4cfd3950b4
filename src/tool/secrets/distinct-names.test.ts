import { expect, test } from 'vitest'
import { DistinctNames } from './distinct-names.ts'
import { KnownSecrets } from './known-secrets.ts'
import { mask } from './mask.ts'
import { reviewView } from './review-view.ts'
import { unmask } from './unmask.ts'

function distinct(...names: readonly string[]): readonly string[] {
  const known = new DistinctNames()
  return names.map((name) => known.of(name))
}

test('equal names are numbered', () => {
  expect(distinct('a', 'a', 'b', 'a')).toEqual(['a', 'a#2', 'b', 'a#3'])
})

test('a name that has a number already is not given twice', () => {
  expect(distinct('a', 'a#2', 'a', 'a', 'a#2')).toEqual(['a', 'a#2', 'a#3', 'a#4', 'a#2#2'])
})

test('an edit keeps fields whose names look alike when they are masked', () => {
  const input = { 'k-1': 1, 'k-2': 2, 'k-3': 3 }
  const view = reviewView(input, { propertyNames: { sensitive: true } }, new KnownSecrets())
  expect(view).toEqual({ '••••••': 1, '••••••#2': 2, '••••••#3': 3 })
  expect(unmask({ ...(view as object), '••••••#2': 5 }, { original: input, shown: view })).toEqual({ 'k-1': 1, 'k-2': 5, 'k-3': 3 })
})

test('a map shows all its entries, though their keys look alike when they are masked', () => {
  const map = new Map([
    ['pin=4711', 1],
    ['pin=4712', 2],
  ])
  expect([...(mask(map) as typeof map).keys()]).toEqual(['pin=••••••', 'pin=••••••#2'])
})
