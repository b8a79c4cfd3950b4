import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The names of a configuration file; where several lie in one folder, the first counts. */
const CONFIG_NAMES = ['toolwright.config.ts', 'toolwright.config.mts', 'toolwright.config.js', 'toolwright.config.mjs'] as const

/** The nearest configuration file, from a folder upwards. */
export function findConfig(folder: string): string | undefined {
  const found = CONFIG_NAMES.map((name) => join(folder, name)).find((file) => existsSync(file))
  if (found !== undefined) return found
  const above = dirname(folder)
  return above === folder ? undefined : findConfig(above)
}
