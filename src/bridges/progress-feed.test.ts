import { expect, test } from 'vitest'
import { tool } from '../tool/tool.ts'
import { ProgressFeed, type ProgressOutput } from './progress-feed.ts'

test('a reader who is slower than the tool gets every report', async () => {
  const feed = new ProgressFeed()
  const steps: (() => void)[] = []
  const count = tool({
    name: 'count',
    description: 'd',
    effect: 'read',
    async execute(_input, { progress }) {
      for (const message of ['one', 'two', 'three']) {
        progress(message)
        await new Promise<void>((resolve) => steps.push(resolve))
      }
    },
  })
  const done = count.call('', { on: feed })
  const read: ProgressOutput['progress'][] = []
  for await (const { progress } of feed.until(done)) {
    read.push(progress)
    if (read.length > 1) continue
    // All that is left happens while the first report is read.
    while (steps.length > 0) {
      steps.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await done
  }
  expect(read.map(({ message }) => message)).toEqual(['one', 'two', 'three'])
})

test('of too many reports that nobody reads, the oldest are dropped', async () => {
  const feed = new ProgressFeed()
  const chatty = tool({
    name: 'chatty',
    description: 'd',
    effect: 'read',
    execute: (_input, { progress }) => {
      for (let count = 1; count <= 1002; count++) progress({ progress: count })
    },
  })
  const done = chatty.call('', { on: feed })
  const read: unknown[] = []
  for await (const { progress } of feed.until(done)) read.push(progress.progress)
  expect([read.length, read[0], read.at(-1)]).toEqual([1000, 3, 1002])
})
