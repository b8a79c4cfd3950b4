import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isToolError } from '../../tool/errors/tool-error.ts'
import { UrlTemplate } from './url-template.ts'

const template = new UrlTemplate('https://api.example.com/shops/{shop}/orders/{id}.json?state={state}&fixed=1', 'a tool')

const nasty = fc.constantFrom(
  '..',
  '.',
  '/',
  '%2e%2e',
  '%2F',
  '?',
  '#',
  '@',
  '\\',
  ';',
  '//evil.example',
  ':',
  '&x=1',
  '=',
  '+',
  ' ',
  '{id}',
  '\u2025',
  '．．',
  '%',
)
const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(nasty, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
  fc.integer(),
  fc.boolean(),
)

test('no value leaves its place: the host, the other segments and the other parameters stay, and the value comes back [T17]', () => {
  fc.assert(
    fc.property(value, value, value, (shop, id, state) => {
      let url: URL
      try {
        url = template.urlWith({ shop, id, state })
      } catch (error) {
        if (isToolError(error) && error.code === 'invalid_input' && error.outcome === 'not_started') return
        throw error
      }
      const segments = url.pathname.split('/')
      expect([url.origin, segments.length, segments[1], segments[3]]).toEqual(['https://api.example.com', 5, 'shops', 'orders'])
      expect(segments[2] === undefined ? '' : decodeURIComponent(segments[2])).toBe(String(shop))
      expect(decodeURIComponent(segments[4] ?? '')).toBe(`${String(id)}.json`)
      expect([...url.searchParams.keys()]).toEqual(['state', 'fixed'])
      expect(url.searchParams.get('state')).toBe(String(state))
      expect([url.hash, url.username]).toEqual(['', ''])
    }),
    { numRuns: 2000 },
  )
})

test.for(['..', '.', '', 'a\nb', '\ud800', null, undefined, {}, ['a'], Number.NaN, Infinity])(
  '%j as a whole segment is refused before anything is sent',
  (id) => {
    const whole = new UrlTemplate('https://api.example.com/orders/{id}/items', 'a tool')
    expect(() => whole.urlWith({ id })).toThrow(expect.objectContaining({ code: 'invalid_input', outcome: 'not_started' }))
  },
)
