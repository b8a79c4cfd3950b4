import { spawnSync } from 'node:child_process'
import { chmod, readdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runProgram } from '../../scripts/run-program.ts'
import { gate } from '../../src/combinators/gate/gate.ts'
import { shellWord } from '../../src/tool/shell-word.ts'
import { tool } from '../../src/tool/tool.ts'
import { durableRuns, openRequest } from '../fixtures/run/durable-runs.ts'
import { cliCommand, FIXTURE, folderWith, runCli } from './run-cli.ts'

const database = durableRuns()

/** Other tests may keep the machine busy. */
const PATIENT = { TOOLWRIGHT_COMPLETION_MS: '30000' }

/** A folder for the path with the program in it, as an installation makes it. */
async function pathWithProgram(): Promise<string> {
  const folder = await folderWith({})
  const { command, args } = cliCommand([])
  const file = join(folder, 'toolwright')
  await writeFile(file, `#!/bin/sh\nexec ${[command, ...args].map(shellWord).join(' ')} "$@"\n`)
  await chmod(file, 0o755)
  return [folder, process.env['PATH']].join(delimiter)
}

interface Shell {
  readonly name: string
  /** A program of the shell that prints the words for a line, one each. */
  readonly program: (line: string) => string
}

const SHELLS: readonly Shell[] = [
  {
    name: 'bash',
    // As readline does it: words are cut at '=' too, and the function is called with the line.
    program: (line) => `
      eval "$(toolwright completion bash)"
      COMP_LINE=${quoted(line)}; COMP_POINT=\${#COMP_LINE}
      read -ra COMP_WORDS <<< "\${COMP_LINE//=/ = }"; [[ $COMP_LINE == *[[:space:]=] ]] && COMP_WORDS+=('')
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      _toolwright toolwright && printf '%s\\n' "\${COMPREPLY[@]}"; complete -p toolwright >&2`,
  },
  {
    name: 'zsh',
    // The words that the function gives to the completion system.
    program: (line) => `
      autoload -Uz compinit && compinit -u -D
      eval "$(toolwright completion zsh)"
      _describe() { local -a given; given=("\${(@P)2}"); print -rl -- "\${(@)given%%:*}" }
      _files() { print -rl -- *(N) }
      line=${quoted(line)}; words=(\${(z)line}); [[ $line == *' ' ]] && words+=(''); CURRENT=\${#words}; PREFIX=\${words[CURRENT]}
      _toolwright; [[ \${_comps[toolwright]} == _toolwright ]] || exit 9`,
  },
  { name: 'fish', program: (line) => `toolwright completion fish | source\ncomplete -C ${quoted(line)} | cut -f1` },
]

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function isThere({ name }: Shell): boolean {
  return spawnSync(name, ['--version']).status === 0
}

