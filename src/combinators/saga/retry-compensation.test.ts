import { describe, expect, test } from 'vitest'
import { no, threeSteps, world } from '../../../test/fixtures/saga/world.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { memoryJournal } from '../../tool/journal/journal.ts'
import { retryCompensation } from './retry-compensation.ts'

describe('trying failed compensations again', () => {
  test('a person asks for it in the journal: only what failed is tried, under the same key [G3]', async () => {
    const here = world()
    const clock = fakeClock()
    let isStuck = true
    here.fail('c', () => no())
    here.fail('unb', () => (isStuck ? no('stuck') : undefined))
    const journal = memoryJournal()
    const run = (past: typeof journal): Promise<unknown> =>
      clock.until(threeSteps(here).call('x', { clock, journal: past, idempotencyKey: 'k' }))
    expect(await run(journal)).toMatchObject({ compensation: { state: 'compensation_failed' } })
    const asked = memoryJournal([...journal.entries, { kind: 'decision', path: 'three:saga.retry#1', value: true }])
    expect(await run(asked)).toMatchObject({ compensation: { state: 'compensation_failed', outcomes: [{}, { attempts: 6 }, {}] } })
    isStuck = false
    here.log.length = 0
    const askedAgain = memoryJournal([...asked.entries, { kind: 'decision', path: 'three:saga.retry#2', value: true }])
    expect(await run(askedAgain)).toMatchObject({
      error: { outcome: 'failed' },
      compensation: { state: 'compensated', outcomes: [{}, { step: 'b', status: 'undone', attempts: 7 }, {}], notUndone: [] },
    })
    expect(here.log).toEqual(['unb x'])
    expect(new Set(here.keys.filter((key) => key.startsWith('unb '))).size).toBe(1)
    expect(askedAgain.read('three:saga')).toMatchObject({ value: { undoing: { state: 'compensated', round: 3 } } })
  })

  test('in memory it works by the result [G3]', async () => {
    const here = world()
    const clock = fakeClock()
    let isStuck = true
    here.fail('c', () => no())
    here.fail('unb', () => (isStuck ? no('stuck') : undefined))
    const result = await clock.until(threeSteps(here).call('x', { clock }))
    expect(await clock.until(retryCompensation(result))).toMatchObject({ state: 'compensation_failed' })
    isStuck = false
    here.log.length = 0
    expect(await retryCompensation(result)).toMatchObject({ state: 'compensated', notUndone: [] })
    expect(here.log).toEqual(['unb x'])
    await expect(retryCompensation(result)).rejects.toThrow('retryCompensation has nothing to do')
  })

  test('in memory it is recorded too, where a run is: a replay tries the same again [G3]', async () => {
    const here = world()
    const clock = fakeClock()
    let isStuck = true
    here.fail('c', () => no())
    here.fail('unb', () => (isStuck ? no('stuck') : undefined))
    const journal = memoryJournal()
    const result = await clock.until(threeSteps(here).call('x', { clock, journal, idempotencyKey: 'k' }))
    isStuck = false
    await retryCompensation(result)
    expect(journal.read('three:saga.retry#1')).toMatchObject({ kind: 'decision' })
    here.log.length = 0
    const again = await clock.until(threeSteps(here).call('x', { clock, journal: memoryJournal(journal.entries), idempotencyKey: 'k' }))
    expect(again.compensation?.state).toBe('compensated')
    expect(here.log).toEqual([])
  })

  test('where there is nothing to try it says so [G3]', async () => {
    const here = world()
    await expect(retryCompensation(await here.act('a').call('x'))).rejects.toThrow('the result is not that of a saga')
    await expect(retryCompensation(await threeSteps(here).call('x'))).rejects.toThrow("the saga is 'completed'")
    here.fail('c', () => no())
    here.fail('unb', () => no())
    const clock = fakeClock()
    const durable = await clock.until(threeSteps(here).call('x', { clock, journal: { ...memoryJournal(), durable: true } }))
    await expect(retryCompensation(durable)).rejects.toThrow('through the run')
  })
})
