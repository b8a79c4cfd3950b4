import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { CallOptions, ToolResult } from '../../index.ts'
import { argv } from './argv.ts'
import type { ProcessToolOptions } from './process-options.ts'
import { processTool } from './process-tool.ts'

/**
 * Every attack aims at this folder and at processes that it starts itself. `witness` is written by what must not run; `pid` holds the
 * number of a process that must have ended.
 */
let home: string
let witness: string
let pid: string
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-process-')))
  witness = join(home, 'witness')
  pid = join(home, 'pid')
  mkdirSync(join(home, 'root'))
  mkdirSync(join(home, 'root', 'sub'))
  mkdirSync(join(home, 'outside'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

type Options = Partial<ProcessToolOptions<undefined, undefined>>

const BASE = { name: 'attacked', description: 'Runs a program.', requireApproval: false } as const

/** Runs a script of the shell, which is the program here: the tool itself has no shell. */
function script(text: string, options: Options = {}): Promise<ToolResult> {
  const env = { set: { WITNESS: witness, PIDS: pid } }
  return processTool({ ...BASE, command: 'sh', args: ['-c', text], env, limits: { grace: 50 }, ...options }).call('', OPTIONS)
}

const OPTIONS: CallOptions = { deadline: '20s' }

const OPERAND = z.object({ value: z.string() })

/** Gives one value to a program that writes its arguments as JSON. */
function given(value: string, args = (input: { readonly value: string }) => argv`-e ${SHOW} ${input.value}`): Promise<ToolResult> {
  return processTool({ ...BASE, command: process.execPath, inputSchema: OPERAND, args }).call({ value }, OPTIONS)
}

const SHOW = 'console.log(JSON.stringify(process.argv.slice(1)))'

/** The processes of which the file holds the numbers, as far as they still run. */
function survivors(): readonly string[] {
  const pids = existsSync(pid) ? readFileSync(pid, 'utf8').trim().split(/\s+/) : []
  expect(pids.length).toBeGreaterThan(0)
  return pids.filter((each) => {
    const status = existsSync(`/proc/${each}/stat`) ? readFileSync(`/proc/${each}/stat`, 'utf8') : ''
    return status !== '' && !/\) [ZX] /.test(status)
  })
}

async function eventually(check: () => boolean): Promise<void> {
  const until = Date.now() + 5000
  while (!check() && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(check()).toBe(true)
}

/** Cuts the call off as soon as the script has written its numbers. */
async function cutOff(text: string, options: Options = {}): Promise<ToolResult> {
  const controller = new AbortController()
  const env = { set: { WITNESS: witness, PIDS: pid } }
  const called = processTool({ ...BASE, command: 'sh', args: ['-c', text], env, limits: { grace: 50 }, ...options }).call('', {
    ...OPTIONS,
    signal: controller.signal,
  })
  await eventually(() => existsSync(pid))
  controller.abort()
  return called
}

interface Attack {
  readonly name: string
  readonly attack: () => Promise<void>
}

const refusedValue = (name: string, value: string): Attack => ({
  name,
  attack: async () => {
    expect(await given(value)).toMatchObject({
      ok: false,
      error: { code: 'argument_refused', class: 'input_validation', outcome: 'not_started' },
    })
  },
})

/** It arrives as one argument, and is nothing but that. */
const inertValue = (name: string, value: string): Attack => ({
  name,
  attack: async () => {
    expect(await given(value)).toMatchObject({ ok: true, value: { stdout: `${JSON.stringify([value])}\n` } })
    expect(existsSync(witness)).toBe(false)
  },
})

const optionAttacks: readonly Attack[] = [
  refusedValue('a long option', '--eval=process.exit(3)'),
  refusedValue('a short option', '-e'),
  refusedValue('the end of options', '--'),
  refusedValue('the dash that means the standard input', '-'),
  refusedValue('an option with a value glued to it', '-o/etc/passwd'),
  refusedValue('NUL, which cuts an argument short', 'a\0--eval'),
  refusedValue('half of a surrogate pair', 'a\ud800'),
  refusedValue('an argument longer than the system takes', 'x'.repeat(200_000)),
  inertValue('a second command', '; touch "$WITNESS"'),
  inertValue('a substitution', '$(touch $WITNESS) `touch $WITNESS`'),
  inertValue('a redirection and a pipe', '> witness | sh'),
  inertValue('a line break', 'a\n--eval\n'),
  inertValue('a wildcard and a variable', '* ~ $HOME %PATH%'),
  inertValue('quotation marks and backslashes', `'"\\" '`),
  {
    name: 'a value after `--`, where it may begin with a dash',
    attack: async () => {
      const result = await given('--eval=1', ({ value }) => argv`-e ${SHOW} -- ${value}`)
      expect(result).toMatchObject({ ok: true, value: { stdout: '["--eval=1"]\n' } })
    },
  },
  {
    name: 'a value that would be the name of an option',
    attack: async () => {
      await expect(given('eval', ({ value }) => argv`--${value}`)).rejects.toMatchObject({ code: 'invalid_option' })
      await expect(given('x', ({ value }) => argv`--no-${value}`)).rejects.toMatchObject({ code: 'invalid_option' })
    },
  },
  {
    name: 'an empty value that makes a short option take the next argument',
    attack: async () => {
      expect(await given('', ({ value }) => argv`-r${value} --eval=1`)).toMatchObject({ ok: false, error: { code: 'argument_refused' } })
    },
  },
  {
    name: 'a dash that two values make together',
    attack: async () => {
      expect(await given('-e', ({ value }) => argv`${''}${value}`)).toMatchObject({ ok: false, error: { code: 'argument_refused' } })
    },
  },
  {
    name: 'an option within a list',
    attack: async () => {
      expect(await given('-e', ({ value }) => argv`${['a', value]}`)).toMatchObject({ ok: false, error: { code: 'argument_refused' } })
    },
  },
]

const surroundings: readonly Attack[] = [
  {
    name: 'secrets in the environment of this process',
    attack: async () => {
      process.env['TOOLWRIGHT_TEST_TOKEN'] = 'of-this-process'
      try {
        const result = await script('env', { env: { inherit: [] } })
        expect(result.ok && result.text).not.toContain('of-this-process')
        expect(result.text.split('\n').map((line) => line.split('=')[0])).not.toContain('HOME')
      } finally {
        delete process.env['TOOLWRIGHT_TEST_TOKEN']
      }
    },
  },
  {
    name: 'a program of the same name in the working folder, with that folder in PATH',
    attack: async () => {
      writeFileSync(join(home, 'wc'), `#!/bin/sh\ntouch ${witness}\n`, { mode: 0o755 })
      const tool = processTool({ ...BASE, command: 'wc', cwd: home, env: { set: { PATH: `.::${process.env['PATH']}` } } })
      expect(await tool.call('a b', OPTIONS)).toMatchObject({ ok: true })
      expect(existsSync(witness)).toBe(false)
    },
  },
  {
    name: 'a working folder outside the root, by path and by link',
    attack: async () => {
      symlinkSync(join(home, 'outside'), join(home, 'root', 'link'))
      const inside = processTool({
        ...BASE,
        command: 'pwd',
        inputSchema: z.object({ folder: z.string() }),
        stdin: 'json',
        cwd: { root: join(home, 'root'), folder: ({ folder }) => folder },
      })
      for (const folder of ['../outside', 'sub/../../outside', '/tmp', 'link', 'link/sub', 'link/../../outside', 'a\0b'])
        expect(await inside.call({ folder }, OPTIONS)).toMatchObject({ ok: false, error: { code: 'path_refused', outcome: 'not_started' } })
      expect(await inside.call({ folder: 'none' }, OPTIONS)).toMatchObject({
        ok: false,
        error: { code: 'not_found', outcome: 'not_started' },
      })
      expect(await inside.call({ folder: './sub' }, OPTIONS)).toMatchObject({ ok: true, text: `${join(home, 'root', 'sub')}\n` })
      expect(await inside.call({ folder: '.' }, OPTIONS)).toMatchObject({ ok: true, text: `${join(home, 'root')}\n` })
    },
  },
  {
    name: 'a program that is not there, and a file that is none',
    attack: async () => {
      writeFileSync(join(home, 'text'), 'no program')
      for (const command of ['no-such-program', join(home, 'none'), join(home, 'text'), home])
        expect(await processTool({ ...BASE, command }).call('', OPTIONS)).toMatchObject({
          ok: false,
          error: { code: 'process_not_started', outcome: 'not_started' },
        })
    },
  },
  {
    name: 'a terminal to ask for a password',
    attack: async () => {
      expect(await script('(echo x > /dev/tty) 2>/dev/null || echo none')).toMatchObject({ ok: true, text: 'none\n' })
    },
  },
]

const FOREVER = 'exec sleep 1000'
const SETSID = `${process.execPath} -e "require('node:child_process').spawn('sleep',['1000'],{detached:true,stdio:'inherit'}).unref()"`

const treeAttacks: readonly Attack[] = [
  {
    name: 'signals ignored',
    attack: async () => {
      const result = await cutOff(`trap '' TERM INT HUP; echo $$ > "$PIDS"; while :; do sleep 1000; done`)
      expect(result).toMatchObject({ ok: false, error: { code: 'cancelled', outcome: 'unknown' } })
      await eventually(() => survivors().length === 0)
    },
  },
  {
    name: 'a stopped process, which hears no SIGTERM',
    attack: async () => {
      await cutOff('echo $$ > "$PIDS"; kill -STOP $$')
      await eventually(() => survivors().length === 0)
    },
  },
  {
    name: 'a grandchild that outlives its parent at the deadline',
    attack: async () => {
      await cutOff(`(trap '' TERM; echo $$; ${FOREVER}) & sleep 1000 & echo $! $$ > "$PIDS.new"; mv "$PIDS.new" "$PIDS"; wait`)
      await eventually(() => survivors().length === 0)
    },
  },
  {
    name: 'an orphan grandchild that holds the output open',
    attack: async () => {
      const started = Date.now()
      expect(await script('sleep 1000 & echo $! > "$PIDS"; echo done')).toMatchObject({ ok: true, text: 'done\n' })
      expect(Date.now() - started).toBeLessThan(10_000)
      await eventually(() => survivors().length === 0)
    },
  },
  {
    name: 'an orphan in a session of its own that holds the output open',
    attack: async () => {
      const result = await script(`setsid sh -c 'echo $$ > "$PIDS"; ${FOREVER}' & while [ ! -s "$PIDS" ]; do :; done; echo done`)
      expect(result).toMatchObject({ ok: true, text: 'done\n', issues: [{ severity: 'warning' }] })
      await eventually(() => survivors().length === 0)
    },
  },
  {
    name: 'an orphan in a session of its own that is silent and holds nothing',
    attack: async () => {
      const result = await script(
        `setsid sh -c 'echo $$ > "$PIDS"; ${FOREVER}' >&- 2>&- <&- & while [ ! -s "$PIDS" ]; do :; done; echo done`,
      )
      expect(result).toMatchObject({ ok: true, text: 'done\n', issues: [{ severity: 'warning' }] })
      await eventually(() => survivors().length === 0)
    },
  },
  {
    name: 'a silent orphan of a program that fails',
    attack: async () => {
      const result = await script(
        `setsid sh -c 'echo $$ > "$PIDS"; ${FOREVER}' >&- 2>&- <&- & while [ ! -s "$PIDS" ]; do :; done; exit 3`,
      )
      expect(result).toMatchObject({ ok: false, error: { code: 'process_failed' } })
      await eventually(() => survivors().length === 0)
    },
  },
  {
    name: 'a secret that no variable can hold',
    attack: async () => {
      for (const value of ['tok-SECRET\0x', 'tok-SECRET\ud800']) {
        const tool = processTool({ ...BASE, command: 'true', args: [], env: { secrets: { TOKEN: 'token' } } })
        const result = await tool.call('', { ...OPTIONS, secrets: { get: () => value } })
        expect(result).toMatchObject({ ok: false, error: { code: 'process_not_started', outcome: 'not_started' } })
        expect(JSON.stringify(result)).not.toContain('SECRET')
      }
    },
  },
  {
    name: 'a process in a session of its own at the deadline',
    attack: async () => {
      await cutOff(`setsid sh -c 'echo $$ > "$PIDS"; ${FOREVER}' & wait`)
      await eventually(() => survivors().length === 0)
    },
  },
  {
    name: 'a process that detaches itself twice',
    attack: async () => {
      await cutOff(`(setsid sh -c '(trap "" TERM; ${SETSID}; echo $$ > "$PIDS"; ${FOREVER}) & exit' &) ; sleep 1000`)
      await eventually(() => marked().length === 0)
    },
  },
  {
    name: 'processes without end, each started by the one before',
    attack: async () => {
      await cutOff(`relay() { [ "$1" -gt 200 ] && sleep 1000; relay $(($1 + 1)) & }; echo $$ > "$PIDS"; relay 0; wait; sleep 1000`)
      await eventually(() => marked().length === 0)
    },
  },
  {
    name: 'a program that runs longer than its own time',
    attack: async () => {
      const result = await script(`echo so far; echo $$ > "$PIDS"; ${FOREVER}`, { timeout: 300 })
      expect(result).toMatchObject({ ok: false, error: { code: 'deadline_exceeded', class: 'deadline', outcome: 'unknown' } })
      expect(result.text).toContain('so far')
      await eventually(() => survivors().length === 0)
    },
  },
]

/** Processes of this machine that a tool has started. */
function marked(): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^[0-9]+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'latin1').includes(`PIDS=${pid}\0`)
    } catch {
      return false
    }
  })
}

