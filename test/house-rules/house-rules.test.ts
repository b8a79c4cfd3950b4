import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { houseRuleFindings } from '../../scripts/house-rules.ts'
import { root, runProgram } from '../../scripts/run-program.ts'

interface Lint {
  readonly diagnostics: readonly { readonly code: string; readonly severity: string; readonly filename: string }[]
}

const TEST = "import { expect, test } from 'vitest'\n"

const FOCUSED = 'test.only'
const DISABLED = 'test.skip'

/** Each file breaks the rule that it stands beside. */
const LINTED: readonly { readonly rule: string; readonly file: string; readonly text: string }[] = [
  { rule: 'import(no-default-export)', file: 'src/tool/default-export.ts', text: 'export default 1\n' },
  { rule: 'typescript(no-explicit-any)', file: 'src/tool/any.ts', text: 'export const loose = (value: any): unknown => value\n' },
  { rule: 'typescript(no-explicit-any)', file: 'test/any.test.ts', text: 'export const loose = (value: any): unknown => value\n' },
  {
    rule: 'typescript(consistent-type-imports)',
    file: 'src/tool/type-import.ts',
    text: "import { Plain } from './plain.ts'\nexport const plain: Plain = 'plain'\n",
  },
  { rule: 'import(no-cycle)', file: 'src/tool/hen.ts', text: "import { egg } from './egg.ts'\nexport const hen = (): unknown => egg\n" },
  { rule: 'import(no-cycle)', file: 'src/tool/egg.ts', text: "import { hen } from './hen.ts'\nexport const egg = (): unknown => hen\n" },
  { rule: 'eslint(max-lines)', file: 'src/tool/long.ts', text: `export const long = 1\n${'// line\n'.repeat(400)}` },
  {
    rule: 'eslint(max-params)',
    file: 'src/tool/params.ts',
    text: 'export const sum = (a: number, b: number, c: number, d: number, e: number): number => a + b + c + d + e\n',
  },
  { rule: 'eslint(no-console)', file: 'src/tool/talkative.ts', text: "console.log('hello')\n" },
  {
    rule: 'unicorn(prefer-node-protocol)',
    file: 'src/tool/bare-builtin.ts',
    text: "import { join } from 'path'\nexport const both = join('a', 'b')\n",
  },
  { rule: 'unicorn(filename-case)', file: 'src/tool/camelCase.ts', text: 'export const camel = 1\n' },
  { rule: 'vitest(no-focused-tests)', file: 'src/tool/focused.test.ts', text: `${TEST}${FOCUSED}('one', () => expect(1).toBe(1))\n` },
  { rule: 'vitest(no-disabled-tests)', file: 'src/tool/disabled.test.ts', text: `${TEST}${DISABLED}('one', () => expect(1).toBe(1))\n` },
]

const CLEAN: Readonly<Record<string, string>> = {
  'src/tool/plain.ts': "export type Plain = 'plain'\n",
  'src/tool/plain.test.ts': `${TEST}test('one is one', () => expect(1).toBe(1))\n`,
  'scripts/talk.ts': "console.log('scripts may print')\n",
  'some.config.ts': 'export default {}\n',
}

