import type { Program } from '../programs/program.ts'

/** How another version of a program differs: a step has another label, one is added at the end, a loop has a lower bound. */
export type UpgradeKind = 'rename_step' | 'rename_part' | 'add_behind' | 'lower_bound'

/** What the labels of steps are called in the other version. */
const RENAMED = 'renamed'

/** The other version of a program; undefined where it has no place for such a change. The first place that has is changed. */
export function upgradeProgram(program: Program, kind: UpgradeKind): Program | undefined {
  return changed(program, kind) ?? inside(program, kind)
}

function changed(program: Program, kind: UpgradeKind): Program | undefined {
  switch (kind) {
    case 'rename_step': {
      if (program.kind !== 'saga') return undefined
      const [first, ...rest] = program.steps
      return first === undefined ? undefined : { ...program, steps: [{ ...first, label: RENAMED }, ...rest] }
    }
    case 'rename_part':
      return program.kind === 'seq' ? { ...program, labels: [RENAMED] } : undefined
    case 'add_behind': {
      if (program.kind !== 'pipe' && program.kind !== 'seq') return undefined
      return { ...program, parts: [...program.parts, { kind: 'leaf', mode: 'ok', ms: 2, effect: 'write', isKeyed: true }] }
    }
    case 'lower_bound':
      return program.kind === 'loop' && program.turns > 1 ? { ...program, most: program.turns - 1 } : undefined
  }
}

function inside(program: Program, kind: UpgradeKind): Program | undefined {
  switch (program.kind) {
    case 'leaf':
      return undefined
    case 'saga': {
      const index = program.steps.findIndex((step) => upgradeProgram(step.program, kind) !== undefined)
      const step = program.steps[index]
      if (step === undefined) return undefined
      return { ...program, steps: program.steps.with(index, { ...step, program: upgradeProgram(step.program, kind) ?? step.program }) }
    }
    case 'pipe':
    case 'parallel':
    case 'seq':
    case 'flows': {
      const parts = inList(program.parts, kind)
      return parts === undefined ? undefined : { ...program, parts }
    }
    case 'branch':
    case 'classify': {
      const routes = inList(program.routes, kind)
      return routes === undefined ? undefined : { ...program, routes }
    }
    case 'map': {
      const item = upgradeProgram(program.item, kind)
      return item === undefined ? undefined : { ...program, item }
    }
    case 'loop': {
      const turn = upgradeProgram(program.turn, kind)
      return turn === undefined ? undefined : { ...program, turn }
    }
    default: {
      const inner = upgradeProgram(program.inner, kind)
      return inner === undefined ? undefined : { ...program, inner }
    }
  }
}

function inList(parts: readonly Program[], kind: UpgradeKind): readonly Program[] | undefined {
  const index = parts.findIndex((part) => upgradeProgram(part, kind) !== undefined)
  const part = parts[index]
  const upgraded = part === undefined ? undefined : upgradeProgram(part, kind)
  return upgraded === undefined ? undefined : parts.with(index, upgraded)
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
