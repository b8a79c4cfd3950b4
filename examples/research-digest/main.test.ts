import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runProgram } from '../../scripts/run-program.ts'
import { importFlags } from '../../test/fixtures/prepared.ts'

test(
  'one tool with a quorum and a router answers with fewer model calls and tokens than three tools [T18] [R4]',
  { timeout: 60_000 },
  async () => {
    const { code, stdout, stderr } = await runProgram('node', [...importFlags, join(import.meta.dirname, 'main.ts')])
    expect(code, stderr).toBe(0)
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => /: +(\d+) model calls, (\d+) tokens$/.exec(line)?.slice(1).map(Number))
    expect(lines).toEqual([
      [4, expect.any(Number)],
      [2, expect.any(Number)],
    ])
    expect((lines[1]?.[1] ?? 0) * 20).toBeLessThan(lines[0]?.[1] ?? 0)
  },
)
