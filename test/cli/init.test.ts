import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { root, runProgram } from '../../scripts/run-program.ts'
import { KEYS, noTerminal, runOnTerminal } from './on-terminal.ts'
import { runCli } from './run-cli.ts'

/** An empty folder outside of any project. */
async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toolwright-init-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function manifestOf(folder: string): Promise<{ readonly name: string; readonly scripts: Readonly<Record<string, string>> }> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as never
}

describe('toolwright init', () => {
  test('writes a project into the current folder, also in a new repository, whose own files stay', async () => {
    const folder = await emptyFolder()
    await runProgram('git', ['init', '--quiet'], { cwd: folder })
    await writeFile(join(folder, 'README.md'), 'mine')
    await writeFile(join(folder, '.gitignore'), 'secret')
    const { code, stdout, stderr } = await runCli(['init', '--yes', '--name', '@shop/orders'], { cwd: folder })
    expect(code, stderr).toBe(0)
    expect(stdout).toContain('wrote toolwright.config.ts\n')
    expect(stderr).toContain('README.md exists and is left as it is.')
    expect(stderr).toMatch(/Next:\n\n(.*npm pack\)\n)? +npm install\n +npm start\n +npm test\n$/)
    expect(await readFile(join(folder, 'README.md'), 'utf8')).toBe('mine')
    expect(await manifestOf(folder)).toMatchObject({ name: '@shop/orders', scripts: { start: 'node src/main.ts' } })
  })

  test('overwrites nothing: it lists what is in the way, writes nothing, and ends with exit code 1', async () => {
    const folder = await emptyFolder()
    await mkdir(join(folder, 'src'))
    await writeFile(join(folder, 'src', 'main.ts'), 'mine')
    await symlink('nowhere', join(folder, 'tsconfig.json'))
    const { code, stdout, stderr } = await runCli(['init', '--yes', '--json'], { cwd: folder })
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'file_exists' } })
    expect(stderr).toContain('src/main.ts, tsconfig.json')
    expect(stderr).toContain('To add a tool to a project that you have: npx toolwright new tool <name>')
    expect(await readdir(folder)).toEqual(['src', 'tsconfig.json'])
    expect(await readFile(join(folder, 'src', 'main.ts'), 'utf8')).toBe('mine')
  })

  test('a second time, it changes nothing', async () => {
    const folder = join(await emptyFolder(), 'a project')
    expect((await runCli(['init', folder, '--template', 'ai-sdk'])).code).toBe(0)
    const before = await readFile(join(folder, 'package.json'), 'utf8')
    const { code, stderr } = await runCli(['init', folder, '--template', 'basic'])
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('package.json') as string })
    expect(await readFile(join(folder, 'package.json'), 'utf8')).toBe(before)
    expect(await manifestOf(folder)).toMatchObject({ name: 'a-project' })
  })

  test('a link that leads out of the folder is not followed', async () => {
    const folder = await emptyFolder()
    const outside = await emptyFolder()
    await symlink(outside, join(folder, 'src'))
    const { code, stderr } = await runCli(['init', '--yes'], { cwd: folder })
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('leads out of') as string })
    expect(await readdir(outside)).toEqual([])
    expect(await readdir(folder)).toEqual(['src'])
  })

  test('what cannot be written to the end is taken back', async () => {
    const folder = await emptyFolder()
    await writeFile(join(folder, 'test'), 'a file where a folder should be')
    const { code, stderr } = await runCli(['init', '--yes'], { cwd: folder })
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('is no folder') as string })
    expect(await readdir(folder)).toEqual(['test'])
  })

  test.each([
    { flags: ['--name', 'Order Tools'], said: 'npm does not accept' },
    { flags: ['--name', '../up'], said: 'npm does not accept' },
    { flags: ['--name', 'a\nb'], said: 'npm does not accept' },
    { flags: ['--name', 'x'.repeat(300)], said: 'npm does not accept' },
    { flags: ['--name', 'toolwright'], said: 'is taken' },
    { flags: ['--template', 'aisdk'], said: "Did you mean 'ai-sdk'?" },
    { flags: ['', '--yes'], said: 'The folder has no name.' },
    { flags: ['a\u001Bb', '--yes'], said: 'cannot be printed' },
  ])('refuses $flags with exit code 2, and writes nothing', async ({ flags, said }) => {
    const folder = await emptyFolder()
    const { code, stderr } = await runCli(['init', ...(flags[0] === '--name' ? ['--yes'] : []), ...flags], { cwd: folder })
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(said) as string })
    expect(await readdir(folder)).toEqual([])
  })

  test('without a terminal and without flags it asks nobody and writes nothing', async () => {
    const folder = await emptyFolder()
    const { code, stderr } = await runCli(['init'], { cwd: folder })
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--template basic|ai-sdk|mcp-server|durable-worker') as string,
    })
    expect(await readdir(folder)).toEqual([])
  })

  test('on a machine whose Node is too old, or has none, the project brings its own', async () => {
    const folder = await emptyFolder()
    const old = join(folder, 'bin')
    await mkdir(old)
    await writeFile(join(old, 'node'), '#!/bin/sh\necho v20.1.0\n')
    await chmod(join(old, 'node'), 0o755)
    const [old20, none] = await Promise.all([
      runCli(['init', join(folder, 'a'), '--yes'], { env: { PATH: old } }),
      runCli(['init', join(folder, 'b'), '--yes'], { env: { PATH: '/nowhere' } }),
    ])
    expect(old20.stderr).toContain('The Node of this machine is 20.1.0, so the project brings Node 24')
    expect(none.stderr).toContain('There is no Node on the path')
    await writeFile(join(old, 'node'), '#!/bin/sh\necho v22.19.0\n')
    const fine = await runCli(['init', join(folder, 'c'), '--yes'], { env: { PATH: old } })
    expect(fine.stderr).not.toContain('brings Node')
    for (const [name, node] of [
      ['a', '24.21.0'],
      ['b', '24.21.0'],
      ['c', undefined],
    ] as const)
      expect(
        (JSON.parse(await readFile(join(folder, name, 'package.json'), 'utf8')) as { devDependencies: { node?: string } }).devDependencies
          .node,
      ).toBe(node)
  })

  test('the README has the settings for MCP clients, with the real path', async () => {
    const folder = join(await emptyFolder(), "ada's tools")
    await runCli(['init', folder, '--template', 'mcp-server'], { env: { PATH: '/nowhere' } })
    const text = await readFile(join(folder, 'README.md'), 'utf8')
    const settings = JSON.parse(/```json\n([\s\S]*?)```/.exec(text)?.[1] ?? '') as {
      mcpServers: Record<string, { command: string; args: string[] }>
    }
    // There is no other Node that a client could start.
    expect(settings.mcpServers['ada-s-tools']?.command).toBe(join(folder, 'node_modules', '.bin', 'node'))
    expect(settings.mcpServers['ada-s-tools']?.args.at(-1)).toBe(join(folder, 'toolwright.config.ts'))
    expect(text).toContain(`'${join(folder, 'toolwright.config.ts').replaceAll("'", "'\\''")}'`)
  })

  test.skipIf(noTerminal !== undefined)('asks for the folder and the template on a terminal', async () => {
    const folder = await emptyFolder()
    const terminal = runOnTerminal(['init'], { cwd: folder })
    await terminal.asked('Where should the project be?')
    terminal.type('mine', KEYS.enter)
    await terminal.asked('What should it be?')
    terminal.type(KEYS.down, KEYS.enter)
    await terminal.until('A project with the template ai-sdk is in')
    expect(await terminal.ended).toBe(0)
    expect(existsSync(join(folder, 'mine', 'src', 'open-model.ts'))).toBe(true)
    const second = runOnTerminal(['init', 'other'], { cwd: folder })
    await second.asked('What should it be?')
    second.type(KEYS.interrupt)
    expect(await second.ended).toBe(130)
    expect(await readdir(folder)).toEqual(['mine'])
  })

  test.skipIf(noTerminal !== undefined).each([
    { question: 'Where should the project be?', flags: [] },
    { question: 'What should it be?', flags: ['other'] },
  ])('Ctrl-D at "$question" writes nothing, like Ctrl-C, also on a terminal that does not tell its size', async ({ question, flags }) => {
    const folder = await emptyFolder()
    const terminal = runOnTerminal(['init', ...flags], { cwd: folder, hasNoSize: true })
    await terminal.asked(question)
    terminal.type(KEYS.endOfInput)
    await terminal.until('Nothing was written.')
    expect(await terminal.ended).toBe(130)
    expect(await readdir(folder)).toEqual([])
  })
})

