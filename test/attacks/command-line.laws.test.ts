import fc from 'fast-check'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipe, tool, ToolError } from 'toolwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { COMMANDS } from '../../src/cli/help-text.ts'
import { cliHere } from '../cli/cli-here.ts'
import { isFull } from '../fixtures/is-full.ts'
import { expectOwnLines, foreignTexts } from './foreign-lines.ts'

const CASES = isFull ? 4000 : 400

const SECRET = 'k-4711-generated-89'

/** Where the configuration finds the tools and its own values. */
const SHARED = '__toolwrightGeneratedAttack'

const declared = z.object({ to: z.string(), password: z.string().meta({ sensitive: true }), amount: z.number().max(5) })

/** Tools whose every text is that of somebody else. */
function toolsWith(text: string): readonly unknown[] {
  const fails = tool({
    name: 'fails',
    description: `Fails. ${text}`,
    effect: 'read',
    execute: (_input, { progress }): string => {
      progress(text)
      throw new ToolError(text, { code: text, hint: text })
    },
  })
  const throws = tool({
    name: 'throws',
    description: 'd',
    effect: 'read',
    execute: (): string => {
      throw Object.assign(new Error(text, { cause: new Error(text) }), { code: text, name: text })
    },
  })
  const pays = tool({
    name: 'pays',
    description: 'd',
    inputSchema: declared,
    execute: () => 'x',
  })
  const fields = tool({
    name: 'fields',
    description: 'd',
    inputSchema: z.object({ [text]: z.string().describe(text).optional(), kind: z.enum([text, 'b']).optional() }),
    execute: () => 'x',
  })
  return [fails, throws, pays, fields, pipe(fails as never, throws as never)]
}

const foreign = foreignTexts([
  '__proto__',
  'constructor',
  '-',
  '--',
  '--json',
  '@',
  '@/nowhere',
  '{',
  '[[[[',
  '"',
  '%s',
  '%00',
  '../..',
  SHARED,
])
const long = foreign.chain((text) => fc.constantFrom(text, text, text, `${text}${'x'.repeat(70_000)}`, `${text}${' '.repeat(300)}${text}`))

const names = Object.keys(COMMANDS).filter(
  // They write into folders, never end, or need a database, which has a law of its own.
  (name) => !['init', 'new', 'serve', 'worker', 'doctor', 'approvals', 'pin'].includes(name),
)
const flags = [
  ...['--input', '--deadline', '--principal', '--permission', '--dialect', '--by', '--status', '--database-url', '--home', '--app', '--k'],
  ...['--why', '--file', '--tool', '--key', '--limit', '--note', '--patch', '--answer', '--edition', '--code', '--older-than', '--keep'],
  ...['--export', '--happened', '--run', '--assignee', '--tools'],
]

/** Typed in a place for something else. */
const ADDRESS = `postgres://ada:${SECRET}@127.0.0.1:1/none`

/** Values that hold a secret which no schema and no name marks: they are no JSON, or no input of the tool. */
const SECRET_VALUES: readonly (readonly string[])[] = [
  ['call', 'pays', '--input', SECRET],
  ['call', 'pays', '--input', `{"password": ${SECRET}`],
  ['call', 'pays', '--input', JSON.stringify({ to: 'bob', password: SECRET, amount: 9 })],
  ['call', 'pays', '--input', JSON.stringify({ password: [SECRET], amount: SECRET })],
  ['call', 'pays', '--input', JSON.stringify({ to: { password: SECRET } })],
  ['call', 'pays', `password=${SECRET}`, 'amount=9'],
  ['call', 'pays', '--input', '-'],
  ['approve', 'r1', '--patch', SECRET],
  ['approve', 'r1', '--answer', `{"a": ${SECRET}}`],
  ['settle', 'r1', 'pay', '--happened', SECRET],
  ['runs', '--database-url', `postgres://ada:${SECRET}@127.0.0.1:1/none`],
  ['runs', '--database-url', `postgres://ada:${SECRET}@[::bad/none`],
  ['runs', '--database-url', `ada:${SECRET}@somewhere`],
  ...[
    ['runs', `--database-urll=${ADDRESS}`],
    ['runs', '--app', ADDRESS],
    ['runs', '--app', `${'a'.repeat(60)}${ADDRESS}`],
    ['runs', '--home', ADDRESS],
    ['runs', '--limit', ADDRESS],
    ['runs', ADDRESS],
    ['show', ADDRESS],
    ['call', ADDRESS],
    ['call', 'fails', 'x', '--deadline', ADDRESS],
    ['check', '--dialect', ADDRESS],
    ['cancel', ADDRESS, '--debug'],
    ['prune', '--older-than', ADDRESS],
    ['list', '--tools', ADDRESS],
    [ADDRESS],
  ],
  ['traces', '--database-url', `mysql://ada:${SECRET}@127.0.0.1/none`],
]

const STDIN: readonly string[] = [
  SECRET,
  `{"password": "${SECRET}"`,
  JSON.stringify({ to: 'bob', password: SECRET, amount: 9 }),
  `${'['.repeat(100_000)}${SECRET}`,
  `{"__proto__": {"password": "${SECRET}"}, "amount": "${SECRET}"}`,
  `{"password": "${SECRET}", "to": "${'x'.repeat(70_000)}", "amount": 9}`,
  '',
]

