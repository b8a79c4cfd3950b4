import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runProgram } from '../../scripts/run-program.ts'
import { importFlags } from '../../test/fixtures/prepared.ts'

test(
  'an agent with 500 tools in a catalog is sent at least 98 % fewer tokens of schemas in each turn [S3] [S5]',
  { timeout: 90_000 },
  async () => {
    const { code, stdout, stderr } = await runProgram('node', [...importFlags, join(import.meta.dirname, 'main.ts')])
    expect(code, stderr).toBe(0)
    const [all, lazy, saved, categories, shop] = stdout.trim().split('\n')
    expect(all).toMatch(/^500 tools: \d{5} tokens of schemas in each of 3 turns$/)
    expect(lazy).toMatch(/^the catalog: (\d{3,4}, ){3}\d{3,4} tokens, in 4 turns$/)
    expect(Number(saved?.split(' ')[0])).toBeGreaterThanOrEqual(98)
    expect(categories).toContain('shop 50')
    expect(shop).toMatch(/^the schemas of the shop: \d{4} of \d{5} tokens$/)
  },
)
