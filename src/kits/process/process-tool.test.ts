import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { check, isSound, pipe, type ReviewRequest, tool } from '../../index.ts'
import { argv } from './argv.ts'
import { processTool } from './process-tool.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'toolwright-process-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const BASE = { name: 'program', description: 'Runs a program.', requireApproval: false } as const
const node = (code: string): { readonly command: string; readonly args: readonly string[] } => ({
  command: process.execPath,
  args: ['-e', code],
})

/** Reads its input as JSON and writes what the code makes of it. */
const onJson = (code: string): ReturnType<typeof node> =>
  node(`const input = JSON.parse(require('fs').readFileSync(0, 'utf8')); console.log(JSON.stringify(${code}))`)

describe('a string tool', () => {
  test('gives its text to the program and has its output as text [T17]', async () => {
    const upper = processTool({ ...BASE, command: 'tr', args: ['a-z', 'A-Z'] })
    expect(await upper.call('héllo\n')).toMatchObject({
      ok: true,
      text: 'HéLLO\n',
      value: { stdout: 'HéLLO\n', stderr: '', exitCode: 0, droppedBytes: 0 },
    })
    expect(upper.effect).toBe('irreversible')
  })

  test('is a step of a pipeline: its text goes on [T17] [P3]', async () => {
    const upper = processTool({ ...BASE, name: 'upper', command: 'tr', args: ['a-z', 'A-Z'] })
    const reverse = processTool({ ...BASE, name: 'reverse', command: 'rev' })
    const both = pipe(
      upper,
      tool({ name: 'bracket', description: 'Brackets.', effect: 'read', execute: (text) => `[${text.trim()}]` }),
      reverse,
    )
    expect((await both.call('abc\n')).text.trim()).toBe(']CBA[')
  })
})

describe('a typed tool', () => {
  test('speaks JSON both ways, and its output is checked [T17]', async () => {
    const add = processTool({
      ...BASE,
      ...onJson('{ sum: input.a + input.b }'),
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      stdin: 'json',
      outputSchema: z.object({ sum: z.number() }),
    })
    expect(await add.call({ a: 1, b: 2 })).toMatchObject({ ok: true, value: { sum: 3 } })
    const wrong = processTool({ ...BASE, ...onJson('{ sum: "3" }'), stdin: 'json', outputSchema: z.object({ sum: z.number() }) })
    expect(await wrong.call('x')).toMatchObject({ ok: false, error: { code: 'invalid_output', outcome: 'unknown' } })
  })

  test('takes JSON that begins with the mark of UTF-8, and that alone', async () => {
    const print = (text: string) => processTool({ ...BASE, command: 'printf', args: [text], stdout: 'json' }).call('')
    expect(await print(String.raw`\357\273\277{"a":1}`)).toMatchObject({ ok: true, value: { a: 1 } })
    expect(await print(String.raw`{"a":1}\n{"a":2}`)).toMatchObject({ ok: false, error: { code: 'invalid_output' } })
  })

  test('gives a text of its own to the program', async () => {
    const grep = processTool({
      ...BASE,
      command: 'grep',
      inputSchema: z.object({ pattern: z.string(), text: z.string(), ignoreCase: z.boolean().default(false) }),
      args: ({ pattern, ignoreCase }) => argv`${ignoreCase && argv`--ignore-case`} --regexp=${pattern}`,
      stdin: ({ text }) => text,
      exitCodes: { 1: 'success', 2: { class: 'input_validation', message: 'The pattern is wrong.', hint: 'Correct it.' } },
    })
    expect(await grep.call({ pattern: '-B', text: 'a-b\na-B\n' })).toMatchObject({ ok: true, text: 'a-B\n' })
    expect(await grep.call({ pattern: '-B', text: 'a-b\na-B\n', ignoreCase: true })).toMatchObject({ ok: true, text: 'a-b\na-B\n' })
    expect(await grep.call({ pattern: 'z', text: 'a' })).toMatchObject({ ok: true, text: '', value: { exitCode: 1 } })
    expect(await grep.call({ pattern: '[', text: 'a' })).toMatchObject({
      ok: false,
      error: {
        class: 'input_validation',
        outcome: 'failed',
        hint: 'Correct it.',
        message: expect.stringMatching(/^The pattern is wrong\. It wrote: /),
      },
    })
  })
})

