import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isRecord } from '../schema/json-schema.ts'

/** The folder with a package.json in which a program runs. */
export interface Project {
  readonly folder: string
  /** Of its package.json, else of its folder. */
  readonly name: string
}

/** The nearest folder with a package.json, from a folder upwards: by default, from the working directory. */
export function nearestProject(from: string = process.cwd()): Project | undefined {
  const file = join(from, 'package.json')
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) return { folder: from, name: nameIn(file) ?? basename(from) }
  const above = dirname(from)
  return above === from ? undefined : nearestProject(above)
}

function nameIn(file: string): string | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const name = isRecord(manifest) ? manifest['name'] : undefined
    return typeof name === 'string' && name !== '' ? name : undefined
  } catch {
    return undefined
  }
}
