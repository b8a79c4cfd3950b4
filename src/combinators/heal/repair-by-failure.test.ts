import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { replayFromEveryPrefix } from '../../testing/replay-from-every-prefix.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { tool } from '../../tool/tool.ts'
import { heal } from './heal.ts'

const Input = z.object({ query: z.string(), page: z.int().min(1).optional(), brand: z.string().optional(), color: z.string().optional() })
type Given = z.infer<typeof Input>

/** Fails for every input but some, with an error of its own words. */
function catalogue(fails: (input: Given) => ToolError | undefined, effect: 'read' | 'write' = 'read') {
  const seen: Given[] = []
  const built = tool({
    name: 'search',
    description: 'Searches the catalogue.',
    effect,
    inputSchema: Input,
    execute: (input) => {
      seen.push(input)
      const error = fails(input)
      if (error !== undefined) throw error
      return 'boots'
    },
  })
  return { tool: built, seen }
}

const beyond = (): ToolError => new ToolError('Page 9 is beyond the last page.', { class: 'semantic', outcome: 'failed' })
const nothing = (): ToolError => new ToolError('Nothing found.', { class: 'not_found', outcome: 'failed' })

describe('heal, after an error that says what to change', () => {
  test('reads the first page where the page is beyond the end, and says so [H3]', async () => {
    const { tool: search, seen } = catalogue(({ page }) => (page === 9 ? beyond() : undefined))
    const result = await heal(search).call({ query: 'boots', page: 9 })
    expect(result).toMatchObject({
      ok: true,
      issues: [{ severity: 'info', message: 'The input was repaired. rules: page: first page (9 to 1)' }],
    })
    expect(seen).toEqual([
      { query: 'boots', page: 9 },
      { query: 'boots', page: 1 },
    ])
  })

  test('broadens a search that found nothing step by step, within its attempts [H3]', async () => {
    const { tool: search, seen } = catalogue(({ brand, color }) => (brand === undefined && color === undefined ? undefined : nothing()))
    const input = { query: '"boots"', brand: 'Acme', color: 'red' }
    const result = await heal(search, { attempts: 4 }).call(input)
    expect(result.ok).toBe(true)
    expect(seen).toEqual([input, { ...input, query: 'boots' }, { query: 'boots', color: 'red' }, { query: 'boots' }])
    expect(result.issues?.map(({ message }) => message)).toEqual([
      String.raw`The input was repaired. rules: query: quotes of the query dropped ("\"boots\"" to "boots")`,
      'The input was repaired. rules: brand: filter dropped ("Acme")',
      'The input was repaired. rules: color: filter dropped ("red")',
    ])
    const short = await heal(search, { attempts: 2 }).call(input)
    expect(short).toMatchObject({ ok: false, error: { class: 'not_found' } })
    expect(short.attempts?.at(-1)).toMatchObject({ skipped: 'exhausted' })
  })

  test('stops with no_alternative_params when nothing is left to leave out [H2]', async () => {
    const { tool: search, seen } = catalogue(nothing)
    const result = await heal(search, { attempts: 5 }).call({ query: 'boots', brand: 'Acme' })
    expect(seen).toHaveLength(2)
    expect(result.attempts?.at(-1)).toMatchObject({ skipped: 'no_alternative_params' })
  })

  test.each([beyond, nothing])('changes no input of a tool that takes effect [H3]', async (fail) => {
    const { tool: search, seen } = catalogue(fail, 'write')
    const result = await heal(search, { attempts: 5 }).call({ query: '"boots"', page: 9, brand: 'Acme' })
    expect(result.ok).toBe(false)
    expect(seen).toHaveLength(1)
  })

  test('takes the same way from every prefix of its record [H2]', async () => {
    const { tool: search } = catalogue(({ page, brand }) => (page === 9 ? beyond() : brand === undefined ? undefined : nothing()))
    const healed = heal(search, { attempts: 4 })
    const { diverged } = await replayFromEveryPrefix(
      healed,
      { query: '"boots"', page: 9, brand: 'Acme' },
      { options: () => ({ random: () => 0.5 }) },
    )
    expect(diverged).toEqual([])
  })

  test('asks the repairers of the author first', async () => {
    const { tool: search, seen } = catalogue(({ brand }) => (brand === 'Acme' ? nothing() : undefined))
    await heal(search, { repairers: [({ input }) => ({ input: { ...input, brand: 'Acme Ltd' } })] }).call({ query: 'boots', brand: 'Acme' })
    expect(seen.at(-1)).toEqual({ query: 'boots', brand: 'Acme Ltd' })
  })
})
