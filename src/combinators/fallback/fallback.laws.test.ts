import fc from 'fast-check'
import { expect, test } from 'vitest'
import { replayFromEveryPrefix } from '../../testing/replay-from-every-prefix.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { failure, type ReturnedFailure } from '../../tool/result/returned.ts'
import { tool } from '../../tool/tool.ts'
import { fallback } from './fallback.ts'
import { level } from './level.ts'

/** How a level ends. */
const END = ['answers', 'fails', 'fails for good', 'crashes', 'may have taken effect', 'is rejected'] as const
type End = (typeof END)[number]

const PASSED_ON: ReadonlySet<End> = new Set(['fails', 'fails for good'])

function levelOf(end: End, index: number, called: number[]) {
  const execute = async (): Promise<number | ReturnedFailure> => {
    called.push(index)
    if (end === 'fails') throw new ToolError('no', { code: 'service_unavailable', outcome: 'failed' })
    if (end === 'fails for good') return failure('no')
    if (end === 'crashes') throw new TypeError('no')
    if (end === 'may have taken effect') throw new ToolError('no', { code: 'service_unavailable', outcome: 'unknown' })
    if (end === 'is rejected') throw new ToolError('no', { code: 'rejected' })
    return index
  }
  return level(tool({ name: 'source', description: 'd', effect: 'write', idempotent: 'keyed', execute }), { name: `level_${index}` })
}

const ends = fc.array(fc.constantFrom(...END), { minLength: 1, maxLength: 6 })

test('the first success is the answer; the levels before it, and no others, were asked [F1] [F4]', async () => {
  await fc.assert(
    fc.asyncProperty(ends, async (given) => {
      const called: number[] = []
      const whole = fallback({ name: 'whole', description: 'd' }, given.map((end, index) => levelOf(end, index, called)) as never)
      const result = await whole.call('x' as never)
      const decided = given.findIndex((end) => !PASSED_ON.has(end))
      const last = decided === -1 ? given.length - 1 : decided
      expect(called).toEqual(Array.from({ length: last + 1 }, (_, index) => index))
      expect(result.ok).toBe(given[decided] === 'answers')
      if (result.ok) {
        expect([result.value, result.level]).toEqual([decided, `level_${decided}`])
        expect(result.confidence ?? 1).toBeCloseTo(0.8 ** decided)
      } else expect(result.error.code === 'fallback_exhausted').toBe(decided === -1)
      const attempts = result.attempts?.map((each) => each.level) ?? [`level_${decided}`]
      expect(attempts).toEqual(called.map((index) => `level_${index}`))
    }),
  )
})

test('a run that is taken up from any prefix of its record comes to the same answer and asks no level twice [F4]', async () => {
  await fc.assert(
    fc.asyncProperty(ends, async (given) => {
      const whole = fallback({ name: 'whole', description: 'd' }, given.map((end, index) => levelOf(end, index, [])) as never)
      expect((await replayFromEveryPrefix(whole, 'x' as never)).diverged).toEqual([])
    }),
    { numRuns: 60 },
  )
})
