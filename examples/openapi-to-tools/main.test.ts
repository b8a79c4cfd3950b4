import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importFlags } from '../../test/fixtures/prepared.ts'

test('operations of a document are tools, composed to one that asks a person [T17]', () => {
  const printed = execFileSync(process.execPath, [...importFlags, join(import.meta.dirname, 'main.ts')], { encoding: 'utf8' })
  expect(printed.trim().split('\n')).toEqual([
    'library_findBooks (read): Finds books by words of their titles.',
    'library_lendBook (irreversible): Lends a book to a reader.',
    'no tool of PUT /covers/{id}: its body is image/png, which cannot be made of an input of JSON',
    'a person is asked: library_lendBook {"id":1,"body":{"reader":"Ada"}}',
    '{"loan":7}',
    'a person is asked: library_lendBook {"id":2,"body":{"reader":"Ada"}}',
    "Error: Step 'library_lendBook' failed: The service answered 404 Not Found: There is no such book",
    "Error: Invalid input for tool 'library_lendBook': 'id': must be integer; 'body.reader' is missing.",
  ])
})
