import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
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

test('it counts with the tools of a file too, and leaves out those whose schema is not valid', { timeout: 90_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'many-tools-'))
  try {
    const inputSchema = { properties: { query: { type: 'string', description: 'What is looked for, in plain words' } } }
    const tools = Array.from({ length: 600 }, (_, at) => ({
      name: `get report ${at % 500}`,
      description: `Gets the report number ${at} of a department, with all its pages.`,
      server: `s${at % 7}`,
      inputSchema: at === 3 ? { properties: { count: { type: 'number', exclusiveMinimum: true } } } : inputSchema,
    }))
    const file = join(folder, 'tools.json')
    await writeFile(file, JSON.stringify({ tools }))
    const { code, stdout, stderr } = await runProgram('node', [...importFlags, join(import.meta.dirname, 'main.ts'), file])
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/^599 tools: \d{5} tokens of schemas in each of 1 turn\n/)
  } finally {
    await rm(folder, { recursive: true })
  }
})