describe.each(SHELLS)('in $name', (shell) => {
  test.skipIf(!isThere(shell))(
    `commands, flags, choices, tools, fields and files are completed (needs ${shell.name})`,
    async () => {
      const PATH = await pathWithProgram()
      const words = async (line: string): Promise<readonly string[]> => {
        const file = join(await folderWith({}), 'line')
        await writeFile(file, shell.program(line))
        const { stdout, stderr, code } = await runShell(shell.name, file, PATH)
        expect(code, stderr).toBe(0)
        return stdout.split('\n').filter(Boolean).toSorted()
      }
      expect(await words('toolwright ca')).toEqual(['call', 'cancel'])
      expect(await words('toolwright call --tr')).toEqual(['--trace'])
      expect(await words('toolwright init --template ')).toEqual(['ai-sdk', 'basic', 'durable-worker', 'mcp-server'])
      // Bash puts the words behind the '=' that is typed already.
      expect(await words('toolwright init --template=mc')).toEqual([shell.name === 'bash' ? 'mcp-server' : '--template=mcp-server'])
      const tools = await words('toolwright describe ')
      expect(tools).toContain('find_order')
      expect(await words('toolwright call find_order em')).toEqual(['email='])
      expect(await words('toolwright list --config toolwright.con')).toContain('toolwright.config.ts')
      expect(await words('toolwright list --config=toolwright.con')).toContain(
        shell.name === 'fish' ? '--config=toolwright.config.ts' : 'toolwright.config.ts',
      )
    },
    180_000,
  )

  test.skipIf(!isThere(shell))(
    `words and names of files that mean something to a shell are only words (needs ${shell.name})`,
    async () => {
      const PATH = await pathWithProgram()
      const names = ['*', '[ab]', 'a', '$(touch taken)', '`touch taken`', '; touch taken', '~', '$HOME', '!!', 'two  words']
      const cwd = await folderWith(Object.fromEntries(names.map((name) => [name, ''])))
      const lines = [
        '--config ',
        '--config=',
        '$(touch taken) ',
        "'$(touch taken)' ",
        '`touch taken`=',
        '"; touch taken; ',
        '--config $(touch taken)/',
        '\u001b[2J',
      ]
      const printed = new Map<string, string>()
      for (const line of lines) {
        const file = join(await folderWith({}), 'line')
        await writeFile(file, shell.program(`toolwright list ${line}`))
        const { code, stdout } = await runShell(shell.name, file, PATH, cwd)
        expect(code, line).toBe(0)
        printed.set(line, stdout)
      }
      const found = printed.get('--config ')?.split('\n').filter(Boolean).toSorted()
      // The helper of fish writes some of them as they must be typed.
      const wanted = shell.name === 'fish' ? ['two  words'] : names.toSorted()
      expect(found?.filter((each) => shell.name !== 'fish' || wanted.includes(each))).toEqual(wanted)
      expect((await readdir(cwd)).toSorted()).toEqual(names.toSorted())
    },
    180_000,
  )
})

function runShell(name: string, file: string, PATH: string, cwd = FIXTURE): ReturnType<typeof runProgram> {
  // runProgram puts folders of its own before the path.
  return runProgram('/bin/sh', ['-c', `PATH=${quoted(PATH)} exec ${name} ${file}`], { cwd, env: PATIENT })
}

test.each(SHELLS)('the script for $name calls the hidden command, and knows no command by itself', async ({ name }) => {
  const { code, stdout, stderr } = await runCli(['completion', name])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('__complete')
  expect(stdout).toContain(':files')
  expect(stdout).not.toMatch(/approve|retry-compensation/)
})

test('a shell without a script is an error that names those that have one', async () => {
  const { code, stderr } = await runCli(['completion', 'tcsh'])
  expect({ code, stderr }).toEqual({ code: 2, stderr: "error: There is no completion for 'tcsh'.\nThe shells are: bash, zsh, fish.\n" })
})

test('ids of runs and open requests come from a database that runs; a stopped one is not started', async () => {
  const pay = gate(tool({ name: 'pay', description: 'Pays.', execute: (to) => `Paid ${to}.` }))
  const runs = await database.open([pay])
  const { id } = await runs.start(pay, 'ann')
  const request = await openRequest(runs, id)
  const cwd = await folderWith({ 'package.json': '{"name":"desk"}' })
  const ask = async (home: string, ...words: readonly string[]): Promise<string> =>
    (await runCli(['__complete', ...words], { cwd, env: { ...PATIENT, TOOLWRIGHT_HOME: home, DATABASE_URL: '' } })).stdout
  expect(await ask(database.home, 'show', '')).toMatch(new RegExp(`^${id}\tpay, waiting$`, 'm'))
  expect(await ask(database.home, 'approve', request.slice(0, 3))).toBe(`${request}\tpay\n`)
  expect(await ask(join(cwd, 'nowhere'), 'show', '')).toBe('')
})

test.each([
  { what: 'never ends', config: 'for (;;) {}' },
  { what: 'waits for ever', config: 'await new Promise((resolve) => setTimeout(resolve, 1e9))' },
  { what: 'throws', config: "throw new Error('broken')" },
  { what: 'ends the process', config: 'process.exit(3)' },
  { what: 'prints', config: "console.log('noise'); process.stdout.write('noise'); console.error('noise')" },
])('a configuration that $what costs the names only, and no more than a moment', async ({ config }) => {
  const cwd = await folderWith({ 'toolwright.config.mjs': `${config}\nexport default { tools: [] }` })
  const run = await runCli(['__complete', 'call', ''], { cwd, mostMs: 15_000 })
  expect(run).toEqual({ code: 0, stdout: '', stderr: '' })
})
