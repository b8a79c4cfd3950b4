import { digest } from '../../tool/journal/hash.ts'
import type { Branch } from './branch.ts'

const LONGEST = 64
const SUFFIX = 8

/** `a_and_b`; a name that grows too long keeps its beginning and gets a suffix made of the whole, the same every time. */
export function parallelName(branches: readonly Branch[]): string {
  const name = branches.map(({ tool }) => tool.name).join('_and_')
  if (name.length <= LONGEST) return name
  const suffix = digest(name)
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, SUFFIX)
  return `${name.slice(0, LONGEST - SUFFIX - 1)}_${suffix}`
}

export function parallelDescription(branches: readonly Branch[], detail: string): string {
  return `Parallel (${detail}): ${branches.map(({ tool }) => tool.name).join(', ')}`
}
