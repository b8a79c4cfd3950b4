import { expect, test } from 'vitest'
import { runAttacks } from './attack.ts'
import { answerAfter, PASTED_ANSWERS_ATTACKS, runsAfter } from './pasted-answers.attacks.ts'

runAttacks('a text that is pasted into the console where a person is asked', PASTED_ANSWERS_ATTACKS)

test('the same lines decide where a person types them one after another', async () => {
  expect(await runsAfter(['Dear all,', 'y'], 'typed')).toBe(1)
  expect(await runsAfter(['e', '{"amount": 2}'], 'typed')).toBe(1)
  expect(await answerAfter(['{', 'true'], 'typed')).toBe(true)
})
