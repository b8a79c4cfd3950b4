import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../scripts/run-program.ts'
import { citedIds } from './cited-ids.ts'
import { requirements } from './requirements.ts'

const files = globSync(['{src,test,examples}/**/*.test.ts', 'src/**/*.test-d.ts'], { cwd: root, exclude: ['test/conformance/**'] })
const citations = files.flatMap((file) => citedIds(file, readFileSync(join(root, file), 'utf8')).map((id) => ({ id, file })))

describe('the requirements', () => {
  test('each has an id of its own and one sentence, and says what is there when only a part is', () => {
    expect(new Set(requirements.map(({ id }) => id)).size).toBe(requirements.length)
    expect(requirements.filter(({ sentence }) => !/^[A-Z][^.]+\.$/.test(sentence))).toEqual([])
    expect(requirements.filter(({ status, note }) => (status === 'partly') !== (note !== undefined))).toEqual([])
  })

  test('each that is built, even partly, is cited by a test', () => {
    const cited = new Set(citations.map(({ id }) => id))
    const missing = requirements.filter(({ id, status }) => status !== 'later' && !cited.has(id))
    expect(missing.map(({ id, sentence }) => `${id}: ${sentence}`)).toEqual([])
  })

  test('a test cites only what is there', () => {
    const there = new Set(requirements.filter(({ status }) => status !== 'later').map(({ id }) => id))
    expect(citations.filter(({ id }) => !there.has(id))).toEqual([])
  })
})

describe('a citation', () => {
  const cited = (text: string): readonly string[] => citedIds('some.test.ts', text)

  test('is read from titles of tests, of groups and of tables', () => {
    expect(cited("describe('group [T1]', () => { test('one [T2, T3]', () => {}) })")).toEqual(['T1', 'T2', 'T3'])
    expect(cited("test.each([1])(`number %i [T4] [I1]`, () => {}); it('works [T5]', () => {})")).toEqual(['T4', 'I1', 'T5'])
  })

  test('in a comment, in other text or in code does not count', () => {
    expect(cited("// [T1]\ntest('one', () => { const list = row[T2]; log('[T3]') })")).toEqual([])
  })
})