const streamAttacks: readonly Attack[] = [
  {
    name: 'output without end',
    attack: async () => {
      const result = await script('yes', { limits: { totalBytes: 1024 * 1024, grace: 50 } })
      expect(result).toMatchObject({ ok: false, error: { code: 'process_failed', outcome: 'unknown' } })
      expect(result.text.length).toBeLessThan(5000)
    },
  },
  {
    name: 'error output without end, in one line',
    attack: async () => {
      const heard: unknown[] = []
      const tool = processTool({
        ...BASE,
        command: 'sh',
        args: ['-c', "tr '\\0' x < /dev/zero >&2"],
        progress: 'stderr',
        limits: { totalBytes: 1024 * 1024, grace: 50 },
      })
      const result = await tool.call('', { ...OPTIONS, on: (event) => heard.push(event) })
      expect(result).toMatchObject({ ok: false, error: { code: 'process_failed' } })
      expect(JSON.stringify(heard).length).toBeLessThan(20_000)
    },
  },
  {
    name: 'more output than is kept',
    attack: async () => {
      const result = await script('printf head; head -c 100000 /dev/zero | tr "\\0" x; printf tail', { limits: { stdoutBytes: 1000 } })
      expect(result).toMatchObject({ ok: true, value: { droppedBytes: 99_008 }, issues: [{ severity: 'warning' }] })
      expect(result.text).toMatch(/^headx+\n\[\.\.\. 99008 bytes left out \.\.\.\]\nx+tail$/)
    },
  },
  {
    name: 'bytes that are no text',
    attack: async () => {
      const result = await script(String.raw`printf 'a\377b\302'`)
      expect(result).toMatchObject({ ok: true, text: 'a\ufffdb\ufffd', issues: [{ severity: 'warning' }] })
    },
  },
  {
    name: 'a huge input to a program that does not read it',
    attack: async () => {
      const tool = processTool({ ...BASE, command: 'true' })
      expect(await tool.call('x'.repeat(8_000_000), OPTIONS)).toMatchObject({
        ok: true,
        issues: [{ message: 'The program did not read all of its input.' }],
      })
    },
  },
  {
    name: 'an input over the bound',
    attack: async () => {
      const tool = processTool({ ...BASE, command: 'cat', limits: { stdinBytes: 100 } })
      expect(await tool.call('x'.repeat(101), OPTIONS)).toMatchObject({
        ok: false,
        error: { code: 'argument_refused', outcome: 'not_started' },
      })
    },
  },
  {
    name: 'a program that closes its output and goes on',
    attack: async () => {
      const result = await script(`echo $$ > "$PIDS"; exec >&- 2>&-; ${FOREVER}`, { timeout: 300 })
      expect(result).toMatchObject({ ok: false, error: { code: 'deadline_exceeded' } })
      await eventually(() => survivors().length === 0)
    },
  },
  {
    name: 'JSON that is cut, is none, or is nested without end',
    attack: async () => {
      const json = (text: string, limit = 1024 * 1024): Promise<ToolResult> =>
        processTool({ ...BASE, command: 'cat', stdout: 'json', limits: { stdoutBytes: limit } }).call(text, OPTIONS)
      expect(await json('{"a":1}')).toMatchObject({ ok: true, value: { a: 1 } })
      expect(await json('{"a":')).toMatchObject({ ok: false, error: { code: 'invalid_output', outcome: 'unknown' } })
      expect(await json(`"${'x'.repeat(100)}"`, 50)).toMatchObject({ ok: false, error: { code: 'invalid_output' } })
      const deep = await json(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
      expect(typeof deep.text).toBe('string')
    },
  },
]

const ATTACKS = { optionAttacks, surroundings, treeAttacks, streamAttacks }

test('there are at least 30 attacks', () => {
  expect(Object.values(ATTACKS).flat().length).toBeGreaterThanOrEqual(30)
})

describe.skipIf(process.platform !== 'linux').each(Object.entries(ATTACKS))('%s', (_group, attacks) => {
  test.each(attacks.map(({ name, attack }) => [name, attack] as const))('%s: contained [T17]', async (_name, attack) => {
    await expect(attack()).resolves.toBeUndefined()
  })
})
