import { expect, test } from 'vitest'
import { textTable } from './text-table.ts'

test('columns are aligned, the last one is cut, and nothing in a cell can move the cursor', () => {
  const rows = [
    ['a', 'x\u001B[2J'],
    ['longer', 'y'.repeat(40)],
  ]
  expect(textTable(rows, { width: 30 }).split('\n')).toEqual(['a       x\\u{1b}[2J', `longer  ${'y'.repeat(21)}…`])
  expect(textTable(rows).split('\n')[1]).toBe(`longer  ${'y'.repeat(40)}`)
})
