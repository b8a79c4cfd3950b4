import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ReviewRequest } from '../tool/review.ts'
import { describeRequest } from './describe-request.ts'
import { printable } from '../tool/printable.ts'

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\u001b', '\n', '\r', '\u009b', '\u202e', '\u2028', '\u200b', '\ud800', '|', '[2J'),
    fc.string({ unit: 'binary', maxLength: 1 }),
  ),
})

function request(text: string, kind: ReviewRequest['kind']): ReviewRequest {
  return {
    id: 'r1',
    kind,
    tool: 'pay',
    version: '1.0.0',
    input: kind === 'approval' ? { [text]: [text] } : text,
    why: text,
    caller: { agent: text },
    risk: 'high',
    invocationId: 'i1',
    path: text,
    inputHash: 'h',
    onTimeout: 'reject',
  }
}

test('no text can move the cursor, end a line, or reverse the reading direction [T15]', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(printable(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u)
    }),
  )
})

test('whatever a tool, a model or a caller writes, only our own words begin a line [T15]', () => {
  const ours = /^(|--- (Approval wanted|A question) ---|(tool|risk|caller|path|why) .*|input|why|question|about| {2}\| .*)$/
  fc.assert(
    fc.property(anyText, fc.constantFrom('approval', 'question'), (text, kind) => {
      const lines = describeRequest(request(text, kind)).split('\n')
      for (const line of lines) expect(line).toMatch(ours)
      expect(lines.filter((line) => line.startsWith('---'))).toHaveLength(1)
      expect(lines.filter((line) => line.startsWith('risk'))).toEqual(['risk    high'])
    }),
  )
})

test('printable text stays as it is', () => {
  expect(printable('Zoë owes 5 €, 東京 •')).toBe('Zoë owes 5 €, 東京 •')
  expect(printable('a\u001b[31mb\tc\u202ed')).toBe(String.raw`a\u{1b}[31mb\tc\u{202e}d`)
})

test('a long text is shown to its end, and its length is said where it cannot be forged', () => {
  const text = describeRequest({ ...request('x', 'approval'), input: `${'y'.repeat(20_050)}z` })
  expect(text).toMatch(/\n {2}\(long: 20051 characters; read to the end\)\n {2}\| y+z\n$/)
})

test('an input that JSON cannot hold is still shown', () => {
  const cyclic: Record<string, unknown> = { amount: 5n }
  expect(describeRequest({ ...request('x', 'approval'), input: cyclic })).toContain('"amount": "5"')
  cyclic['self'] = cyclic
  expect(describeRequest({ ...request('x', 'approval'), input: cyclic })).toContain('a value that JSON cannot hold')
})
