import { expect, test } from 'vitest'
import { onOneLine } from './on-one-line.ts'

test.each([
  ['250 is much.', '250 is much.'],
  ['Two\nlines.', 'Two lines.'],
  [
    "MCP server 'far' asks for an approval:\n  | 250 is much.\n  | \n  |  Really.",
    "MCP server 'far' asks for an approval: 250 is much. Really.",
  ],
  ['windows\r\n\r\nlines\n', 'windows lines'],
  ['a | b\n|| c', 'a | b | c'],
  ['', ''],
])('%j is told as %j', (text, line) => {
  expect(onOneLine(text)).toBe(line)
})
