import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { linearPattern } from './linear-pattern.ts'
import { Meter, TooCostly } from './meter.ts'
import { isAutomaton, PatternAutomaton } from './pattern-automaton.ts'
import { runProgram, toProgram } from './pattern-program.ts'
import { parsePattern } from './pattern-syntax.ts'

const atoms = [
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  '\\d',
  '\\w',
  '\\s',
  '\\u0061',
  '\\u{1F600}',
  '\\p{L}',
  '\\.',
  '[\\]a-c]',
  '^',
  '$',
  '\\b',
  '\\B',
]

const { pattern } = fc.letrec<{ pattern: string; term: string }>((tie) => ({
  term: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...atoms),
    fc
      .tuple(fc.constantFrom(...atoms.slice(0, 13)), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{2,}', '*?', '+?'))
      .map(([atom, quantifier]) => atom + quantifier),
    fc
      .tuple(fc.constantFrom('(?:', '(', '(?<n>'), tie('pattern'), fc.constantFrom('', '*', '+', '?', '{2}', '{0,2}'))
      .map(([open, inside, quantifier]) => `${open}${inside})${quantifier}`),
    fc.tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), tie('pattern')).map(([open, inside]) => `${open}${inside})`),
  ),
  pattern: fc
    .array(fc.array(tie('term'), { maxLength: 4 }), { minLength: 1, maxLength: 2 })
    .map((options) => options.map((option) => option.join('')).join('|')),
}))

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', '.', ' ', '\n', 'é', '\u{1F600}', '\uD83D'), maxLength: 8 })

function reference(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'u')
  } catch {
    return undefined
  }
}

function meter(): Meter {
  const made = new Meter()
  made.start(10_000, 'own')
  return made
}

describe('a pattern of a JSON Schema', () => {
  test('matches the same texts as a regular expression of JavaScript', () => {
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 6 }), (source, texts) => {
        const expected = reference(source)
        fc.pre(expected !== undefined)
        // V8 lets an empty match begin inside a pair of surrogates, which the language does not.
        fc.pre(!/\(\?<?[=!]|\\B/.test(source) || !texts.some((each) => /[\u{1F600}\uD83D]/u.test(each)))
        const program = toProgram(parsePattern(source))
        const automaton = isAutomaton(program) ? new PatternAutomaton(program) : undefined
        for (const each of texts) {
          const found = automaton?.test(each, meter()) ?? expected.test(each)
          expect(found, `automaton: /${source}/ on ${JSON.stringify(each)}`).toBe(expected.test(each))
          expect(runProgram(program, each, meter()), `machine: /${source}/ on ${JSON.stringify(each)}`).toBe(expected.test(each))
          expect(linearPattern(source).test(each, meter()), `/${source}/ on ${JSON.stringify(each)}`).toBe(expected.test(each))
        }
      }),
      { numRuns: 1500 },
    )
  })

  test.each([
    ['^(a+)+$', `${'a'.repeat(30)}!`, false],
    ['^(a|aa)+$', `${'a'.repeat(60)}!`, false],
    ['^(a|a)*$', 'a'.repeat(2000), true],
    ['\\s+$', `${' '.repeat(20_000)}x`, false],
    ['^(?!.*\\.\\.)[a-z.]+@[a-z]+$', 'a.b@c', true],
    ['^(?!.*\\.\\.)[a-z.]+@[a-z]+$', 'a..b@c', false],
    ['^((?!foo).)*$', 'a fo o', true],
    ['^((?!foo).)*$', 'a foo', false],
    ['(?<=\\$)\\d+', 'costs $5', true],
    ['(?<!\\$)\\b5', 'costs $5', false],
  ])('%s is checked in few steps [O2]', (source, given, expected) => {
    const counted = meter()
    expect(linearPattern(source).test(given, counted)).toBe(expected)
    expect(counted.spent).toBeLessThan(100 + given.length * 3)
  })

  test('that looks ahead at each place is too costly for a long text', () => {
    expect(() => linearPattern('^((?!.*x).)*$').test('a'.repeat(5000), meter())).toThrow(TooCostly)
  })

  test.each(['(a)\\1', '(?<n>a)\\k<n>', '(?i:a)', '((((a{1,99}){1,99}){1,99}){1,99})'])('%s is an error that says why', (source) => {
    expect(() => linearPattern(source)).toThrow(/pattern/)
  })
})
