import { expect, test } from 'vitest'
import { ExitEarly, isExitEarly } from '../tool/errors/exit-early.ts'
import { successOf, toldOf } from './told-to-peer.ts'

const SAID = 'A person ended the run. Do not repeat the call; ask what they want instead.'

test.each([
  ['fraud', `Error: Reviewer bob stopped the run at 'pay': fraud. ${SAID}`],
  ['Not today!', `Error: Reviewer bob stopped the run at 'pay': Not today! ${SAID}`],
  [undefined, `Error: Reviewer bob stopped the run at 'pay'. ${SAID}`],
])('a stop reads the same for peers that are told and for those that catch, with what to do next: %s', (reason, text) => {
  const thrown = new ExitEarly('pay', reason, { by: 'bob' })
  expect(toldOf({ thrown }, '')).toEqual({ text, failure: undefined, thrown })
  const caught = (() => {
    try {
      return successOf({ thrown }, '')
    } catch (error) {
      return error
    }
  })()
  expect(String(caught)).toBe(text)
  expect(isExitEarly(caught) && caught.tool).toBe('pay')
})
