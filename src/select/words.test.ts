import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clausesOf } from './clauses.ts'
import { stem } from './stem.ts'
import { MAX_WORDS, termsOf, wordsOf } from './words.ts'

describe('words', () => {
  test('splits identifiers, folds case and accents, and pairs the characters of languages without spaces', () => {
    expect(wordsOf('getHTTPUrlById send_e-mail2 Café')).toEqual(['get', 'http', 'url', 'by', 'id', 'send', 'e', 'mail', '2', 'cafe'])
    expect(wordsOf('必应搜索')).toEqual(['必应', '应搜', '搜索'])
    expect(wordsOf('поиск Заказов')).toEqual(['поиск', 'заказов'])
  })

  test('the words of two texts are those of each, whatever stands between and inside them', () => {
    const part = fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.stringMatching(/^[a-zA-Z0-9_.é日 -]{0,12}$/))
    fc.assert(fc.property(part, part, (one, two) => void expect(wordsOf(`${one} ${two}`)).toEqual([...wordsOf(one), ...wordsOf(two)])))
    expect(wordsOf('abcé abcDef abc9 abc_def abc日本語 x\u0301y')).toEqual([
      'abce',
      'abc',
      'def',
      'abcdef',
      'abc',
      '9',
      'abc',
      'def',
      ...wordsOf('abc日本語'),
      'xy',
    ])
  })

  test('an acronym keeps its plural, a word of two parts is one word as well, and either spelling finds it', () => {
    expect(wordsOf('APIs TAFs listPageURLs readIDsOf HTTPSession IPsec')).toEqual([
      'apis',
      'tafs',
      'list',
      'page',
      'urls',
      'read',
      'ids',
      'of',
      'http',
      'session',
      'httpsession',
      'i',
      'psec',
      'ipsec',
    ])
    const acronym = fc.stringMatching(/^[A-Z]{2,5}$/).filter((letters) => !letters.endsWith('S'))
    fc.assert(fc.property(acronym, (letters) => void expect(termsOf(`x ${letters}s`)).toEqual(termsOf(`x ${letters.toLowerCase()}s`))))
    const part = fc.stringMatching(/^[A-Z][a-z]{2,6}$/)
    fc.assert(fc.property(part, part, (one, two) => void expect(wordsOf(one + two)).toContain((one + two).toLowerCase())))
  })

  test('forms of a word are one term', () => {
    for (const forms of [
      'search searches searching searched',
      'translate translates translating translation',
      'query queries',
      'company companies',
    ])
      expect(new Set(termsOf(forms)).size, forms).toBe(1)
    expect(stem('status')).toBe('status')
  })

  test('a text of words that say nothing keeps them', () => {
    expect(termsOf('to be or not to be').length).toBeGreaterThan(0)
  })

  test('is bounded for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 40 }),
        (text) => void expect(wordsOf(text.repeat(40)).length).toBeLessThanOrEqual(MAX_WORDS),
      ),
    )
    expect(wordsOf('a b '.repeat(100_000)).length).toBe(MAX_WORDS)
  })

  test('a request of several wishes has several clauses, one wish has none', () => {
    const clauses = clausesOf('Translate the contract to German and then email it to my lawyer')
    expect(clauses.map(({ text }) => text)).toEqual(['Translate the contract to German', 'email it to my lawyer'])
    for (const { text, words } of clauses) expect(words).toEqual(wordsOf(text))
    expect(clausesOf('What is the weather in Paris tomorrow?')).toEqual([])
    expect(clausesOf('a, b, c')).toEqual([])
  })
})