/** Each file breaks the rule on the left by importing the file on the right. */
const MISDIRECTED: readonly (readonly [rule: string, file: string, imported: string])[] = [
  ['schema/ may import no other folder', 'src/schema/a.ts', 'src/tool/x.ts'],
  ['schema/ may import no other folder', 'src/schema/subsumes/a.ts', 'src/plan/x.ts'],
  ['tool/ may import schema', 'src/tool/a.ts', 'src/policies/x.ts'],
  ['tool/ may import schema', 'src/tool/b.ts', 'src/runtime/x.ts'],
  ['run/ may import', 'src/run/a.ts', 'src/runtime/x.ts'],
  ['runtime/ may import', 'src/runtime/a.ts', 'src/bridges/mcp/x.ts'],
  ['Siblings in bridges/', 'src/bridges/shared.ts', 'src/bridges/mcp/x.ts'],
  ['policies/ may import schema, tool', 'src/policies/a.ts', 'src/combinators/pipe/pipe.ts'],
  ['combinators/ may import schema, tool, policies', 'src/combinators/pipe/a.ts', 'src/review/x.ts'],
  ['Siblings in combinators/', 'src/combinators/pipe/b.ts', 'src/combinators/gate/gate.ts'],
  ['plan/ may import schema, tool, policies, combinators', 'src/plan/a.ts', 'src/telemetry/x.ts'],
  ['telemetry/ may import schema, tool', 'src/telemetry/a.ts', 'src/review/x.ts'],
  ['review/ may import schema, tool', 'src/review/a.ts', 'src/combinators/gate/gate.ts'],
  ['Siblings in kits/', 'src/kits/basic/a.ts', 'src/kits/web/x.ts'],
  ['kits/ may import schema, tool, json, files, policies, combinators, plan, review', 'src/kits/basic/b.ts', 'src/testing/x.ts'],
  ['testing/ may import', 'src/testing/a.ts', 'src/kits/web/x.ts'],
  ["the folder 'misc' has no row", 'src/misc/a.ts', 'src/tool/x.ts'],
  ['lies outside src', 'src/tool/c.ts', 'scripts/x.ts'],
  ['Use the verbs of tool/seam', 'src/combinators/pipe/c.ts', 'src/tool/engine/call.ts'],
  ['Use the verbs of tool/seam', 'src/combinators/pipe/d.ts', 'src/tool/seam/call-of.ts'],
  ['Use the verbs of tool/seam', 'src/kits/basic/c.ts', 'src/tool/engine/call.ts'],
  ['The engine lies below the seam', 'src/tool/engine/a.ts', 'src/tool/seam/group.ts'],
  ['Results lie below the engine', 'src/tool/result/a.ts', 'src/tool/engine/call.ts'],
]

const ALLOWED: readonly (readonly [file: string, imported: string])[] = [
  ['src/combinators/pipe/e.ts', 'src/tool/seam/sequence.ts'],
  ['src/tool/seam/b.ts', 'src/tool/engine/call.ts'],
  ['src/schema/subsumes/b.ts', 'src/schema/x.ts'],
  ['src/tool/d.ts', 'src/tool/deep/x.ts'],
  ['src/tool/f.ts', 'src/schema/x.ts'],
  ['src/kits/basic/d.ts', 'src/schema/x.ts'],
  ['src/policies/b.ts', 'src/tool/x.ts'],
  ['src/combinators/pipe/c.ts', 'src/combinators/pipe/part.ts'],
  ['src/plan/b.ts', 'src/combinators/gate/gate.ts'],
  ['src/kits/basic/c.ts', 'src/review/x.ts'],
  ['src/testing/b.ts', 'src/runtime/x.ts'],
  ['src/runtime/b.ts', 'src/run/x.ts'],
  ['src/bridges/mcp/b.ts', 'src/bridges/shared-by-all.ts'],
  ['src/bridges/mcp/c.ts', 'src/runtime/x.ts'],
  ['src/index.ts', 'src/kits/basic/x.ts'],
  ['src/tool/e.test.ts', 'src/testing/x.ts'],
]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolwright-rules-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function write(home: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, file)), { recursive: true })
    await writeFile(join(home, file), text)
  }
}

describe('the linter', () => {
  let lint: Lint
  beforeAll(async () => {
    const home = join(folder, 'lint')
    await write(home, { ...Object.fromEntries(LINTED.map(({ file, text }) => [file, text])), ...CLEAN })
    await cp(join(root, '.oxlintrc.json'), join(home, '.oxlintrc.json'))
    const { stdout } = await runProgram('oxlint', ['--format=json'], { cwd: home })
    lint = JSON.parse(stdout) as Lint
  })

  test.each(LINTED)('reports $rule in $file as an error', ({ rule, file }) => {
    const found = lint.diagnostics.filter(({ filename }) => filename === file)
    expect(found.map(({ code, severity }) => `${severity} ${code}`)).toEqual([`error ${rule}`])
  })

  test('reports nothing in files that keep the rules', () => {
    expect(lint.diagnostics.filter(({ filename }) => filename in CLEAN)).toEqual([])
  })
})

