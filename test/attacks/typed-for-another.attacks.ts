import { PassThrough } from 'node:stream'
import { consoleReview, tool } from 'toolwright'
import { fakeClock, settled } from 'toolwright/testing'
import { expect } from 'vitest'
import type { Attack } from './attack.ts'

const KEYS = ['y\n', 'yes\n', 'c\n', 'n\n', 'no not this\n', 's\n', 'e other\n', 'y\ny\ny\ny\ny\ny\ny\n']

/** When the person presses the keys that they meant for the first request. */
const MOMENTS = [
  'before it is withdrawn, without the end of the line',
  'before the next is shown',
  'when the next is shown already',
] as const

/** How the first request goes away. */
const WITHDRAWALS = ['cancelled', 'out of time'] as const

/** Where a line was read before the withdrawal, the first request was decided by it. */
function isHalfLine(moment: (typeof MOMENTS)[number]): boolean {
  return moment === MOMENTS[0]
}

export const TYPED_FOR_ANOTHER_ATTACKS: readonly Attack[] = WITHDRAWALS.flatMap((withdrawal) =>
  MOMENTS.flatMap((moment) =>
    KEYS.map((keys): Attack => ({
      name: `${JSON.stringify(keys)} for a request that is ${withdrawal}, typed ${moment}, decides the next`,
      before: 'fell',
      attempt: async () => {
        const clock = fakeClock()
        const screen = { input: new PassThrough(), output: new PassThrough() }
        let shown = ''
        screen.output.on('data', (chunk: Buffer) => (shown += chunk.toString()))
        const cancel = new AbortController()
        const asks = (name: string) =>
          tool({ name, description: 'd', requireApproval: { timeout: name === 'first' ? '1m' : '1h' }, execute: () => name })
        const first = asks('first').call('x', { review: consoleReview(screen), clock, signal: cancel.signal })
        await settled()
        expect(shown).toContain('first@')
        if (isHalfLine(moment)) screen.input.write(keys.slice(0, 1))
        await settled()
        if (withdrawal === 'cancelled') cancel.abort()
        else await clock.advance(60_000)
        expect((await first).ok).toBe(false)
        if (moment === MOMENTS[1]) screen.input.write(keys)
        let end: unknown
        const second = asks('second').call('x', { review: consoleReview(screen), clock })
        void second.then(
          (result) => (end = result),
          (error: unknown) => (end = error),
        )
        await settled()
        expect(shown).toContain('second@')
        if (isHalfLine(moment)) screen.input.write(`${keys.slice(1).split('\n')[0] ?? ''}\n`)
        if (moment === MOMENTS[2]) screen.input.write(keys)
        await settled()
        await settled()
        const decided = end
        screen.input.end()
        await second.catch(() => undefined)
        expect(decided).toBeUndefined()
      },
    })),
  ),
)