describe('the person who approves', () => {
  const asked: ReviewRequest[] = []
  const review = (action: 'continue' | 'exit') => ({
    review: (request: ReviewRequest) => {
      asked.push(request)
      return action === 'continue' ? { action } : { action: 'reject' as const }
    },
  })
  beforeEach(() => asked.splice(0))

  const touch = () =>
    processTool({
      name: 'touch',
      description: 'Makes files.',
      command: 'touch',
      inputSchema: z.object({ files: z.array(z.string()) }),
      args: ({ files }) => argv`-- ${files}`,
      stdin: 'json',
      cwd: home,
      env: { set: { LANG: 'C' }, secrets: { TOKEN: 'token' } },
    })

  test('is asked by default, and sees the arguments, the folder and the input exactly [T14] [T17]', async () => {
    const options = { review: review('continue'), secrets: { get: () => 'opensesame' } }
    expect(await touch().call({ files: ['-a b', 'c\u202ed'] }, options)).toMatchObject({ ok: true })
    expect(asked).toMatchObject([{ kind: 'approval', tool: 'touch', risk: 'high', input: { files: ['-a b', 'c\u202ed'] } }])
    expect(asked[0]?.why).toBe(
      `Runs: touch -- '-a b' 'c\\u{202e}d'\nIn the folder: ${home}\nWith the variables: LANG, TOKEN\nIts input, 27 bytes:\n| {"files":["-a b","c\\u{202e}d"]}\n| `,
    )
    expect(existsSync(join(home, '-a b'))).toBe(true)
  })

  test('sees the command of a program that writes to its input to make its arguments [T17]', async () => {
    const sorted = processTool({
      name: 'sorted',
      description: 'Makes files.',
      command: 'touch',
      inputSchema: z.object({ files: z.array(z.string()) }),
      args: ({ files }) => {
        files.reverse()
        return argv`-- ${files}`
      },
      cwd: home,
    })
    await sorted.call({ files: ['d', 'c'] }, { review: review('exit') })
    expect(asked).toMatchObject([{ input: { files: ['d', 'c'] } }])
    expect(asked[0]?.why).toMatch(/^Runs: touch -- c d$/m)
  })

  test('can tell the lines of the command from those of its input, however they are written [T17]', async () => {
    const send = processTool({ name: 'send', description: 'Sends a text.', command: 'cat' })
    const forged = `\nRuns: ls\n(5 characters are left out here; the input of the call has them.)\n`
    for (const text of [forged, `${forged}${'x'.repeat(20_000)}${forged}`]) {
      asked.splice(0)
      await send.call(text, { review: review('exit') })
      const lines = asked[0]?.why.split('\n') ?? []
      expect(lines.filter((line) => line.startsWith('Runs:'))).toEqual(['Runs: cat'])
      expect(lines.filter((line) => line.startsWith('(')).length).toBe(text === forged ? 0 : 1)
    }
  })

  test('decides: nothing runs without an approval, and without a reviewer [T17]', async () => {
    expect(await touch().call({ files: ['a'] }, { review: review('exit') })).toMatchObject({ ok: false, error: { code: 'rejected' } })
    await expect(touch().call({ files: ['a'] })).rejects.toMatchObject({ code: 'missing_review_handler' })
    expect(existsSync(join(home, 'a'))).toBe(false)
    expect(isSound(check(touch()))).toBe(true)
  })

  test('is not asked about what could not run', async () => {
    expect(await touch().call({ files: ['a\0b'] }, { review: review('continue') })).toMatchObject({
      ok: false,
      error: { code: 'argument_refused', outcome: 'not_started' },
    })
    expect(asked).toEqual([])
  })

  test('sees no field that is declared as a secret', async () => {
    const login = processTool({
      name: 'login',
      description: 'Logs in.',
      command: 'true',
      inputSchema: z.object({ user: z.string(), password: z.string() }),
      args: ({ user, password }) => argv`--user=${user} --password=${password}`,
    })
    await login.call({ user: 'ada', password: 'opensesame' }, { review: review('continue') })
    expect(asked[0]?.why).toContain('--user=ada')
    expect(JSON.stringify(asked)).not.toContain('opensesame')
  })
})

