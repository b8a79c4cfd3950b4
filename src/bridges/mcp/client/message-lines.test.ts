import { expect, test } from 'vitest'
import { MessageLines } from './message-lines.ts'

function linesOf(most: number, chunks: readonly string[]): readonly (string | boolean)[] {
  const told: (string | boolean)[] = []
  const lines = new MessageLines(most, (line) => void told.push(line))
  for (const chunk of chunks)
    if (!lines.push(Buffer.from(chunk))) {
      told.push(false)
      lines.skipLine()
    }
  return told
}

test('lines are put together, however the bytes are cut', () => {
  const text = 'one\r\ntwo\n\nüml\nrest'
  for (let size = 1; size < 8; size++) {
    const bytes = Buffer.from(text)
    const told: string[] = []
    const lines = new MessageLines(100, (line) => void told.push(line))
    for (let at = 0; at < bytes.length; at += size) lines.push(bytes.subarray(at, at + size))
    expect(told).toEqual(['one', 'two', '', 'üml'])
  }
})

test('a line that is too long is told, can be skipped, and the next one is read', () => {
  expect(linesOf(5, ['1234', '56', '789\nok\n'])).toEqual([false, 'ok'])
  expect(linesOf(5, ['12345\n', 'next\n'])).toEqual(['12345', 'next'])
})
