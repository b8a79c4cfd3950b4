import { expect, test } from 'vitest'
import { repeats, withoutRepeated } from './repeated-text.ts'

const long = `relation "ledger" does not exist ${'x'.repeat(500)}`

test.each([
  ['all of it', long, `a failed: ${long}.`],
  ['an excerpt', long, `a failed: ${long.slice(0, 200)}... (533 characters)`],
  ['its second line', 'ab\nrelation ledger\nmore', 'a failed: relation ledger'],
])('a text repeats a message: %s', (_, message, text) => {
  expect(repeats(text, message)).toBe(true)
  const told = withoutRepeated(text, message, 'a reason')
  expect(told).toMatch(/^a failed: a reason/)
  expect(told).not.toMatch(/ledger|xx/)
})

test('a text of an author repeats nothing', () => {
  expect(repeats('The ledger is closed.', 'relation "ledger" does not exist')).toBe(false)
  expect(repeats('a b', 'a\n\nb')).toBe(false)
  expect(withoutRepeated('The ledger is closed. The ledger is closed.', 'gone away', 'x')).toBe(
    'The ledger is closed. The ledger is closed.',
  )
  expect(withoutRepeated('gone away, gone away!', 'gone away', 'x')).toBe('x, x!')
})