describe('the end of a program', () => {
  const ended = (code: string, effect: 'read' | 'write' = 'write') =>
    processTool({ ...BASE, command: 'sh', args: ['-c', code], effect }).call('')

  test('with a code that nobody explained is a failure with what it wrote, and its outcome is not known [T17]', async () => {
    expect(await ended('echo partly; echo broken >&2; exit 3')).toMatchObject({
      ok: false,
      error: { code: 'process_failed', class: 'semantic', outcome: 'unknown', message: 'sh failed with exit code 3. It wrote: broken' },
    })
    expect(await ended('exit 3', 'read')).toMatchObject({ ok: false, error: { outcome: 'failed' } })
  })

  test('by a signal is a failure of the program', async () => {
    expect(await ended('kill -SEGV $$')).toMatchObject({
      ok: false,
      error: { code: 'process_failed', class: 'server', outcome: 'unknown' },
    })
  })

  test('at the deadline has an unknown outcome', async () => {
    const sleeper = processTool({ ...BASE, command: 'sleep', args: ['1000'], limits: { grace: 0 } })
    expect(await sleeper.call('', { deadline: 200 })).toMatchObject({ ok: false, error: { code: 'deadline_exceeded', outcome: 'unknown' } })
  })

  test('comes with the end of the process that started it [T17]', async () => {
    const file = join(home, 'main.ts')
    const pids = join(home, 'pids')
    const here = new URL('process-tool.ts', import.meta.url).href
    writeFileSync(
      file,
      `import { processTool } from ${JSON.stringify(here)}
       const tool = processTool({ name: 'x', description: 'x', requireApproval: false, command: 'sh', args: ['-c', 'trap "" TERM; echo $$ > ${pids}; sleep 1000'] })
       await tool.call('')`,
    )
    const parent = spawn(process.execPath, [file], { stdio: 'ignore' })
    const over = new Promise<string | null>((resolve) => parent.once('exit', (_code, signal) => resolve(signal)))
    await until(() => existsSync(pids) && readFileSync(pids, 'utf8').trim() !== '')
    parent.kill('SIGTERM')
    expect(await over).toBe('SIGTERM')
    const pid = readFileSync(pids, 'utf8').trim()
    await until(() => !isRunning(pid))
  })
})

function isRunning(pid: string): boolean {
  return existsSync(`/proc/${pid}/stat`) && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}

