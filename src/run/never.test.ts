import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { never } from './never.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

test('those who wait for ever are collected when nobody knows them any more', async () => {
  const waiting = (() => {
    const call = { name: 'a call of a segment that is over' }
    void never().then(() => call)
    return new WeakRef(call)
  })()
  // A reference is held until the end of the turn in which it was made.
  await new Promise((resolve) => setImmediate(resolve))
  collect()
  expect(waiting.deref()).toBeUndefined()
})
