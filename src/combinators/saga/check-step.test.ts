import { describe, expect, test } from 'vitest'
import { world } from '../../../test/fixtures/saga/world.ts'
import { saga } from './saga.ts'

describe('a saga is refused', () => {
  const { act, step } = world()
  const begun = saga({ name: 'refused', description: 'd' })
  const loose = begun as unknown as { step: (...given: unknown[]) => unknown; build: () => unknown }
  const fine = { with: act('una'), class: 'reversible', input: () => '' }

  test.each([
    ['without steps', () => loose.build(), "Saga 'refused' needs at least one step."],
    [
      'with two steps of one label',
      () => (begun.step(...step('a')) as unknown as typeof loose).step('a', act('b')),
      "two steps with the label 'a'",
    ],
    ['with a label that holds a character of paths', () => loose.step('a/b', act('a')), 'must not be empty or contain'],
    ['with a label that is taken', () => loose.step('undo.a', act('a')), "cannot be called 'undo.a'"],
    ['with a label that is no text', () => loose.step(7, act('a')), 'must be a text, not 7'],
    ['with a step that is no tool', () => loose.step('a', {}), "Step 'a' of saga 'refused' is not a tool"],
    ['with a compensation that is no tool', () => loose.step('a', act('a'), { compensate: { ...fine, with: {} } }), 'is not a tool'],
    [
      'with an unknown class',
      () => loose.step('a', act('a'), { compensate: { ...fine, class: 'maybe' } }),
      `must be 'reversible', 'semantic' or 'traces', not "maybe"`,
    ],
    [
      'with a compensation of what is irreversible',
      () => loose.step('a', act('a'), { compensate: { ...fine, class: 'irreversible' } }),
      "compensate: 'irreversible'",
    ],
    [
      'with a compensation that is a word',
      () => loose.step('a', act('a'), { compensate: 'never' }),
      "must be 'irreversible' or { with, class, input }",
    ],
    [
      'with a compensation without an input',
      () => loose.step('a', act('a'), { compensate: { ...fine, input: undefined } }),
      "'input' of the compensation of step 'a'",
    ],
    [
      'with no attempts',
      () => (loose.step('a', act('a'), { attempts: 0 }) as typeof loose).build(),
      "'attempts' of step 'a' of saga 'refused' must be a whole number of at least 1, not 0",
    ],
    [
      'with half an attempt',
      () => (loose.step('a', act('a'), { compensate: { ...fine, attempts: 1.5 } }) as typeof loose).build(),
      "'attempts' of the compensation of step 'a'",
    ],
    [
      'with an input that is no function',
      () => loose.step('a', act('a'), { input: 'x' }),
      "'input' of step 'a' of saga 'refused' must be a function",
    ],
    ['with options that are none', () => loose.step('a', act('a'), 7), "The options of step 'a' of saga 'refused' must be an object"],
    ['without a definition', () => saga(undefined as never), 'The fields of a saga must be an object'],
    [
      'with an alert that is no function',
      () =>
        begun
          .step(...step('a'))
          .build()
          .call('x', { alert: 7 as never }),
      "The option 'alert' of a call must be a function",
    ],
  ])('%s', async (_what, make, message) => {
    await expect((async () => make())()).rejects.toThrow(message)
  })
})
