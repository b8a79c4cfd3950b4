import { describe, expect, test } from 'vitest'
import { firstPage } from './first-page.ts'

const SCHEMA = {
  type: 'object',
  properties: {
    query: { type: 'string' },
    page: { type: 'integer', minimum: 1 },
    offset: { type: 'integer' },
    page_size: { type: 'integer' },
    cursor: { type: 'string' },
  },
  required: ['query'],
}

describe('firstPage', () => {
  test.each([
    ['Page 9 is beyond the last page.', { query: 'a', page: 9 }, { query: 'a', page: 1 }],
    ['page out of range', { query: 'a', page: 9 }, { query: 'a', page: 1 }],
    ['There are only 3 pages.', { query: 'a', page: 9 }, { query: 'a', page: 1 }],
    ['The offset exceeds the number of results.', { query: 'a', offset: 500 }, { query: 'a', offset: 0 }],
    ['offset too large', { query: 'a', offset: 500, page_size: 10 }, { query: 'a', offset: 0, page_size: 10 }],
    ['The cursor has expired.', { query: 'a', cursor: 'x9' }, { query: 'a' }],
  ])('reads "%s"', (message, input, expected) => {
    const before = structuredClone(input)
    expect(firstPage(SCHEMA, { input, message })?.input).toEqual(expected)
    expect(input).toEqual(before)
  })

  test.each([
    ['The page size is too large.', { query: 'a', page: 9, page_size: 900 }],
    ['per_page exceeds 100', { query: 'a', page: 9 }],
    ['Page 1 is beyond the last page.', { query: 'a', page: 1 }],
    ['Nothing found.', { query: 'a', page: 9 }],
    ['The offset is too large.', { query: 'a' }],
    ['The offset is too large.', { query: 'a', offset: 'x' }],
    ['The page is beyond the end.', 'a text'],
    ['The cursor has expired.', { query: 'a', page: 9 }],
  ])('does nothing about "%s" and %j', (message, input) => {
    expect(firstPage(SCHEMA, { input, message })).toBeUndefined()
  })

  test('changes no field that the schema does not declare, and drops no required cursor', () => {
    const message = 'Page beyond the end, cursor invalid.'
    expect(firstPage({ type: 'object', properties: {} }, { input: { page: 9 }, message })).toBeUndefined()
    const required = { type: 'object', properties: { cursor: { type: 'string' } }, required: ['cursor'] }
    expect(firstPage(required, { input: { cursor: 'x' }, message })).toBeUndefined()
  })
})
