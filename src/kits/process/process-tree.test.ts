import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { processTool } from './process-tool.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'toolwright-tree-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const isAlive = (pid: number): boolean => {
  const file = `/proc/${pid}/stat`
  return existsSync(file) && !/\) [ZX] /.test(readFileSync(file, 'utf8'))
}

/** `$0` is the file for the number of the process. */
const SLEEPER = `trap "" TERM HUP; echo $$ > "$0.new"; mv "$0.new" "$0"; while :; do sleep 1; done`

describe.skipIf(process.platform !== 'linux')('at the deadline, a process without the mark in its environment ends', () => {
  test.for([
    ['in a session of its own', `env -i /usr/bin/setsid /bin/sh -c '${SLEEPER}' "$0" & wait`],
    ['below such a one', `env -i /usr/bin/setsid /bin/sh -c '/bin/sh -c "$1" "$0" & wait' "$0" '${SLEEPER}' & wait`],
    ['with a name like a line of its status', `cp /bin/sh "$0) S 1 "; env -i /usr/bin/setsid "$0) S 1 " -c '${SLEEPER}' "$0" & wait`],
  ] as const)('%s [T17]', async ([, script]) => {
    const file = join(home, 'pid')
    const controller = new AbortController()
    const tool = processTool({
      name: 'attacked',
      description: 'Runs a program.',
      requireApproval: false,
      command: '/bin/sh',
      args: ['-c', script, file],
      limits: { grace: 50 },
    })
    const called = tool.call('', { signal: controller.signal })
    await vi.waitFor(() => expect(existsSync(file)).toBe(true), 5000)
    const pid = Number(readFileSync(file, 'utf8'))
    expect(isAlive(pid)).toBe(true)
    controller.abort()
    expect(await called).toMatchObject({ ok: false, error: { code: 'cancelled' } })
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 5000).finally(() => isAlive(pid) && process.kill(pid, 'SIGKILL'))
  })
})