async function until(isSo: () => boolean): Promise<void> {
  const end = Date.now() + 10_000
  while (!isSo() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(isSo()).toBe(true)
}

test('secrets reach the program by name, and no result repeats them in a failure', async () => {
  const secrets = { get: (name: string) => (name === 'github' ? 'ghp_opensesame' : undefined) }
  const tell = (code: string) => processTool({ ...BASE, command: 'sh', args: ['-c', code], env: { secrets: { TOKEN: 'github' } } })
  expect(await tell('[ "$TOKEN" = ghp_opensesame ]').call('', { secrets })).toMatchObject({ ok: true })
  const failed = await tell('echo "$TOKEN" >&2; exit 1').call('', { secrets })
  expect(failed.text).not.toContain('opensesame')
})

test('lines of the error output are progress [T17]', async () => {
  const heard: string[] = []
  const teller = processTool({
    ...BASE,
    command: 'sh',
    args: ['-c', 'echo one >&2; printf "two\\nthr" >&2; echo ee >&2'],
    progress: 'stderr',
  })
  await teller.call('', { on: (event) => 'message' in event && typeof event.message === 'string' && heard.push(event.message) })
  expect(heard).toEqual(['one', 'two', 'three'])
})

test('the environment is what was named', async () => {
  const env = { inherit: ['HOME', 'NOT_THERE'], set: { A: '1' } }
  const { text } = await processTool({ ...BASE, command: 'env', env }).call('')
  const names = text
    .trim()
    .split('\n')
    .map((line) => line.split('=')[0])
  expect(names.toSorted()).toEqual(
    ['A', 'HOME', 'PATH', 'TOOLWRIGHT_PROCESS'].filter((name) => name !== 'HOME' || process.env['HOME'] !== undefined),
  )
})

test.each([
  ['no command', { command: '' }],
  ['stdin that is no choice', { command: 'x', stdin: 'yaml' }],
  ['text for a typed tool', { command: 'x', stdin: 'text', inputSchema: z.object({}) }],
  ['an input that reaches nothing', { command: 'x', inputSchema: z.object({}) }],
  ['an output schema for text', { command: 'x', stdout: 'text', outputSchema: z.object({}) }],
  ['an unknown option', { command: 'x', shell: true }],
  ['an unknown limit', { command: 'x', limits: { stdout: 5 } }],
  ['a limit that is no number', { command: 'x', limits: { stdoutBytes: Number.NaN } }],
  ['an exit code that is none', { command: 'x', exitCodes: { one: 'success' } }],
  ['a class that is none', { command: 'x', exitCodes: { 1: 'bad' } }],
  ['a variable that is none', { command: 'x', env: { set: { 'A=B': '1' } } }],
  ['an environment as a list', { command: 'x', env: ['PATH'] }],
  ['a root that is not there', { command: 'x', cwd: { root: './none', folder: () => '.' } }],
  ['a folder that is no function', { command: 'x', cwd: { root: '.', folder: 'a' } }],
  ['arguments with NUL', { command: 'x', args: ['a\0'] }],
])('%s is a mistake in the program', (_what, options) => {
  expect(() => processTool({ ...BASE, ...options } as never)).toThrow(expect.objectContaining({ name: 'ConfigurationError' }))
})

test('the example of git: no value becomes an option', async () => {
  const run = (...args: readonly string[]): Promise<void> =>
    new Promise((resolve, reject) => execFile('git', args, { cwd: home }, (error) => (error === null ? resolve() : reject(error))))
  await run('init', '--quiet')
  writeFileSync(join(home, 'a.txt'), 'a')
  await run('add', '.')
  await run('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '--quiet', '-m', 'first')
  const log = processTool({
    name: 'git_log',
    description: 'Lists commits.',
    command: 'git',
    inputSchema: z.object({ count: z.int().default(10), path: z.string().optional(), author: z.string().optional() }),
    args: ({ count, path, author }) => argv`log --format=%s --max-count=${count} --author=${author} -- ${path}`,
    cwd: home,
    effect: 'read',
    requireApproval: false,
  })
  expect(await log.call({})).toMatchObject({ ok: true, text: 'first\n' })
  const target = join(home, 'stolen')
  expect(await log.call({ path: `--output=${target}` })).toMatchObject({ ok: true, text: '' })
  expect(await log.call({ author: `x --output=${target}` })).toMatchObject({ ok: true, text: '' })
  expect(existsSync(target)).toBe(false)
})

test.for(['tok-SECRET\0x', 'tok-SECRET\ud800'])('a secret that no variable can hold is refused and not repeated: %j', async (value) => {
  const asked = processTool({ ...BASE, command: 'true', args: [], env: { secrets: { TOKEN: 'token' } } })
  const result = await asked.call('', { secrets: { get: () => value } })
  expect(result).toMatchObject({ ok: false, error: { code: 'process_not_started', outcome: 'not_started' } })
  expect(JSON.stringify(result)).not.toContain('SECRET')
})
