import type { Program } from '../programs/program.ts'
import { RENAMED, type UpgradeKind } from '../programs/row.ts'
import { kindOf, partsOf } from '../programs/table.ts'

/** The other version of a program; undefined where it has no place for such a change. The first place that has is changed. */
export function upgradeProgram(program: Program, kind: UpgradeKind): Program | undefined {
  const { upgrades, withParts } = kindOf(program)
  const changed = upgrades?.[kind]?.(program)
  if (changed !== undefined) return changed
  const parts = partsOf(program)
  for (const [index, part] of parts.entries()) {
    const upgraded = upgradeProgram(part, kind)
    if (upgraded !== undefined) return withParts(program, parts.with(index, upgraded))
  }
  return undefined
}

/** Whether a path belongs to the other version. */
export function isRenamed(path: string): boolean {
  return path.includes(RENAMED)
}

/** The path that a step has in the first version. */
export function firstVersionPath(path: string, kind: UpgradeKind | undefined): string {
  if (kind === 'rename_step') return path.replaceAll(RENAMED, 's0')
  return kind === 'rename_part' ? path.replaceAll(RENAMED, 'q0') : path
}
