import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { tool } from 'toolwright'
import { replayFromEveryPrefix } from 'toolwright/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fastest } from './fastest.ts'
import { hedge } from './hedge.ts'
import { retry } from './retry.ts'
import { importFlags } from '../../test/fixtures/prepared.ts'

test('the combinators of the example come out as they say', () => {
  const printed = execFileSync(process.execPath, [...importFlags, join(import.meta.dirname, 'main.ts')], {
    encoding: 'utf8',
  })
  expect(printed.trim().split('\n')).toEqual([
    'fastest: near on the weather',
    'retry: an answer after 3 calls',
    'hedge: slow on the news, now',
  ])
})

const timed = (name: string, ms: number, isOk: boolean) =>
  tool({
    name,
    description: 'Takes its time.',
    effect: 'read',
    async execute(input: string, { clock }) {
      await new Promise<void>((resolve) => void clock.timer(ms, resolve))
      if (!isOk) throw new Error(`${name} is busy`)
      return `${name}: ${input}`
    },
  })

const parts = fc.record({
  near: fc.integer({ min: 1, max: 40 }),
  far: fc.integer({ min: 1, max: 40 }),
  nearIsOk: fc.boolean(),
  farIsOk: fc.boolean(),
})

test('a recorded run of each comes to the same end from every prefix of its record', async () => {
  await fc.assert(
    fc.asyncProperty(parts, async ({ near, far, nearIsOk, farIsOk }) => {
      const a = timed('near', near, nearIsOk)
      const b = timed('far', far, farIsOk)
      for (const whole of [fastest(a, b), retry(a, 2), hedge(b, '10ms')]) {
        const { diverged } = await replayFromEveryPrefix(whole, 'x')
        expect(diverged).toEqual([])
      }
    }),
    { numRuns: 40 },
  )
})
