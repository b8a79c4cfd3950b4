import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Mutant, MUTANTS } from './mutant-list.ts'
import type { Profile } from './plan-of.ts'
import type { SimulateOptions } from './simulate-options.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Hunts each mutant until it is found, and prints a table. Gives 1 where one lives, or where it has no place any more. */
export async function hunt({ seconds, seed, mutants }: SimulateOptions): Promise<number> {
  const hunted = MUTANTS.filter(({ name }) => mutants?.test(name) !== false)
  const known = new Map<Profile, readonly string[]>()
  let living = 0
  for (const mutant of hunted) {
    const { name, profile = 'clean' } = mutant
    const before = known.get(profile) ?? (await knownIn(profile, { seconds, seed }))
    known.set(profile, before)
    const found = await huntMutant(mutant, { seconds, seed, known: before })
    if (found === undefined) living++
    console.log(`${name.padEnd(50)} ${(found?.kind ?? 'LIVES').slice(0, 70).padEnd(70)} ${found === undefined ? '' : `${found.seconds} s`}`)
  }
  console.log(`${hunted.length - living} of ${hunted.length} mutants were found`)
  return living === 0 ? 0 : 1
}

/** What is wrong without any mutant, in the same worlds, finds none. */
async function knownIn(profile: Profile, { seconds, seed }: Pick<Hunting, 'seconds' | 'seed'>): Promise<readonly string[]> {
  const known = kindsOf(await huntIn(undefined, ['--seconds', String(seconds), '--seed', String(seed), '--profile', profile]))
  if (known.length > 0) console.log(`Without a mutant, in worlds that are ${profile}: ${known.join('; ')}`)
  return known
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
  const { profile = 'clean' } = mutant
  const flags = ['--until', '.', '--seconds', String(seconds), '--seed', String(seed), '--profile', profile]
  if (ignored !== '') flags.push('--ignore', `^(${ignored})`)
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
    return await outputOf(join(folder, 'scripts/simulate.ts'), [...flags, '--shrink', '0'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function mutate(folder: string, { name, changes }: Mutant): Promise<void> {
  for (const { file, text, instead } of changes) {
    const path = join(folder, file)
    const source = await readFile(path, 'utf8')
    if (!source.includes(text)) throw new Error(`The mutant '${name}' has no place in ${file} any more. Find where it belongs now.`)
    await writeFile(
      path,
      source.replaceAll(text, () => instead),
    )
  }
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
