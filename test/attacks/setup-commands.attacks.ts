import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { cliHere, type HereOptions } from '../cli/cli-here.ts'
import type { CliRun } from '../cli/run-cli.ts'
import type { Attack } from './attack.ts'
import { expectOwnLines } from './foreign-lines.ts'

const SECRET = 'k-4711-of-an-address'
const ADDRESS = `postgres://ada:${SECRET}@127.0.0.1:1/none`
const LIE = 'Approved 1 as ada'

/** Runs a command in a new folder with these files; the folder goes afterwards. */
async function inFolder(
  files: Readonly<Record<string, string>>,
  flags: readonly string[],
  { look, ...options }: HereOptions & { readonly look?: (folder: string) => void } = {},
): Promise<CliRun> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-setup-'))
  const before = process.cwd()
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      if (text === AS_FOLDER) mkdirSync(join(folder, name))
      else if (text === AS_DEVICE) symlinkSync('/dev/null', join(folder, name))
      else writeFileSync(join(folder, name), text)
    }
    process.chdir(folder)
    const run = await cliHere(flags, { columns: 80, ...options, env: { TOOLWRIGHT_HOME: join(folder, 'home'), DATABASE_URL: '' } })
    look?.(folder)
    return run
  } finally {
    process.chdir(before)
    rmSync(folder, { recursive: true, force: true })
  }
}

const AS_FOLDER = '(a folder)'
const AS_DEVICE = '(a device)'

/** What half an installation, or somebody else, has left in the place of the package.json of a package. */
const MANIFESTS: Readonly<Record<string, string>> = {
  'is empty': '',
  'is cut off': '{',
  'is null': 'null',
  'is a text': '"1.0.0"',
  'is a list': '[]',
  'has no version': '{}',
  'has a number for a version': '{"version":5}',
  'has an object for a version': '{"version":{"split":1}}',
  'has null for a version': '{"version":null}',
  'has a version by its prototype': '{"__proto__":{"version":"1.0.0"}}',
  'begins with a mark of UTF-8': '\uFEFF{"version":"1.0.0"}',
  'is nested without an end': '['.repeat(100_000),
  'is a folder': AS_FOLDER,
  'is a device': AS_DEVICE,
}

const LYING_VERSIONS = [
  `1.0.0\n${LIE}`,
  `1\u001B[2K\u001B[1A${LIE}`,
  `\u202E${LIE}`,
  `1\r${LIE}`,
  `1${' '.repeat(90)}${LIE}`,
  '9'.repeat(100_000),
]

const aboutPackages: readonly Attack[] = ['pg', 'pino', '@langchain/core'].flatMap((name) => [
  ...Object.entries(MANIFESTS).map(([what, text]): Attack => ({
    name: `doctor looks at a package ${name} whose package.json ${what}`,
    before: 'fell',
    attempt: async () => {
      const run = await inFolder({ [`node_modules/${name}/package.json`]: text }, ['doctor', '--json'])
      const { checks } = JSON.parse(run.stdout) as { readonly checks: readonly { readonly name: string; readonly status: string }[] }
      expect(checks.find((each) => each.name === name)).toMatchObject({ status: 'problem' })
      expect(checks.length).toBeGreaterThan(20)
      expect(run.code).toBe(1)
    },
  })),
  ...LYING_VERSIONS.map((version): Attack => ({
    name: `doctor prints the version ${JSON.stringify(version.slice(0, 20))} of the package ${name}`,
    before: 'held',
    attempt: async () => {
      const run = await inFolder({ [`node_modules/${name}/package.json`]: JSON.stringify({ version }) }, ['doctor'])
      expectOwnLines(run, { columns: 80, isJson: false })
      expect(run.stdout).toContain('encryption')
    },
  })),
])

/** Configurations that repeat the address of a database in what they throw. */
const TELLING: Readonly<Record<string, string>> = {
  'throws it': `throw new Error('cannot reach ${ADDRESS}')`,
  'throws it behind a line': `throw new Error('no\\n${ADDRESS}')`,
  'throws it as a text': `throw '${ADDRESS}'`,
  'throws it when its tools are read': `export default { get tools() { throw new Error('${ADDRESS}') } }`,
  'throws it when its database is read': `export default { get database() { throw new Error('${ADDRESS}') } }`,
  'throws it when the address is read': `export default { database: { get url() { throw new Error('${ADDRESS}') } }, tools: [] }`,
}

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  doctor: ['doctor'],
  'doctor --json': ['doctor', '--json'],
  'runs of another home': ['runs', '--home', 'other'],
}

const aboutConfigurations: readonly Attack[] = Object.entries(TELLING).flatMap(([what, text]) =>
  Object.entries(COMMANDS).map(([command, flags]): Attack => ({
    name: `${command} meets a configuration that ${what}`,
    before: 'fell',
    attempt: async () => {
      const run = await inFolder({ 'toolwright.config.mjs': text, 'package.json': '{}' }, flags)
      expect(`${run.stdout}${run.stderr}`.replaceAll(/\n {2}\|>? /g, '')).not.toContain(SECRET)
      expectOwnLines(run, { columns: 80, isJson: flags.includes('--json') })
    },
  })),
)

/** Names that hide, move or reorder letters wherever the name is printed, in the files of the project too. */
const HIDING = [
  'a\u202Eb',
  'a\u2066b',
  'a\u200Bb',
  `a\u2028${LIE}`,
  'a\u{E0041}b',
  'a\uFEFFb',
  '\uD800',
  'a\u001B[2K',
  'a\nb',
  'a\u0085b',
  'a\u3164b',
]

/** Names that another program takes for an option of its own, where the project's README shows its command. */
const OPTIONS = ['-', '--', '-a', '--help', '--scope', '@-a/b', '@--/b', '@a/-b', '@a/--help']

const aboutProjects: readonly Attack[] = [
  ...HIDING.flatMap((folder) =>
    [folder, `${folder}/p`].map((given): Attack => ({
      name: `init into the folder ${JSON.stringify(given)}`,
      before: /[\p{Cc}]/u.test(folder) ? 'held' : 'fell',
      attempt: async () => {
        let left: readonly string[] = []
        const run = await inFolder({}, ['init', '--yes', '--', given], { look: (at) => (left = readdirSync(at)) })
        expect(run.code).toBe(2)
        expect(left).toEqual([])
        expectOwnLines(run, { columns: 80, isJson: false })
      },
    })),
  ),
  ...OPTIONS.map((name): Attack => ({
    name: `init of a project with the name ${name}`,
    before: 'fell',
    attempt: async () => {
      let isThere = true
      const run = await inFolder({}, ['init', 'p', '--yes', `--name=${name}`], { look: (at) => (isThere = existsSync(join(at, 'p'))) })
      expect(run.code).toBe(2)
      expect(isThere).toBe(false)
    },
  })),
]

export const SETUP_COMMANDS_ATTACKS: readonly Attack[] = [...aboutPackages, ...aboutConfigurations, ...aboutProjects]
