import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importFlags } from '../../test/fixtures/prepared.ts'

test('tools of two MCP servers become one tool, which is served again [T10] [X6]', () => {
  const printed = execFileSync(process.execPath, [...importFlags, join(import.meta.dirname, 'main.ts')], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  expect(printed.trim().split('\n')).toEqual([
    'mcp:files: read_text_file (read)',
    'mcp:files: write_file (write)',
    'mcp:everything: get_sum (read)',
    'why     It writes: The sum of 700 and 250 is 950.',
    'done',
    'The sum of 700 and 250 is 950.',
  ])
})
