import { expect, test } from 'vitest'
import { DIALECT_TARGETS } from '../../schema/dialects/dialect-rules.ts'
import { RUN_STATUSES } from '../../run/state/run-state.ts'
import { describeProgram } from '../describe-program.ts'
import { TEMPLATE_NAMES } from '../init/template-names.ts'
import { completeWords } from './complete-words.ts'

function wordsFor(...words: readonly string[]): readonly string[] {
  const { candidates, typed, before } = completeWords(words)
  return candidates.filter(({ word }) => word.startsWith(typed)).map(({ word }) => `${before}${word}`)
}

test('every command of the program is completed, and so is every flag of each', async () => {
  const program = describeProgram()
  const names = program.commands.map((each) => each.name())
  expect(wordsFor('')).toEqual([...names, 'help'])
  expect(wordsFor('help', '')).toEqual(names)
  for (const name of names) {
    const flags = wordsFor(name, '--')
    expect(flags).toContain('--json')
    expect(new Set(flags).size).toBe(flags.length)
  }
  expect(wordsFor('approve', '--')).toEqual(expect.arrayContaining(['--by', '--patch', '--edition', '--database-url']))
})

test('the choices of flags are those of the program', () => {
  expect(wordsFor('init', '--template', '')).toEqual(TEMPLATE_NAMES)
  expect(wordsFor('init', '--template=d')).toEqual(['--template=durable-worker'])
  expect(wordsFor('check', '--dialect', '').toSorted()).toEqual([...DIALECT_TARGETS].toSorted())
  expect(wordsFor('runs', '--status', '').toSorted()).toEqual([...RUN_STATUSES].toSorted())
  expect(wordsFor('new', '')).toEqual(['tool', 'pipeline'])
  expect(wordsFor('completion', '')).toEqual(['bash', 'zsh', 'fish'])
})

test.each([
  { words: ['call', ''], wanted: { of: 'tool' } },
  { words: ['-c', 'x.ts', 'call', '--yes', ''], wanted: { of: 'tool' } },
  { words: ['call', 'find_order', ''], wanted: { of: 'field', tool: 'find_order' } },
  { words: ['call', 'find_order', 'a=1', ''], wanted: { of: 'field', tool: 'find_order' } },
  { words: ['runs', '--tool', ''], wanted: { of: 'tool' } },
  { words: ['show', ''], wanted: { of: 'run' } },
  { words: ['approvals', '--run', ''], wanted: { of: 'run' } },
  { words: ['approve', '--by', 'eve', ''], wanted: { of: 'request' } },
  { words: ['approve', 'some-id', ''], wanted: undefined },
  { words: ['new', 'tool', ''], wanted: undefined },
  { words: ['nonsense', ''], wanted: undefined },
])('after $words a name is looked up: $wanted', ({ words, wanted }) => {
  expect(completeWords(words).wanted).toEqual(wanted)
})

test('a file is completed where a flag takes one, and values of flags before are known', () => {
  expect(completeWords(['show', '--export', '']).isFile).toBe(true)
  expect(completeWords(['--config=']).isFile).toBe(true)
  expect(completeWords(['init', '']).isFile).toBe(true)
  expect(completeWords(['call', '']).isFile).toBeUndefined()
  expect(completeWords(['--config', 'a.ts', '--tools=b.ts', '-t', 'c.ts', 'call', '']).options).toEqual({
    '--config': ['a.ts'],
    '--tools': ['b.ts', 'c.ts'],
  })
})

test('behind -- nothing is a flag', () => {
  expect(wordsFor('call', 'calculator', '--', '-')).toEqual([])
})
