import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isRecord } from '../schema/json-schema.ts'
import { packageVersion } from './package-version.ts'

/** Where a new project gets this package from. */
export interface PackageSource {
  /** For its package.json: `^1.2.0`, or `file:../toolwright-1.2.0.tgz`. */
  readonly specifier: string
  /** The commands that make the file, where it is missing, and the folder for them. */
  readonly toMake?: { readonly command: string; readonly folder: string } | undefined
}

/** The sources and the built code lie equally deep below package.json. */
const HOME = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '')

/**
 * The same package for a project in `folder`: from the registry, or from the file that this one was installed from. For a copy of the
 * repository it is the file that `npm pack` makes there.
 */
export function packageSource(folder: string, home: string = HOME): PackageSource {
  const version = packageVersion()
  if (basename(dirname(home)) !== 'node_modules') {
    const file = resolve(home, `toolwright-${version}.tgz`)
    const toMake = existsSync(file) ? undefined : { command: 'npm run build && npm pack', folder: home }
    return { specifier: fromFile(folder, file), toMake }
  }
  const file = installedFile(home)
  return { specifier: file === undefined ? `^${version}` : fromFile(folder, file) }
}

function fromFile(folder: string, file: string): string {
  return `file:${relative(folder, file).replaceAll('\\', '/')}`
}

/** The file that npm has installed this package from, by what npm notes beside it. */
function installedFile(home: string): string | undefined {
  const modules = dirname(home)
  try {
    const lock: unknown = JSON.parse(readFileSync(resolve(modules, '.package-lock.json'), 'utf8'))
    const entry = isRecord(lock) && isRecord(lock['packages']) ? lock['packages'][`node_modules/${basename(home)}`] : undefined
    const resolved = isRecord(entry) ? entry['resolved'] : undefined
    if (typeof resolved !== 'string' || !resolved.startsWith('file:')) return undefined
    const file = resolve(dirname(modules), decodeURI(resolved.slice('file:'.length)))
    return existsSync(file) ? file : undefined
  } catch {
    return undefined
  }
}
