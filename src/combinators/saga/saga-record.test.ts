import { describe, expect, test, vi } from 'vitest'
import { no, threeSteps, world } from '../../../test/fixtures/saga/world.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { compound } from '../../tool/compound.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { memoryJournal } from '../../tool/journal/journal.ts'
import { service } from '../../tool/service.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { pipe } from '../pipe/pipe.ts'
import { saga } from './saga.ts'

describe('the record of a saga', () => {
  const states = (entries: readonly { readonly kind: string; readonly path: string }[], path: string): unknown[] =>
    entries
      .filter((entry) => entry.path === path)
      .map((entry) => (entry as unknown as { value: { undoing: { state: string } } }).value.undoing.state)

  test('holds every transition, where a store can read the latest [G3]', async () => {
    const here = world()
    const good = memoryJournal()
    await threeSteps(here).call('x', { journal: good })
    expect(states(good.entries, 'three:saga')).toEqual(['running', 'completed'])
    here.fail('c', () => no('the c is out'))
    const bad = memoryJournal()
    const result = await threeSteps(here).call('x', { journal: bad })
    expect(states(bad.entries, 'three:saga')).toEqual(['running', 'compensating', 'compensated'])
    expect(bad.read('three:saga')).toMatchObject({
      kind: 'decision',
      value: { undoing: { state: 'compensated', failure: { step: 'c', error: { message: 'the c is out' } }, notUndone: [] } },
    })
    expect(result.compensation?.durable).toBe(false)
  })

  test('a journal that lasts makes the saga durable [G3]', async () => {
    const here = world()
    const result = await threeSteps(here).call('x', { journal: { ...memoryJournal(), durable: true } })
    expect(result.compensation).toMatchObject({ state: 'completed', durable: true })
  })

  test('has other keys for a step and for its compensation, and the same after a restart [G4]', async () => {
    const here = world()
    here.fail('c', () => no())
    const journal = memoryJournal()
    await threeSteps(here).call('x', { journal, idempotencyKey: 'k' })
    const keyAt = (path: string): unknown => (journal.read(path) as { key?: string } | undefined)?.key
    expect(new Set(['three/a', 'three/undo.a', 'three/b', 'three/undo.b'].map(keyAt)).size).toBe(4)
    const cut = journal.entries.findIndex(({ path }) => path === 'three/undo.a')
    here.keys.length = 0
    await threeSteps(here).call('x', { journal: memoryJournal(journal.entries.slice(0, cut + 1)), idempotencyKey: 'k' })
    expect(here.keys).toEqual([`una ${String(keyAt('three/undo.a'))}`])
  })

  test('once it is being undone it never goes forward again, whatever a step would do now [G3] [G5]', async () => {
    const here = world()
    const clock = fakeClock()
    const sleepy = compound({
      name: 'sleepy',
      description: 'Sleeps, then acts.',
      parts: { act: here.act('late') },
      run: async (input, context, { act }) => {
        await context.sleep('10s')
        return context.call('act', act, input)
      },
    })
    const whole = saga({ name: 'whole', description: 'd' })
      .step(...here.step('a'))
      .step('sleepy', sleepy)
      .build()
    const journal = memoryJournal()
    const live = await clock.until(whole.call('x', { clock, journal, deadline: '1s', idempotencyKey: 'k' }))
    expect(live).toMatchObject({ error: { code: 'deadline_exceeded' }, compensation: { state: 'compensated' } })
    const cut = journal.entries.findIndex(
      (entry) => entry.kind === 'decision' && entry.path === 'whole:saga' && entry !== journal.entries[0],
    )
    here.log.length = 0
    await clock.advance(20_000)
    const again = await clock.until(
      whole.call('x', { clock, journal: memoryJournal(journal.entries.slice(0, cut + 1)), deadline: '60s', idempotencyKey: 'k' }),
    )
    expect(here.log).toEqual(['una x'])
    expect(again).toMatchObject({ error: { code: 'deadline_exceeded' }, compensation: { state: 'compensated' } })
  })

  test('what had come to its end writes nothing more [G3]', async () => {
    const here = world()
    for (const trouble of [() => undefined, () => no()]) {
      here.fail('c', trouble)
      const journal = memoryJournal()
      await threeSteps(here).call('x', { journal, idempotencyKey: 'k' })
      const again = memoryJournal(journal.entries)
      await threeSteps(here).call('x', { journal: again, idempotencyKey: 'k' })
      expect(again.entries).toEqual(journal.entries)
    }
  })

  test('taken up while it is undone, it does not sleep again what it slept, nor ask again whom it asked [G5]', async () => {
    const here = world()
    const clock = fakeClock()
    const review = vi.fn<() => Promise<never>>(() => new Promise(() => {}))
    const inner = saga({ name: 'inner', description: 'd' })
      .step(...here.step('b'))
      .build()
    const slow = compound({
      name: 'slow',
      description: 'd',
      parts: { inner, gated: gate(here.act('gated')) },
      run: async (input, context, parts) => {
        await context.sleep('10s')
        await context.call('inner', parts.inner, input)
        return context.call('gated', parts.gated, input)
      },
    })
    const whole = saga({ name: 'whole', description: 'd' })
      .step(...here.step('a'))
      .step('slow', slow)
      .build()
    const journal = memoryJournal()
    const controller = new AbortController()
    const live = whole.call('x', { clock, journal, review: { review }, signal: controller.signal, idempotencyKey: 'k' })
    await clock.advance(10_000)
    controller.abort()
    expect(await clock.until(live)).toMatchObject({ compensation: { state: 'aborted', failedStep: 'slow' } })
    const cut = journal.entries.findIndex((entry) => entry.path === 'whole:saga' && entry !== journal.entries[0])
    here.log.length = 0
    const later = fakeClock()
    const since = later.now()
    const again = whole.call('x', {
      clock: later,
      journal: memoryJournal(journal.entries.slice(0, cut + 1)),
      review: { review },
      idempotencyKey: 'k',
    })
    expect(await later.until(again)).toMatchObject({ compensation: { state: 'aborted', failedStep: 'slow' } })
    expect(here.log).toEqual(['unb x', 'una x'])
    expect(later.now()).toBe(since)
    expect(review).toHaveBeenCalledTimes(1)
  })

  test('taken up while it is undone, it makes no further attempt at the step that failed [G5]', async () => {
    const here = world()
    const clock = fakeClock()
    here.fail('b', () => new ToolError('busy', { code: 'service_unavailable', outcome: 'failed' }))
    const whole = saga({ name: 'whole', description: 'd' })
      .step(...here.step('a'))
      .step('b', here.act('b'), { attempts: 3 })
      .build()
    const journal = memoryJournal()
    const live = await clock.until(whole.call('x', { clock, journal, deadline: 100, idempotencyKey: 'k' }))
    expect(live.steps?.map(({ path }) => path)).toEqual(['whole/a', 'whole/b', 'whole/undo.a'])
    const again = await clock.until(whole.call('x', { clock, journal: memoryJournal(journal.entries), idempotencyKey: 'k' }))
    expect(again.steps?.map(({ path }) => path)).toEqual(['whole/a', 'whole/b', 'whole/undo.a'])
    expect(again.text).toBe(live.text)
  })

  test('another mistake in the program than the recorded one passes, and nothing is undone by such a program [G3]', async () => {
    const here = world()
    const journal = memoryJournal()
    const needy = tool({
      name: 'needy',
      description: 'd',
      services: { db: service<object>() },
      requireApproval: true,
      execute: () => 'never',
    })
    const whole = saga({ name: 'whole', description: 'd' })
      .step(...here.step('a'))
      .step('needy', needy)
      .build()
    await expect(whole.call('x', { journal, idempotencyKey: 'k' })).rejects.toMatchObject({ code: 'missing_service' })
    const cut = journal.entries.findIndex((entry) => entry.path === 'whole:saga' && entry !== journal.entries[0])
    here.log.length = 0
    const past = memoryJournal(journal.entries.slice(0, cut + 1))
    await expect(whole.call('x', { journal: past, idempotencyKey: 'k', services: { db: {} } })).rejects.toMatchObject({
      code: 'missing_review_handler',
    })
    expect(here.log).toEqual([])
  })

  test('a run that is taken up when its time is over undoes what it had done [G5]', async () => {
    const here = world()
    const whole = saga({ name: 'whole', description: 'd' })
      .step('inside', pipe(here.act('a')), { compensate: { with: here.act('una'), class: 'reversible', input: () => 'x' } })
      .step(...here.step('b'))
      .build()
    const journal = memoryJournal()
    await whole.call('x', { journal, idempotencyKey: 'k' })
    const cut = journal.entries.findIndex(({ path }) => path === 'whole/b')
    here.log.length = 0
    const controller = new AbortController()
    const taken = memoryJournal(journal.entries.slice(0, cut))
    const pending = whole.call('x', {
      journal: { ...taken, read: (path) => (path === 'whole:saga' && controller.abort(), taken.read(path)) },
      signal: controller.signal,
      idempotencyKey: 'k',
    })
    expect(await pending).toMatchObject({ error: { code: 'cancelled', outcome: 'failed' }, compensation: { state: 'aborted' } })
    expect(here.log).toEqual(['una x'])
  })

  test('a mistake that was there when it was undone is told again after it was mended [G3]', async () => {
    const here = world()
    let isWrong = true
    here.fail('b', () => (isWrong ? new ConfigurationError('missing_service', 'There is no database.') : undefined))
    const journal = memoryJournal()
    await expect(threeSteps(here).call('x', { journal, idempotencyKey: 'k' })).rejects.toThrow('There is no database.')
    isWrong = false
    here.log.length = 0
    await expect(threeSteps(here).call('x', { journal: memoryJournal(journal.entries), idempotencyKey: 'k' })).rejects.toThrow(
      'There is no database.',
    )
    expect(here.log).toEqual([])
  })

  test('a program that is no longer the recorded one undoes nothing [G3]', async () => {
    const here = world()
    const journal = memoryJournal()
    await threeSteps(here).call('x', { journal, idempotencyKey: 'k' })
    const other = saga({ name: 'three', description: 'd' })
      .step(...here.step('a'))
      .step('b', here.act('z'))
      .build()
    here.log.length = 0
    await expect(other.call('x', { journal: memoryJournal(journal.entries), idempotencyKey: 'k' })).rejects.toThrow(
      "recorded a call of 'b' at 'three/b'",
    )
    expect(here.log).toEqual([])
  })

  test('when nothing can be recorded any more nothing is undone either: it is taken up from where it stands [G5]', async () => {
    const here = world()
    const journal = memoryJournal()
    let isBroken = false
    const breaking = {
      ...journal,
      write: (entry: Parameters<typeof journal.write>[0]) => {
        if (entry.path === 'three/c') isBroken = true
        if (isBroken) throw new Error('disk full')
        return journal.write(entry)
      },
    }
    const broken = await threeSteps(here).call('x', { journal: breaking, idempotencyKey: 'k' })
    expect(broken).toMatchObject({
      error: { code: 'journal_failed', outcome: 'unknown' },
      compensation: { state: 'running', notUndone: ['a', 'b'] },
    })
    expect(here.log).toEqual(['a x', 'b x'])
    const taken = await threeSteps(here).call('x', { journal: memoryJournal(journal.entries), idempotencyKey: 'k' })
    expect(taken.ok).toBe(true)
    expect(here.log).toEqual(['a x', 'b x', 'c x'])
  })

  test('a journal that fails while it is undone stops it there, and the rest is undone when it is taken up [G5]', async () => {
    const here = world()
    here.fail('c', () => no())
    const journal = memoryJournal()
    const breaking = {
      ...journal,
      write: (entry: Parameters<typeof journal.write>[0]) => {
        if (entry.path === 'three/undo.a') throw new Error('disk full')
        return journal.write(entry)
      },
    }
    const broken = await threeSteps(here).call('x', { journal: breaking, idempotencyKey: 'k' })
    expect(broken).toMatchObject({
      error: { code: 'journal_failed', outcome: 'unknown' },
      compensation: { state: 'compensating', notUndone: ['a'] },
    })
    const taken = await threeSteps(here).call('x', { journal: memoryJournal(journal.entries), idempotencyKey: 'k' })
    expect(taken.compensation?.state).toBe('compensated')
    expect(here.log).toEqual(['a x', 'b x', 'unb x', 'una x'])
  })
})
