import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { terminal } from '../../test/fixtures/console/terminal.ts'
import { tool } from '../index.ts'
import { fakeClock, settled } from '../testing/fake-clock.ts'
import { consoleReview } from './console-review.ts'

/** The word with which the answer after a withdrawal must begin. */
function codeOf(shown: string): string {
  return /Begin the answer to this one with (\w+)\./.exec(shown)?.[1] ?? ''
}

describe('one terminal for the whole process', () => {
  const note = (name: string) => tool({ name, description: 'Notes.', requireApproval: true, execute: (text) => text })

  test('two prompts of two handlers never interleave [T15]', async () => {
    const screen = terminal()
    const first = note('first').call('1', { review: consoleReview(screen.streams) })
    const second = note('second').call('2', { review: consoleReview(screen.streams) })
    await settled()
    expect(screen.shown()).toContain('tool    first@')
    expect(screen.shown()).not.toContain('second')
    screen.input.write('n\n')
    await settled()
    expect(screen.shown()).toContain('tool    second@')
    screen.input.write('y\n')
    expect(await first).toMatchObject({ ok: false, error: { code: 'rejected' } })
    expect(await second).toMatchObject({ ok: true, value: '2' })
  })

  test('lines that came in one piece answer the prompts in their order [T15]', async () => {
    const screen = { input: Readable.from(['y\nn\ny\n']), output: terminal().output }
    const results = await Promise.all(['a', 'b', 'c', 'd'].map((name) => note(name).call(name, { review: consoleReview(screen) })))
    expect(results.map(({ ok }) => ok)).toEqual([true, false, true, false])
  })

  test('a request withdrawn in the queue is never shown, and the next one is [T15]', async () => {
    const screen = terminal()
    const review = consoleReview(screen.streams)
    const cancel = new AbortController()
    const first = note('first').call('1', { review })
    const second = note('second').call('2', { review, signal: cancel.signal })
    const third = note('third').call('3', { review })
    await settled()
    cancel.abort()
    expect(await second).toMatchObject({ error: { code: 'cancelled', outcome: 'not_started' } })
    screen.input.write('y\ny\n')
    expect(await first).toMatchObject({ ok: true })
    expect(await third).toMatchObject({ ok: true })
    expect(screen.shown()).not.toContain('second')
  })

  test('a request withdrawn on the screen says so, and frees terminal and line [T15]', async () => {
    const screen = terminal()
    const review = consoleReview(screen.streams)
    const cancel = new AbortController()
    const first = note('first').call('1', { review, signal: cancel.signal })
    const second = note('second').call('2', { review })
    await settled()
    cancel.abort()
    expect(await first).toMatchObject({ error: { code: 'cancelled' } })
    await settled()
    expect(screen.shown()).toMatch(
      /first@[^]*The request was withdrawn\. Do not answer it\.\n\n?[^]*--- Approval wanted ---\ntool {4}second@/,
    )
    screen.input.write('y\n')
    await settled()
    screen.input.write(`${codeOf(screen.shown())} y\n`)
    expect(await second).toMatchObject({ ok: true, value: '2' })
    expect(screen.leftovers()).toBe(0)
  })

  test('half a line typed for a withdrawn request does not answer the next one [T15]', async () => {
    const screen = terminal()
    const cancel = new AbortController()
    const first = note('first').call('1', { review: consoleReview(screen.streams), signal: cancel.signal })
    screen.input.write('den')
    await settled()
    cancel.abort()
    await first
    const second = note('second').call('2', { review: consoleReview(screen.streams) })
    screen.input.write('y\n')
    await settled()
    screen.input.write(`n\n${codeOf(screen.shown())} no\n`)
    expect(await second).toMatchObject({ error: { code: 'rejected' } })
    const third = note('third').call('3', { review: consoleReview(screen.streams) })
    screen.input.write('y\n')
    expect(await third).toMatchObject({ ok: true })
  })

  test('keys typed before the prompt do not answer it on a terminal [T15]', async () => {
    const clock = fakeClock()
    const screen = terminal()
    Object.assign(screen.input, { isTTY: true })
    screen.input.write('y\n')
    const result = note('first').call('1', { review: consoleReview(screen.streams), clock })
    await settled()
    expect(screen.shown()).toBe('')
    await clock.advance(50)
    expect(screen.shown()).toContain('tool    first@')
    screen.input.write('n\n')
    expect(await result).toMatchObject({ error: { code: 'rejected' } })
  })

  test('nobody for five minutes is a rejection, and leaves nothing behind [T14]', async () => {
    const clock = fakeClock()
    const screen = terminal()
    const result = note('first').call('1', { review: consoleReview(screen.streams), clock, deadline: '1s' })
    await clock.advance(5 * 60_000 - 1)
    expect(screen.leftovers()).toBeGreaterThan(0)
    await clock.advance(1)
    expect(await result).toMatchObject({
      error: { code: 'review_timed_out', hint: expect.stringContaining('Nobody decided in time, so nothing ran.') },
    })
    expect(clock.pending()).toBe(0)
    expect(screen.leftovers()).toBe(0)
    expect(screen.input.isPaused()).toBe(true)
  })

  test('an input that others read too is not paused', async () => {
    const screen = terminal()
    const others: string[] = []
    screen.input.on('data', (chunk: Buffer) => others.push(chunk.toString()))
    const result = note('first').call('1', { review: consoleReview(screen.streams) })
    await settled()
    screen.input.write('y\nmore\n')
    expect(await result).toMatchObject({ ok: true })
    expect(screen.input.isPaused()).toBe(false)
    expect(others).toEqual(['y\nmore\n'])
  })
})
