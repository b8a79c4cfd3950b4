import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { importFlags } from '../../test/fixtures/prepared.ts'

test('what npm start shows, with nobody at the terminal: a plan in one call, then runs that outlive their process, then what to try next', async () => {
  const flags = [...importFlags, join(import.meta.dirname, 'main.ts'), '--once']
  const started = performance.now()
  const { stdout, stderr } = await promisify(execFile)(process.execPath, flags)
  expect(performance.now() - started).toBeLessThan(60_000)
  const places = ['PART 1 OF 2', 'The model reads: ', 'PART 2 OF 2', 'kill -9', 'paid once', 'mcpServers'].map((shown) =>
    stdout.indexOf(shown),
  )
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  const [, several, one] = /^four tools and a model\s+\d+\s+(\d+)$[^]*?^one tool\s+\d+\s+(\d+)$/m.exec(stdout) ?? []
  expect(stdout).toContain(`${Math.round(100 * (1 - Number(one) / Number(several)))}% fewer tokens.`)
  expect(stderr).toBe('')
}, 120_000)
