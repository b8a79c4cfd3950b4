import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/run-program.ts'

interface Manifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

export interface Subpath {
  /** What a user imports, such as 'toolwright/testing'. */
  readonly name: string
  /** The source file behind it. */
  readonly source: string
}

/** The subpaths of the package that hold code, from the `exports` of package.json. */
export function subpaths(): readonly Subpath[] {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
  return Object.entries(manifest.exports).flatMap(([path, target]) => {
    const source = typeof target === 'string' ? undefined : target['toolwright-source']
    return source === undefined ? [] : [{ name: join('toolwright', path), source: join(root, source) }]
  })
}