/** What the file of a configuration says, with the text of somebody else in it. It is written as JSON into the module. */
const CONFIGS: Readonly<Record<string, (text: string) => string>> = {
  'is sound': () => `export default { tools: globalThis.${SHARED} }`,
  'says a name that is no option': (text) => `export default { [${JSON.stringify(text)}]: 1, tools: [] }`,
  'says a secret under a wrong name': () => `export default { tolls: ${JSON.stringify(SECRET)} }`,
  'gives a value of another kind': (text) =>
    `export default { app: ${JSON.stringify(text)}, deadline: ${JSON.stringify(text)}, tools: [] }`,
  'gives a secret for an object': () => `export default { secrets: ${JSON.stringify(SECRET)}, services: ${JSON.stringify(SECRET)} }`,
  'has a database address with a password': () =>
    `export default { database: { url: ${JSON.stringify(`postgres://ada:${SECRET}@127.0.0.1:1/none`)} }, tools: globalThis.${SHARED} }`,
  'throws when it is loaded': (text) => `throw Object.assign(new TypeError(${JSON.stringify(text)}), { name: ${JSON.stringify(text)} })`,
  'throws no error': (text) => `throw { message: ${JSON.stringify(text)} }`,
  'throws when it is read': (text) => `export default { get tools() { throw new Error(${JSON.stringify(text)}) } }`,
  'throws a bare text': (text) => `throw ${JSON.stringify(text)}`,
  'has a tool that is none': (text) => `export default { tools: [{ name: ${JSON.stringify(text)} }] }`,
  'is no JavaScript': (text) => `export default {{ ${JSON.stringify(text)}`,
  'exports nothing': () => 'export const a = 1',
  'has another prototype': (text) => `export default { __proto__: { ${JSON.stringify(text)}: 1 }, tools: globalThis.${SHARED} }`,
  'has servers with a foreign name': (text) =>
    `export default { mcpServers: { [${JSON.stringify(text)}]: { url: ${JSON.stringify(text)} } } }`,
}

const environment = fc.dictionary(
  fc.constantFrom('TOOLWRIGHT_APP', 'TOOLWRIGHT_HOME', 'DATABASE_URL', 'TOOLWRIGHT_DEBUG', 'NO_COLOR', 'FORCE_COLOR', 'NODE_ENV'),
  // A variable of the environment cannot hold these.
  fc.oneof(foreign, fc.constant(ADDRESS)).map((text) => text.replaceAll(/\0|\p{Surrogate}/gu, '')),
  { maxKeys: 2 },
)

const words = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...names), fc.array(long, { maxLength: 3 })).map(([name, more]) => [name, ...more]) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...names),
        fc.array(fc.oneof(fc.constantFrom('pays', 'fields', 'fails'), long), { maxLength: 2 }),
        fc.constantFrom(...flags),
        long,
      )
      .map(([name, more, flag, value]) => [name, ...more, flag, value]),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.constantFrom('call', 'describe', 'explain', 'check', 'search', 'list'),
        fc.constantFrom('fails', 'throws', 'pays', 'fields', 'fails_then_throws'),
        fc.subarray(['--trace', '--progress', '--strict', '--mermaid', '--debug', '--yes', '--no-input'], { maxLength: 2 }),
      )
      .map(([name, tool_, more]) => [name, ...(name === 'list' ? [] : [tool_]), ...(name === 'call' ? ['x'] : []), ...more]),
  },
  { weight: 3, arbitrary: fc.constantFrom(...SECRET_VALUES) },
  { weight: 1, arbitrary: fc.array(long, { minLength: 1, maxLength: 3 }) },
)

let folder = ''
let count = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-generated-'))
})
afterAll(() => {
  Reflect.deleteProperty(globalThis, SHARED)
  rmSync(folder, { recursive: true, force: true })
})

const cases = fc.record({
  text: foreign,
  words,
  env: environment,
  stdin: fc.constantFrom(...STDIN),
  config: fc.oneof({ weight: 3, arbitrary: fc.constant('is sound') }, { weight: 2, arbitrary: fc.constantFrom(...Object.keys(CONFIGS)) }),
  isJson: fc.boolean(),
  columns: fc.constantFrom(undefined, 80, 33),
})

test(
  `whatever is typed, configured or found in the environment, the command line ends with a word of its own, in ${CASES} ways`,
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ text, words: typed, env, stdin, config, isJson, columns }) => {
        const file = join(folder, `toolwright.config-${count++}.mjs`)
        writeFileSync(file, (CONFIGS[config] as (text: string) => string)(text))
        Object.assign(globalThis, { [SHARED]: toolsWith(text) })
        const home = join(folder, 'no-home')
        const line = [...(isJson ? ['--json'] : []), '--config', file, ...typed]
        const run = await cliHere(line, { columns, stdin, env: { TOOLWRIGHT_HOME: home, DATABASE_URL: '', ...env } })
        expect([0, 1, 2]).toContain(run.code)
        const all = `${run.stdout}\n${run.stderr}`
        expect(all).not.toContain(SECRET)
        expectOwnLines(run, { columns, isJson: line.includes('--json') })
        if (run.code !== 0) expect(all).toMatch(/error|"sound": false|problems?/i)
        expect(all).not.toContain('"code": "unexpected"')
        expect(all).not.toMatch(/^error: (TypeError|RangeError|ReferenceError)/m)
      }),
      { numRuns: CASES },
    )
  },
)
