import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../scripts/run-program.ts'
import { folderWith, runCli } from './run-cli.ts'

const json = (text: string): unknown => JSON.parse(text)

describe('the program', () => {
  test('prints its help and its version', async () => {
    const { version } = json(await readFile(join(root, 'package.json'), 'utf8')) as { readonly version: string }
    const [help, ofCall, printed] = await Promise.all([runCli(['--help']), runCli(['call', '--help']), runCli(['--version'])])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    for (const name of ['list', 'describe', 'call', 'check', 'explain', 'serve', 'doctor']) expect(help.stdout).toContain(`\n  ${name} `)
    expect(ofCall.stdout).toMatch(/--input <json>[^]*Global Options:[^]*--config/)
    expect(printed).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  test.each([
    [['list', '--wrong'], "error: unknown option '--wrong'"],
    [['lst'], "error: unknown command 'lst'\n(Did you mean list?)"],
    [['edit', 'abc'], "error: unknown command 'edit'\nType: toolwright approve <request> --patch"],
    [['inbox'], "error: unknown command 'inbox'\nType: toolwright approvals\n"],
    [['export', 'abc'], "error: unknown command 'export'\nType: toolwright show <run> --export <file>\n"],
    [['rehearse'], "error: unknown command 'rehearse'\nType: toolwright check --open-runs\n"],
    [['run', 'echo', 'hi', '--yes'], "error: unknown option '--yes'\nIt is an option of toolwright call. A durable run waits"],
    [['serve', '--stdio'], "error: unknown option '--stdio'\nLeave it out: toolwright serve uses standard input and output"],
    [['describe'], "error: missing required argument 'tool'"],
    [['list', 'more'], 'error: too many arguments'],
    [['list', '--config'], "error: option '-c, --config <file>' argument missing"],
    [[], 'Usage: toolwright'],
  ])('ends with 2 for the flags %j, and says why', async (flags, said) => {
    const { code, stdout, stderr } = await runCli(flags)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(said)
  })

  test('search finds tools for a request and says why, or says that none fits [S3]', async () => {
    const [found, none] = await Promise.all([
      runCli(['search', 'find', 'the', 'order', '--json', '--permission', 'orders:read']),
      runCli(['search', 'qwer zxcv']),
    ])
    const { tools } = json(found.stdout) as { readonly tools: readonly { readonly name: string; readonly reasons: readonly string[] }[] }
    const { reasons = [] } = tools.find(({ name }) => name === 'find_order') ?? {}
    expect(reasons[0]).toContain('shares the words')
    expect(none).toMatchObject({ code: 0, stdout: '' })
    expect(none.stderr).toContain('No tool fits')
  })

  test('search --why says of a tool why it is found, or why not', async () => {
    const [why, unknown] = await Promise.all([
      runCli(['search', 'find the order', '--permission', 'orders:read', '--why', 'find_order', '--why', 'echo']),
      runCli(['search', 'find the order', '--why', 'fnd_order', '--permission', 'orders:read']),
    ])
    expect(why.stdout).toMatch(/^find_order is found: rank 1, relevance [\d.]+, score [\d.]+\n  shares the words/)
    expect(why.stdout).toMatch(/\necho is not found: /)
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("Did you mean 'find_order'") })
  })

  test('a word for another command is told as data too', async () => {
    const { stdout } = await runCli(['inbox', '--json'])
    expect(json(stdout)).toEqual({ ok: false, error: { code: 'usage', message: "unknown command 'inbox'\nType: toolwright approvals" } })
  })

  test('tells a wrong flag as data too', async () => {
    const { code, stdout } = await runCli(['list', '--json', '--wrong'])
    expect(code).toBe(2)
    expect(json(stdout)).toEqual({ ok: false, error: { code: 'usage', message: "unknown option '--wrong'" } })
  })

  test('without a command says so as data too', async () => {
    const { code, stdout } = await runCli(['--json'])
    expect(code).toBe(2)
    expect(json(stdout)).toEqual({ ok: false, error: { code: 'usage', message: 'No command is given.' } })
  })

  const FULL = '/dev/full'
  test
    .skipIf(!existsSync(FULL))
    .each([
      [['list']],
      [['list', '--json']],
      [['call', 'anything', 'count=1', '--json']],
      [['describe', 'nothing', '--json']],
      [['--help']],
      [['--version']],
      [['--json']],
    ])('with %j and an output that cannot be written says so once on standard error, and ends with 1', async (flags) => {
    const { code, stderr } = await runCli(flags, { outputTo: FULL, mostMs: 10_000 })
    expect(code).toBe(1)
    expect(stderr.match(/The output could not be written\. ENOSPC/g)).toHaveLength(1)
    expect(stderr).not.toMatch(/^ +at /m)
  })

  test('prints its help without a word when its reader goes', async () => {
    expect(await runCli(['--help'], { neverReads: true, mostMs: 10_000 })).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test('colours on a terminal only, unless it is told otherwise', async () => {
    const [plain, forced, forbidden] = await Promise.all([
      runCli(['list']),
      runCli(['list'], { env: { FORCE_COLOR: '1' } }),
      runCli(['list'], { env: { NO_COLOR: '1' } }),
    ])
    expect(plain.stdout).not.toContain('\u001B')
    expect(forced.stdout).toContain('\u001B[')
    expect(forbidden.stdout).toBe(plain.stdout)
  })
})

describe('list and describe', () => {
  test('a title that says the same as the description is shown once', async () => {
    const folder = await folderWith({
      'tools.mjs': `import { tool } from 'toolwright'
        export const same = tool({ name: 'same', title: 'Finds it.', description: 'Finds it.', execute: () => '' })`,
    })
    const { stdout, stderr } = await runCli(['describe', 'same', '--tools', './tools.mjs'], { cwd: folder })
    expect(stdout.split('Finds it.'), stderr).toHaveLength(2)
  })

  test('show the tools of the nearest configuration', async () => {
    const [listed, asData] = await Promise.all([runCli(['list']), runCli(['list', '--json'])])
    expect(listed).toMatchObject({ code: 0, stderr: '' })
    expect(listed.stdout).toMatch(/^find_order +read +orders:read +Finds the latest order of a customer\.$/m)
    expect(json(asData.stdout)).toMatchObject({
      from: 'toolwright.config.ts',
      tools: expect.arrayContaining([expect.objectContaining({ name: 'find_order', version: '1.2.0', permissions: ['orders:read'] })]),
    })
  })

  test('show what a model is told, and the plan', async () => {
    const [told, asData] = await Promise.all([
      runCli(['describe', 'refund_latest_order']),
      runCli(['describe', 'refund_latest_order', '--json']),
    ])
    expect(told.stdout).toMatch(
      /^refund_latest_order 0\.0\.0\n[^]*\neffect +irreversible\n[^]*\ninput\n\{[^]*\nplan\n[^]*└─ issue_refund\/gated \[gate\]/,
    )
    expect(json(asData.stdout)).toMatchObject({
      name: 'refund_latest_order',
      parameters: { type: 'object', required: ['email'] },
      plan: { parts: [{ tool: 'find_order' }, { tool: 'issue_refund', gated: true }] },
    })
  })

  test('of a tool that is not there fail with the nearest names', async () => {
    const { code, stdout, stderr } = await runCli(['describe', 'find_orders'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe("error: There is no tool 'find_orders' in toolwright.config.ts.\nDid you mean 'find_order'?\n")
  })

  test('end without a word when their reader goes', async () => {
    const many = `import { tool } from 'toolwright'
      export const tools = Array.from({ length: 3000 }, (_, n) => tool({ name: 't' + n, description: 'x'.repeat(200), effect: 'read', execute: () => 1 }))`
    const folder = await folderWith({ 'many.ts': many })
    const { code, stdout, stderr } = await runCli(['list', '--tools', './many.ts'], { cwd: folder, stopsReading: true })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.length).toBeLessThan(600_000)
  })
})

describe('check and explain', () => {
  test('pass a plan that is sound, and end with 1 for one that is not', async () => {
    const [sound, unsound, asData] = await Promise.all([
      runCli(['check']),
      runCli(['check', 'refund_latest_order', '--principal', 'guest', '--deadline', '100ms']),
      runCli(['check', 'refund_latest_order', '--principal', 'guest', '--json']),
    ])
    expect(sound).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/\n6 tools checked: 0 errors, /) })
    expect(unsound.code).toBe(1)
    expect(unsound.stdout).toMatch(/^error +refund_latest_order\/find_order  missing_permission\n +\S.*orders:read.*\n +\S.*/m)
    expect(unsound.stdout).toContain('deadline_infeasible')
    expect(asData.code).toBe(1)
    expect(json(asData.stdout)).toMatchObject({
      sound: false,
      tools: [{ tool: 'refund_latest_order', findings: expect.arrayContaining([expect.objectContaining({ code: 'missing_permission' })]) }],
    })
  })

  test('draw a plan as a tree, as a diagram and as data', async () => {
    const [tree, diagram, asData, both] = await Promise.all(
      [[], ['--mermaid'], ['--json'], ['--json', '--mermaid']].map((flags) => runCli(['explain', 'refund_latest_order', ...flags])),
    )
    expect(tree?.stdout).toMatch(/^step[^]*\n├─ find_order/)
    expect(diagram?.stdout).toMatch(/^flowchart /)
    expect(json(asData?.stdout ?? '')).toMatchObject({ tool: 'refund_latest_order', kind: 'pipe' })
    expect(both).toMatchObject({ code: 2, stderr: 'error: --mermaid and --json exclude each other.\n' })
  })

  test('refuse a deadline that is none', async () => {
    const { code, stderr } = await runCli(['check', '--deadline', 'soon'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^error: .*such as '5s' or '2m', not "soon"/)
  })
})

test('list shows a long description on one line, and cuts it', async () => {
  const long = `export const one = tool({ name: 'one', description: 'Begins. ' + 'more\\n'.repeat(2000), execute: () => 1 })`
  const cwd = await folderWith({ 'tools.ts': `import { tool } from 'toolwright'\n${long}\n` })
  const { stdout } = await runCli(['list', '--tools', './tools.ts'], { cwd })
  const [, row = '', ...rest] = stdout.trimEnd().split('\n')
  expect(rest).toEqual([])
  expect(row).toMatch(/^one +\S+ +- +Begins\. more more .*…$/)
  expect(row.length).toBeLessThan(200)
})

describe('doctor', () => {
  test('lists every optional package of the manifest, with its range', async () => {
    const { peerDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      peerDependencies: Record<string, string>
    }
    const { checks } = json((await runCli(['doctor', '--json'])).stdout) as { readonly checks: readonly { readonly name: string }[] }
    const named = new Set(checks.map(({ name }) => name))
    expect(Object.keys(peerDependencies).filter((name) => !named.has(name))).toEqual([])
    const source = await readFile(join(root, 'src/cli/commands/doctor.ts'), 'utf8')
    for (const [name, range] of Object.entries(peerDependencies)) expect(source).toContain(`['${name}', '${range}'`)
  })

  test('says what is there', async () => {
    const [told, asData] = await Promise.all([runCli(['doctor']), runCli(['doctor', '--json'])])
    expect(told.code).toBe(0)
    expect(told.stdout).toMatch(/^ok +node +\d+\.\d+\.\d+$/m)
    expect(told.stdout).toMatch(/^ok +tools +6 in toolwright\.config\.ts$/m)
    expect(told.stdout).toMatch(/^ok +@modelcontextprotocol\/server +2\./m)
    expect(json(asData.stdout)).toMatchObject({
      healthy: true,
      checks: expect.arrayContaining([expect.objectContaining({ name: 'terminal', status: 'missing' })]),
    })
  })

  test('ends with 1 when the tools do not load, and names packages of the wrong version', async () => {
    const folder = await folderWith({ 'toolwright.config.mjs': 'throw new Error("broken")' })
    await mkdir(join(folder, 'node_modules', 'ai'), { recursive: true })
    await writeFile(join(folder, 'node_modules', 'ai', 'package.json'), '{"version":"6.1.0"}')
    const { code, stdout } = await runCli(['doctor'], { cwd: folder })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^problem +tools +toolwright\.config\.mjs could not be loaded\. Error: broken$/m)
    expect(stdout).toMatch(/^problem +ai +6\.1\.0.*\^7\.0\.0/m)
  })
})

test('the commands that doctor prints for packages mean to a shell what they say', async () => {
  const folder = await folderWith({ 'package.json': '{"name":"old"}' })
  await mkdir(join(folder, 'node_modules', 'pg-boss'), { recursive: true })
  await writeFile(join(folder, 'node_modules', 'pg-boss', 'package.json'), '{"version":"1.0.0"}')
  const { stdout } = await runCli(['doctor', '--json'], { cwd: folder })
  const { checks } = json(stdout) as { readonly checks: readonly { readonly name: string; readonly hint?: string }[] }
  const { peerDependencies: peers, devDependencies: tested } = json(await readFile(join(root, 'package.json'), 'utf8')) as Record<
    'peerDependencies' | 'devDependencies',
    Record<string, string>
  >
  const installed = checks.flatMap(({ name, hint = '' }) =>
    Object.hasOwn(peers, name) ? [{ name, command: /npm install .*/.exec(hint)?.[0] }] : [],
  )
  const named = installed.filter(({ command }) => command !== undefined)
  expect(named.map(({ name }) => name)).toContain('pg-boss')
  for (const { name, command = '' } of named) {
    // The shell shows the words that npm would get.
    const words = spawnSync('sh', ['-c', command.replace('npm', "printf '%s\\n'")], { cwd: folder, encoding: 'utf8' })
    // Of linkedom the tested version is installed, which is not the newest one.
    expect(words.stdout).toBe(`install\n${name}@${(name === 'linkedom' ? tested : peers)[name]}\n`)
  }
  expect(await readFile(join(root, 'src/kits/web/scrape/load-page-packages.ts'), 'utf8')).toContain(`'linkedom@${tested['linkedom']}'`)
})