describe('toolwright new', () => {
  test('writes beside the sources of a plain CommonJS project: ES modules, JSON Schema, tests for vitest', async () => {
    const folder = await emptyFolder()
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'x', devDependencies: { vitest: '5' } }))
    const { code, stdout, stderr } = await runCli(['new', 'tool', 'sendMail'], { cwd: folder })
    expect(code, stderr).toBe(0)
    expect(stdout).toBe('wrote send-mail.mts\nwrote send-mail.test.mts\n')
    expect(await readFile(join(folder, 'send-mail.mts'), 'utf8')).toContain("export const sendMail = tool({\n  name: 'send_mail'")
    expect(await readFile(join(folder, 'send-mail.test.mts'), 'utf8')).toContain("import { assert, test } from 'vitest'")
    // There is no configuration to add lines to: what is printed is a whole one, which works as it is.
    const [, file = '', config = ''] = /write (\S+):\n\n([\s\S]*?)\n\nUntil then: npx/.exec(stderr) ?? []
    await writeFile(join(folder, file), config)
    await mkdir(join(folder, 'node_modules'))
    await symlink(root, join(folder, 'node_modules', 'toolwright'))
    expect(await runCli(['call', 'send_mail', 'Ada'], { cwd: folder })).toMatchObject({ code: 0, stdout: '{"text":"Hello, Ada!"}\n' })
    const again = await runCli(['new', 'tool', 'other'], { cwd: folder })
    expect(again.stderr).toContain('add these to toolwright.config.mts:')
  })

  test('overwrites nothing, and says so', async () => {
    const folder = await emptyFolder()
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder, 'delete.test.ts'), 'mine')
    const { code, stderr } = await runCli(['new', 'pipeline', 'delete'], { cwd: folder })
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('delete.test.ts') as string })
    expect(await readdir(folder)).toEqual(['delete.test.ts', 'package.json'])
  })

  test.each([
    { words: ['tool', '../evil'], said: 'cannot be the name of a tool' },
    { words: ['tool', 'a b'], said: 'cannot be the name of a tool' },
    { words: ['tool', '7up'], said: 'cannot be the name of a tool' },
    { words: ['tool', 'x'.repeat(65)], said: 'cannot be the name of a tool' },
    { words: ['tools', 'x'], said: "Did you mean 'tool'?" },
  ])('refuses $words', async ({ words, said }) => {
    const folder = await emptyFolder()
    await writeFile(join(folder, 'package.json'), '{}')
    const { code, stderr } = await runCli(['new', ...words], { cwd: folder })
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(said) as string })
    expect(await readdir(folder)).toEqual(['package.json'])
  })

  test('outside of a project it says how to make one', async () => {
    const { code, stderr } = await runCli(['new', 'tool', 'x'], { cwd: await emptyFolder() })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'error: There is no package.json in this folder or above it.\nMake a project first with: toolwright init\n',
    })
  })
})
