import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SimulateOptions } from './simulate-options.ts'

/** A wrong that somebody could write: a text of a source file, and what stands there instead. */
interface Mutant {
  readonly name: string
  readonly file: string
  readonly text: string
  readonly instead: string
}

const RUN_STATEMENTS = 'test/simulation/statements/run-statements.ts'
const JOURNAL_STATEMENTS = 'test/simulation/statements/journal-statements.ts'

/** Fences and tickets are conditions of statements: they are mutated in the memory, whose statements are those of the store. */
const MUTANTS: readonly Mutant[] = [
  {
    name: 'fence off',
    file: JOURNAL_STATEMENTS,
    text: "  if (on.get('run', id)?.epoch !== epoch) return []",
    instead: "  if (on.get('run', id) === undefined) return []",
  },
  {
    name: 'ticket ignored',
    file: RUN_STATEMENTS,
    text: 'run.ticket === (tickets as readonly number[])[index] && ',
    instead: '',
  },
  {
    name: 'end without a fence',
    file: RUN_STATEMENTS,
    text: "  if (on.get('run', id)?.epoch !== epoch) return 0\n  checkJsonText",
    instead: '  checkJsonText',
  },
  {
    name: 'effect before its write',
    file: 'src/run/run-journal.ts',
    text: 'return isWaitedFor ? written : undefined',
    instead: 'return undefined',
  },
  {
    name: 'undo in forward order',
    file: 'src/combinators/saga/saga-ledger.ts',
    text: 'for (const entry of this.entries.toReversed())\n        if',
    instead: 'for (const entry of this.entries)\n        if',
  },
  {
    name: 'job completed by a fenced worker',
    file: 'src/run/worker.ts',
    text: '      // The job stays: it may be',
    instead: '      this.#complete(job)\n      // The job stays: it may be',
  },
  {
    name: 'decision wakes nobody',
    file: 'src/run/decide-approval.ts',
    text: '    await wakeRun(context, client, locked)\n',
    instead: '',
  },
  {
    name: 'park does not look for decisions',
    file: 'src/run/park-run.ts',
    text: 'decision === null ? [] :',
    instead: 'decision !== undefined ? [] :',
  },
  {
    name: 'park does not look for a cancellation',
    file: 'src/run/park-run.ts',
    text: 'row.cancel !== null && run.cancel === null ?',
    instead: 'row.cancel === undefined ?',
  },
  {
    name: 'steps without a key are repeated',
    file: 'src/tool/calls/run-recorded.ts',
    text: 'if (past !== undefined && !mayRepeat(call))',
    instead: 'if (past !== undefined && past.path !== path)',
  },
  {
    name: 'compensating is not recorded',
    file: 'src/combinators/saga/saga-ledger.ts',
    text: "      await this.enter('compensating')\n",
    instead: '',
  },
  {
    name: 'the end of a race is not waited for',
    file: 'src/combinators/parallel/race.ts',
    text: 'this.#end.resolve(recordEnd(this.call, { ended, cancelled }))',
    instead: 'void recordEnd(this.call, { ended, cancelled })\n    this.#end.resolve({ ended, cancelled })',
  },
]

const ROOT = join(import.meta.dirname, '../..')
const BASELINE_SECONDS = 20

/** Hunts each mutant until it is found, and prints a table. Gives 1 where one lives, or where it has no place any more. */
export async function hunt({ seconds, seed }: SimulateOptions): Promise<number> {
  // What is wrong without any mutant finds none.
  const known = kindsOf(await huntIn(undefined, ['--seconds', String(BASELINE_SECONDS), '--seed', String(seed)]))
  if (known.length > 0) console.log(`Without a mutant: ${known.join('; ')}`)
  let living = 0
  for (const mutant of MUTANTS) {
    const found = await huntMutant(mutant, { seconds, seed, known })
    if (found === undefined) living++
    const row = `${mutant.name.padEnd(40)} ${(found?.kind ?? 'LIVES').padEnd(70)} ${found === undefined ? '' : `${found.seconds} s`}`
    console.log(row)
  }
  console.log(`${MUTANTS.length - living} of ${MUTANTS.length} mutants were found`)
  return living === 0 ? 0 : 1
}

interface Hunting {
  readonly seconds: number
  readonly seed: number
  readonly known: readonly string[]
}

async function huntMutant(
  mutant: Mutant,
  { seconds, seed, known }: Hunting,
): Promise<{ readonly kind: string; readonly seconds: string } | undefined> {
  const ignored = known.map((kind) => kind.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|')
  const flags = [
    '--until',
    '.',
    '--seconds',
    String(seconds),
    '--seed',
    String(seed),
    ...(ignored === '' ? [] : ['--ignore', `^(${ignored})`]),
  ]
  const output = await huntIn(mutant, flags)
  const [, after, kind] = /FOUND after ([\d.]+) s, \d+ worlds: (.*) \(/.exec(output) ?? []
  return after === undefined || kind === undefined ? undefined : { kind, seconds: after }
}

function kindsOf(output: string): readonly string[] {
  return [...output.matchAll(/FOUND after [\d.]+ s, \d+ worlds: (.*) \(/g)].map(([, kind = '']) => kind)
}

/** Runs the simulator in a copy of the sources, with the mutant in its place. */
async function huntIn(mutant: Mutant | undefined, flags: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tw-mutant-'))
  try {
    for (const part of ['src', 'test/simulation', 'test/programs', 'scripts', 'package.json'])
      await cp(join(ROOT, part), join(folder, part), { recursive: true })
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    if (mutant !== undefined) await mutate(folder, mutant)
    return await outputOf(join(folder, 'scripts/simulate.ts'), [...flags, '--shrink', '0', '--profile', 'clean'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function mutate(folder: string, { name, file, text, instead }: Mutant): Promise<void> {
  const path = join(folder, file)
  const source = await readFile(path, 'utf8')
  if (!source.includes(text)) throw new Error(`The mutant '${name}' has no place in ${file} any more. Find where it belongs now.`)
  await writeFile(
    path,
    source.replaceAll(text, () => instead),
  )
}

function outputOf(script: string, flags: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--conditions=toolwright-source', script, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    child.on('error', reject)
    child.on('exit', () => resolve(output))
  })
}
