import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FIXTURE, folderWith, runCli } from './run-cli.ts'

const CONFIG = 'toolwright.config.ts'

test.each([
  ['throws', 'throw new Error("boom")', `${CONFIG} could not be loaded. Error: boom`],
  [
    'throws a coded error',
    'import { ToolError } from "toolwright"\nthrow new ToolError("The desk is away.", { code: "service_unavailable" })',
    `${CONFIG} could not be loaded. The desk is away.`,
  ],
  ['throws what is no error', 'throw { a: 1 }', `${CONFIG} could not be loaded. It threw {"a":1}.`],
  [
    'has a mistake in its syntax',
    'export default {}\nconst = 5',
    /toolwright\.config\.ts could not be loaded\. SyntaxError: .*\(file:.*toolwright\.config\.ts:2\)/,
  ],
  ['has what types cannot be left out of', 'enum A { B }\nexport default {}', /enum is not supported.*\n.*no enums/],
  ['asks for a package that is not there', 'import "not-there"', /Cannot find package 'not-there'.*\n.*install the package/],
  [
    'exports no default',
    'export const tools = []',
    `${CONFIG} has no default export.\nWrite \`export default defineConfig({ tools: [...] })\``,
  ],
  ['exports a number', 'export default 5', `The default export of ${CONFIG} is a number`],
  ['exports a list', 'export default []', `${CONFIG} exports tools, where a configuration should be.`],
  ['has a wrong option', 'export default { tool: [] }', `${CONFIG} says 'tool', which is no option.\nDid you mean 'tools'`],
  ['has tools that are no list', 'export default { tools: {} }', `'tools' in ${CONFIG} must be a list of tools, not an object.`],
  ['holds what is no tool', 'export default { tools: [5] }', `The tools in ${CONFIG} cannot be used. Tool object of type 'number'`],
  [
    'holds two tools of one name',
    `import { tool } from 'toolwright'
    const a = tool({ name: 'a', description: 'd', execute: () => 1 })
    export default { tools: [a, a] }`,
    `The tools in ${CONFIG} cannot be used. Duplicate tool name: 'a'`,
  ],
  [
    'has a provider that is down',
    'export default { tools: [{ tools: () => { throw new Error("down") } }] }',
    `The tools in ${CONFIG} cannot be used. down`,
  ],
  ['has a deadline that is none', 'export default { deadline: "soon" }', `'deadline' in ${CONFIG} must be milliseconds, a duration`],
  ['has a deadline that is no date', 'export default { deadline: new Date(NaN) }', `'deadline' in ${CONFIG} must be`],
  ['has a principal that is a text', 'export default { principal: "bob" }', `'principal' in ${CONFIG} must be an object with an id`],
  [
    'has permissions that are no list',
    'export default { principal: { id: "bob", permissions: "all" } }',
    `'principal' in ${CONFIG} must be`,
  ],
  ['has a review that is a number', 'export default { review: 5 }', `'review' in ${CONFIG} must be a review handler`],
  ['has a policy that is a number', 'export default { policy: 5 }', `'policy' in ${CONFIG} must be a function, not a number.`],
  ['has services that are none', 'export default { services: "db" }', `'services' in ${CONFIG} must be an object`],
  ['has secrets without a provider', 'export default { secrets: { KEY: "k-123" } }', `'secrets' in ${CONFIG} must be an object with`],
  ['has a model that is a name', 'export default { model: "big" }', `'model' in ${CONFIG} must be an object with a function 'generate'`],
  ['has a log that is no logger', 'export default { log: console.log }', `'log' in ${CONFIG} must be a logger`],
  ['has listeners that are none', 'export default { on: [5] }', `'on' in ${CONFIG} must be a listener, or a list of them, not a list.`],
  ['has peers that are none', 'export default { peers: [5] }', `'peers' in ${CONFIG} must be a list of peers`],
  ['has a name that is a number', 'export default { name: 5 }', `'name' in ${CONFIG} must be a text, not a number.`],
  ['has a budget below nothing', 'export default { tokenBudget: -1 }', `'tokenBudget' in ${CONFIG} must be a number`],
  ['has a clock that is none', 'export default { clock: Date }', `'clock' in ${CONFIG} must be a clock`],
  ['overrides with what is no tool', 'export default { overrides: { a: 1 } }', `'overrides' in ${CONFIG} must be an object with tools`],
  [
    'has a getter that throws',
    'export default { get principal() { throw new Error("no session") } }',
    `'principal' in ${CONFIG} could not be read. Error: no session`,
  ],
  ['waits for what never comes', 'await new Promise(() => {})\nexport default {}', 'Look for an await at the top of the configuration'],
])('a configuration that %s is told by its name, without a stack, with 2 [T11]', async (_what, text, said) => {
  const folder = await folderWith({ [CONFIG]: text })
  const { code, stdout, stderr } = await runCli(['list'], { cwd: folder })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(typeof said === 'string' ? new RegExp(said.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')) : said)
  expect(stderr).not.toMatch(/^ +at /m)
})

test.each([['list'], ['serve'], ['check'], ['call', 'a', 'b'], ['describe', 'a'], ['explain', 'a'], ['doctor']])(
  'a wrong type in the configuration is told by %s [T11]',
  async (...flags) => {
    const folder = await folderWith({ [CONFIG]: 'export default { tools: [], secrets: { KEY: "k-123" } }' })
    const { code, stdout, stderr } = await runCli(flags, { cwd: folder })
    expect(code).toBe(flags[0] === 'doctor' ? 1 : 2)
    expect(`${stdout}${stderr}`).toContain(`'secrets' in ${CONFIG} must be`)
    expect(`${stdout}${stderr}`).not.toContain('k-123')
  },
)

test('a configuration with every field of the right type is taken, and each is read once [T11]', async () => {
  const folder = await folderWith({
    [CONFIG]: `let reads = 0
      const nothing = () => {}
      class Handler { review() { return { action: 'continue' } } }
      export default {
        name: 'n', version: '1.0.0', tools: [], peers: [], deadline: new Date(9e15 / 2), review: new Handler(), policy: () => 'allow',
        services: {}, secrets: { get: nothing }, model: { generate: nothing }, on: [nothing, { onEvent: nothing }],
        log: { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing }, agent: 'a', task: 't', session: 's',
        tokenBudget: 0, ids: () => 'i', random: () => 0, overrides: { a: nothing }, clock: undefined,
        get principal() { if (++reads > 1) throw new Error('read twice'); return { id: 'a', permissions: [] } },
      }`,
  })
  const { code, stderr } = await runCli(['check'], { cwd: folder })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

test('a call in memory leaves alone what a configuration says of durable runs [T11]', async () => {
  const folder = await folderWith({
    [CONFIG]: `import { tool } from 'toolwright'
      const greet = tool({ name: 'greet', description: 'Greets.', effect: 'read', execute: (name) => 'Hello, ' + name })
      export default { tools: [greet], unknownOutcome: 'ask', retryReads: { attempts: 2 }, app: 'desk' }`,
  })
  expect(await runCli(['call', 'greet', 'Ada'], { cwd: folder })).toMatchObject({ code: 0, stdout: 'Hello, Ada\n' })
})

test('a configuration in a CommonJS package is told how to become a module [T11]', async () => {
  const folder = await folderWith({
    'package.json': '{"type":"commonjs"}',
    [CONFIG]: "import { defineConfig } from 'toolwright'\nexport default defineConfig({ tools: [] })",
  })
  const { code, stderr } = await runCli(['list'], { cwd: folder })
  expect(code).toBe(2)
  expect(stderr).toContain('Put "type": "module" into package.json, or name it toolwright.config.mts.')
})

test('a tool module that is not there is told by its path alone [T11]', async () => {
  expect(await runCli(['list', '--tools', './nowhere.ts'])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'error: There is no file nowhere.ts.\nCheck the path.\n',
  })
})

test('the stack is for those who ask for it, and the data for programs', async () => {
  const folder = await folderWith({ [CONFIG]: 'throw new Error("boom")' })
  const [debug, asData, named] = await Promise.all([
    runCli(['list'], { cwd: folder, env: { TOOLWRIGHT_DEBUG: '1' } }),
    runCli(['list', '--json'], { cwd: folder }),
    runCli(['list', '--config', 'nowhere.ts'], { cwd: folder }),
  ])
  expect(debug.stderr).toMatch(/^ +\| +at .*toolwright\.config\.ts:1/m)
  expect(JSON.parse(asData.stdout)).toMatchObject({
    ok: false,
    error: { code: 'invalid_config', message: expect.stringContaining('boom') },
  })
  expect(named).toMatchObject({ code: 2, stderr: 'error: There is no configuration file nowhere.ts.\nCheck the path after --config.\n' })
})

const ONE = `import { tool } from 'toolwright'
export const first = tool({ name: 'first', description: 'd', effect: 'read', execute: () => 1 })
export const others = [tool({ name: 'second', description: 'd', effect: 'read', execute: () => 2 })]
export const words = ['no', 'tools']
export const make = () => first
export default first`

test('modules give every tool that they export, each once, and leave the configuration alone [T11]', async () => {
  const folder = await folderWith({
    'one.ts': ONE,
    'empty.ts': 'export const make = () => 1',
    [CONFIG]: 'throw new Error("not looked at")',
  })
  const [listed, both, empty, missing] = await Promise.all([
    runCli(['list', '--json', '--tools', './one.ts'], { cwd: folder }),
    runCli(['list', '--json', '--tools', './one.ts', '--config', join(FIXTURE, CONFIG)], { cwd: folder }),
    runCli(['list', '--tools', './empty.ts'], { cwd: folder }),
    runCli(['list', '--tools', 'not-there'], { cwd: folder }),
  ])
  const names = (text: string): readonly string[] =>
    (JSON.parse(text) as { readonly tools: { readonly name: string }[] }).tools.map(({ name }) => name)
  expect(names(listed.stdout)).toEqual(['first', 'second'])
  expect(names(both.stdout)).toEqual(expect.arrayContaining(['find_order', 'first', 'second']))
  expect(empty).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: \.\/empty\.ts exports no tool\.\nIt exports functions \(make\)/),
  })
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('not-there could not be loaded.') })
})

