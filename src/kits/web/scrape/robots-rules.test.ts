import { describe, expect, test } from 'vitest'
import { RobotsRules } from './robots-rules.ts'

const FILE = `
# Rules
User-agent: other
User-agent: Toolwright
Disallow: /private
Allow: /private/open
Disallow: /*.pdf$
Disallow: /search*page=
Disallow: /caf%C3%A9

User-agent: *
Disallow: /
`

describe('a robots.txt', () => {
  test.for([
    ['/', true],
    ['/private', false],
    ['/private/x', false],
    ['/private/open/x', true],
    ['/a/b.pdf', false],
    ['/a/b.pdf?x', true],
    ['/search?a=1&page=2', false],
    ['/search?a=1', true],
    ['/café', false],
    ['/caf%c3%a9', false],
  ] as const)('%s is allowed: %s [T17]', ([path, allowed]) => {
    expect(new RobotsRules(FILE, 'toolwright').allows(path)).toBe(allowed)
  })

  test('gives other programs the general rules, and everybody everything where it says nothing', () => {
    expect(new RobotsRules(FILE, 'unknown').allows('/')).toBe(false)
    for (const text of ['', 'hello', '<html>', 'Disallow: /', 'User-agent: *\nDisallow:'])
      expect(new RobotsRules(text, 'toolwright').allows('/')).toBe(true)
  })

  test('of two patterns as long, the one that allows decides', () => {
    expect(new RobotsRules('User-agent: *\nDisallow: /a\nAllow: /a', 'x').allows('/a')).toBe(true)
  })

  test('with many stars is matched in bounded time', () => {
    const rules = new RobotsRules(`User-agent: *\nDisallow: /${'*a'.repeat(1000)}$`, 'x')
    expect(rules.allows(`/${'a'.repeat(5000)}b`)).toBe(true)
  })
})
