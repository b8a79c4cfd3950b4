import { shortName } from '../../tool/short-name.ts'
import type { Branch } from './branch.ts'

/** `a_and_b`, shortened where it grows too long. Of one branch it is `parallel_a`: another tool than its branch, or a pipeline of it. */
export function parallelName(branches: readonly Branch[]): string {
  const names = branches.map(({ tool }) => tool.name)
  return shortName(names.length === 1 ? `parallel_${names[0]}` : names.join('_and_'))
}

export function parallelDescription(branches: readonly Branch[], detail: string): string {
  return `Parallel (${detail}): ${branches.map(({ tool }) => tool.name).join(', ')}`
}