test('the nearest configuration upwards counts, and what it leaves open or prints does not disturb', async () => {
  const text = 'setInterval(() => {}, 1000); console.log("noise"); process.stdout.write("noise\\n"); export default { tools: [] }'
  const folder = await folderWith({ [CONFIG]: text })
  const { mkdir } = await import('node:fs/promises')
  await mkdir(join(folder, 'a', 'b'), { recursive: true })
  const { code, stdout, stderr } = await runCli(['list', '--json'], { cwd: join(folder, 'a', 'b') })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ tools: [] })
  expect(stderr).toBe('noise\nnoise\n')
})

test('without any configuration there are the built-in tools, and a person is asked before a file is written [T17]', async () => {
  const { mkdtemp, rm } = await import('node:fs/promises')
  const { tmpdir } = await import('node:os')
  const folder = await mkdtemp(join(tmpdir(), 'toolwright-cli-'))
  const [listed, sum, written] = await Promise.all([
    runCli(['list', '--json'], { cwd: folder }),
    runCli(['call', 'calculator', '0.1', '+', '0.2'], { cwd: folder }),
    runCli(['call', 'file_write', 'path=a.txt', 'content=b'], { cwd: folder }),
  ])
  await rm(folder, { recursive: true })
  expect(listed.stdout).toContain('"from": "the built-in tools"')
  expect(sum).toEqual({ code: 0, stdout: '0.3\n', stderr: '' })
  expect(written).toMatchObject({ code: 1, stderr: expect.stringContaining('approve with --yes') })
})