describe('the direction of imports', () => {
  const findings = async (name: string, files: Readonly<Record<string, string>>): Promise<string[]> => {
    const home = join(folder, name)
    await write(home, { 'package.json': '{ "exports": { ".": "./src/index.ts" } }', ...files })
    return houseRuleFindings(home)
  }
  const importing = (file: string, imported: string): string => {
    const specifier = `${'../'.repeat(file.split('/').length - 1)}${imported}`
    return `export { x } from '${specifier}'\n`
  }

  test.each(MISDIRECTED)('%s: %s does not import %s', async (rule, file, imported) => {
    const found = await findings(file.replaceAll('/', '-'), { [file]: importing(file, imported) })
    expect(found).toEqual([expect.stringContaining(rule)])
    expect(found[0]).toContain(`${file}: `)
  })

  test('points downhill, and tests and files above the folders are free', async () => {
    expect(await findings('allowed', Object.fromEntries(ALLOWED.map(([file, imported]) => [file, importing(file, imported)])))).toEqual([])
  })

  test.each([
    "import type { X } from '../plan/x.ts'",
    "export const x = import('../plan/x.ts')",
    "export type X = import('../plan/x.ts').X",
  ])('counts every form: %s', async (text) => {
    expect(await findings(`form-${text.length}`, { 'src/tool/form.ts': text })).toEqual([expect.stringContaining('may import schema')])
  })

  test('the package does not import itself by name', async () => {
    const found = await findings('self', { 'src/tool/self.ts': "export { tool } from 'toolwright'\n" })
    expect(found).toEqual([expect.stringContaining('import the file itself')])
  })
})

describe('import cycles', () => {
  const found = async (name: string, texts: Readonly<Record<string, string>>): Promise<string[]> => {
    const home = join(folder, `cycle-${name}`)
    const files = Object.entries(texts).map(([file, text]) => [`src/tool/${file}.ts`, text])
    await write(home, { 'package.json': '{ "exports": {} }', ...Object.fromEntries(files) })
    return houseRuleFindings(home)
  }
  const type = (file: string): string => `export type { X } from './${file}.ts'\n`

  test('more than three files do not import each other, types included', async () => {
    const ring = { a: type('b'), b: type('c'), c: type('d'), d: `export const x = import('./a.ts')`, e: type('a') }
    expect(await found('four', ring)).toEqual([
      expect.stringMatching(/^src\/tool\/a\.ts: is one of 4 files that import each other: (src\/tool\/[a-d]\.ts(, )?){4}\./),
    ])
  })

  test('a file that two cycles share makes them one', async () => {
    const eight = { a: type('b') + type('c'), b: type('d'), d: type('a'), c: type('a') }
    expect(await found('eight', eight)).toEqual([expect.stringContaining('is one of 4 files')])
  })

  test('three may, and so may files that meet again without a way back', async () => {
    const apart = { a: type('b'), b: type('c'), c: type('a'), d: type('a') + type('e'), e: type('f'), f: type('d') }
    const diamond = { a: type('b') + type('c'), b: type('d'), c: type('d'), d: 'export type X = 1' }
    expect(await found('three', apart)).toEqual([])
    expect(await found('diamond', diamond)).toEqual([])
  })
})

describe('the kind of a combinator', () => {
  const found = async (name: string, file: string, text: string): Promise<string[]> => {
    const home = join(folder, `kind-${name}`)
    const combinators = { 'src/combinators/saga/saga.ts': 'export const saga = 1', 'src/combinators/gate/gate.ts': 'export const gate = 1' }
    await write(home, { 'package.json': '{ "exports": {} }', ...combinators, [file]: text })
    return houseRuleFindings(home)
  }

  test.each([
    ['equality', "export const isSaga = (kind: string): boolean => kind === 'saga'"],
    ['inequality', "export const isOther = (kind: string): boolean => 'saga' !== kind"],
    ['case', "export function f(kind: string): number { switch (kind) { case 'saga': return 1; default: return 2 } }"],
    ['search', "export const isMark = (path: string): boolean => path.endsWith(':saga')"],
    ['mark', "export const RECORD = ':saga'"],
    ['mark in a template', 'export const recordOf = (path: string): string => `${path}:saga.retry`'],
    ['list of one', "export const isSaga = (kind: string): boolean => ['saga'].includes(kind)"],
    ['set of one', "export const kinds: ReadonlySet<string> = new Set(['saga'])"],
    ['template', 'export const isSaga = (kind: string): boolean => kind === `saga`'],
    ['constant', "const SAGA = 'saga'\nexport const isSaga = (kind: string): boolean => kind === SAGA"],
    ['set', "export const kinds: ReadonlySet<string> = new Set(['gate', 'saga'])"],
    ['table', 'export const table: Record<string, number> = { gate: 1, saga: 2 }'],
  ])('is compared with by nobody else: %s', async (name, text) => {
    const findings = await found(name, 'src/plan/shared.ts', text)
    expect(findings.filter((each) => each.includes('saga'))).toEqual([
      expect.stringMatching(/^src\/plan\/shared\.ts: compares with ':?saga', the kind of a combinator/),
    ])
    expect(await found(`${name}-sibling`, 'src/combinators/gate/shared.ts', text)).not.toEqual([])
  })

  test.each([
    ['its own folder', 'src/combinators/saga/own.ts', "export const isMark = (path: string): boolean => path.endsWith(':saga')"],
    ['a test', 'src/plan/shared.test.ts', "export const isSaga = (kind: string): boolean => kind === 'saga'"],
    ['a name that is given', 'src/tool/named.ts', "export const named = { kind: 'saga' }"],
    ['a list of exports', 'src/all.ts', "import { gate } from './g.ts'\nimport { saga } from './s.ts'\nexport const all = { gate, saga }"],
    ['an order', 'src/plan/order.ts', "export const isLeaf = (order: string): boolean => order === 'leaf'"],
  ])('may stand in %s', async (name, file, text) => {
    expect(await found(name.replaceAll(' ', '-'), file, text)).toEqual([])
  })
})

