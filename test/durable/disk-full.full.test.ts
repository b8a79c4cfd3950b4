import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { pipe } from '../../src/combinators/pipe/pipe.ts'
import { openRuns } from '../../src/run/open-runs.ts'
import { stopEmbedded } from '../../src/store/stop-embedded.ts'
import type { AgentTool } from '../../src/tool/agent-tool.ts'
import { tool } from '../../src/tool/tool.ts'

/** A disk of its own, which only root can make, and only on Linux. */
const disk = mkdtempSync(join(tmpdir(), 'small-disk-'))
const isMounted = mountSmallDisk()
const home = join(disk, 'home')

function mountSmallDisk(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'small-disk', disk], { stdio: 'ignore' })
    chmodSync(disk, 0o755)
    return true
  } catch {
    return false
  }
}

afterAll(async () => {
  await stopEmbedded(home).catch(() => {})
  if (isMounted) execFileSync('umount', ['--lazy', disk])
  rmSync(disk, { recursive: true, force: true })
}, 60_000)

const MB = 1024 * 1024

test('a full disk is waited for: the run says what is wrong, and goes on when there is room', { timeout: 120_000 }, async ({ skip }) => {
  skip(!isMounted, 'a small disk can be mounted by root on Linux only')
  const done: string[] = []
  const large = (name: string): AgentTool<string, string> =>
    tool({
      name,
      description: 'Gives 3 MB that cannot be made smaller.',
      effect: 'write',
      idempotent: 'keyed',
      execute: (): string => {
        done.push(name)
        return randomBytes(3 * MB).toString('base64')
      },
    }) as AgentTool<string, string>
  const names = Array.from({ length: 8 }, (_, index) => `step_${index}`)
  const [a, b, c, d, e, f, g, h] = names.map(large) as [Large, Large, Large, Large, Large, Large, Large, Large]
  const settle = pipe(a, b, c, d, e, f, g, h)
  const warnings: string[] = []
  const byName = new Map([[settle.name, settle as AgentTool]])
  const runs = await openRuns({ database: { home }, tools: async () => byName, warn: (message) => warnings.push(message) })
  try {
    const filler = join(disk, 'filler')
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - 6 * MB)))
    const run = await runs.start(settle, 'x')
    await expect
      .poll(() => warnings.join('\n'), { timeout: 60_000 })
      .toMatch(/No space left|no room|could not (write|extend)|shutdown|terminat|recovery/i)
    const before = done.length
    expect(before).toBeLessThan(names.length)
    rmSync(filler)
    const result = await run.result()
    expect(result.ok).toBe(true)
    expect(new Set(done)).toEqual(new Set(names))
    // What was recorded is not done again; what could not be recorded may be, under its key.
    expect(done.length).toBeLessThanOrEqual(names.length + 2)
    console.log(
      `disk full after ${before} of ${names.length} steps; ${done.length - names.length} done again; ${warnings.length} warnings, such as: ${warnings[0]}`,
    )
  } finally {
    await runs.close()
  }
})

type Large = AgentTool<string, string>