describe('the engine', () => {
  const found = async (name: string, file: string, text: string): Promise<string[]> => {
    const home = join(folder, `run-${name}`)
    await write(home, { 'package.json': '{ "exports": {} }', [file]: text })
    return houseRuleFindings(home)
  }

  test.each([
    ['globalThis.setTimeout', 'export const later = (work: () => void): unknown => globalThis.setTimeout(work, 5)'],
    ['globalThis.Date', 'export const now = (): number => globalThis.Date.now()'],
    ['AbortSignal.timeout', 'export const signal = (): AbortSignal => AbortSignal.timeout(5)'],
    ['setTimeout', 'const later = setTimeout\nexport const soon = (work: () => void): unknown => later(work, 5)'],
    ['Date', 'const { now } = Date\nexport const time = now'],
    ['setTimeout', 'export const later = (work: () => void): unknown => setTimeout(work, 5)'],
    ['setInterval', 'export const often = (work: () => void): unknown => setInterval(work, 5)'],
    ['setImmediate', 'export const soon = (work: () => void): unknown => setImmediate(work)'],
    ['Date.now', 'export const now = (): number => Date.now()'],
    ['performance.now', 'export const tick = (): number => performance.now()'],
    ['new Date()', 'export const today = (): Date => new Date()'],
    ['Math.random', 'export const any = (): number => Math.random()'],
    ['randomUUID', "import { randomUUID } from 'node:crypto'\nexport const id = randomUUID"],
    ['node:timers/promises', "import { setTimeout as pause } from 'node:timers/promises'\nexport const wait = pause"],
    ['systemClock', "import { systemClock } from '../tool/clock.ts'\nexport const clock = systemClock"],
  ])('does not take %s from the machine', async (call, text) => {
    const name = call.replaceAll(/\W/g, '-')
    expect(await found(name, 'src/run/shared.ts', text)).toEqual([expect.stringContaining(`src/run/shared.ts: takes ${call}`)])
    expect(await found(`${name}-tool`, 'src/combinators/pipe/shared.ts', text.replace('../tool', '../../tool'))).toEqual([
      expect.stringContaining(`takes ${call}`),
    ])
    expect(await found(`${name}-test`, 'src/run/shared.test.ts', text)).toEqual([])
    expect(await found(`${name}-elsewhere`, 'src/store/shared.ts', text)).toEqual([])
  })

  test.each(["import type { Pool } from 'pg'", "import { PgBoss } from 'pg-boss'", "import { END } from '../postgres/end-run.ts'"])(
    'does not know the database: %s',
    async (text) => {
      const name = text.length.toString()
      expect(await found(`pg-${name}`, 'src/run/segment/shared.ts', text)).toEqual([expect.stringContaining('ask the RunStore')])
      expect(await found(`pg-${name}-own`, 'src/run/postgres/shared.ts', text)).toEqual([])
    },
  )

  test('may make a date of a number, and wait by the clock that it is given', async () => {
    const text = 'export const at = (ms: number, clock: { timer: (ms: number) => void }): Date => (clock.timer(ms), new Date(ms))'
    expect(await found('given', 'src/run/shared.ts', text)).toEqual([])
  })
})

describe('names of files', () => {
  test('a vague word and an inner barrel are reported, the index of a subpath is not', async () => {
    const home = join(folder, 'names')
    await write(home, {
      'package.json': '{ "exports": { ".": "./src/index.ts" } }',
      'src/index.ts': '',
      'src/tool/index.ts': '',
      'src/tool/schema-utils.ts': '',
      'src/tool/baseline.ts': '',
    })
    expect(houseRuleFindings(home)).toEqual([expect.stringContaining('an inner barrel'), expect.stringContaining("'utils' says nothing")])
  })
})
