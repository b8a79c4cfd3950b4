import { branchRow } from './combinators/branch.ts'
import { breakerRow } from './combinators/breaker.ts'
import { cacheRow } from './combinators/cache.ts'
import { corroborateRow } from './combinators/corroborate.ts'
import { fallbackRow } from './combinators/fallback.ts'
import { gateRow } from './combinators/gate.ts'
import { healRow } from './combinators/heal.ts'
import { idempotentRow } from './combinators/idempotent.ts'
import { limitRow } from './combinators/limit.ts'
import { loopRow } from './combinators/loop.ts'
import { mapRow } from './combinators/map.ts'
import { parallelRow } from './combinators/parallel.ts'
import { pipeRow } from './combinators/pipe.ts'
import { retryRow } from './combinators/retry.ts'
import { sagaRow } from './combinators/saga.ts'
import { validateRow } from './combinators/validate.ts'
import { compoundRow } from './compound.ts'
import { leafRow } from './leaf.ts'
import { ownCombinatorsRow } from './own-combinators.ts'
import type { Program, ProgramKind } from './program.ts'
import type { Example, NodeKind, Row } from './row.ts'

/** The rows of the combinators, by the names of their folders in src/combinators. */
export const COMBINATORS: Readonly<Record<string, Row>> = {
  branch: branchRow,
  breaker: breakerRow,
  cache: cacheRow,
  corroborate: corroborateRow,
  fallback: fallbackRow,
  gate: gateRow,
  heal: healRow,
  idempotent: idempotentRow,
  limit: limitRow,
  loop: loopRow,
  map: mapRow,
  parallel: parallelRow,
  pipe: pipeRow,
  retry: retryRow,
  saga: sagaRow,
  validate: validateRow,
}

/** All rows: the combinators, and the ways to make tools that src/tool has. */
export const ROWS: Readonly<Record<string, Row>> = {
  tool: leafRow,
  compound: compoundRow,
  ownCombinators: ownCombinatorsRow,
  ...COMBINATORS,
}

/** Whatever the kind: it is asked only about its own nodes. */
type AnyKind = NodeKind<Program>

const rows = Object.values(ROWS)

const kinds: ReadonlyMap<string, AnyKind> = new Map(rows.flatMap((row) => Object.entries(row.kinds) as unknown as [string, AnyKind][]))

/** The names of all kinds. */
export const KINDS = [...kinds.keys()] as readonly ProgramKind[]

/** The programs whose runs are recorded, by name. */
export const EXAMPLES: Readonly<Record<string, Example>> = Object.assign({}, ...rows.map(({ examples }) => examples))

export function kindNamed(name: ProgramKind): AnyKind {
  const kind = kinds.get(name)
  if (kind === undefined) throw new Error(`No row of the table has the kind '${name}'.`)
  return kind
}

export function kindOf(program: Program): AnyKind {
  return kindNamed(program.kind)
}

/** The programs directly inside one. */
export function partsOf(program: Program): readonly Program[] {
  return kindOf(program).parts(program)
}

/** Every program in one, itself included. */
export function allIn(program: Program): readonly Program[] {
  return [program, ...partsOf(program).flatMap(allIn)]
}

/** Whether it, or a program in it, remembers between runs in its process. */
export function remembersInProcess(program: Program): boolean {
  return allIn(program).some((each) => kindOf(each).remembers === 'in its process')
}

/** A program in one line: `partial20(saga[act~(2), look(5)], act!:lost(2))`. `!` is without a key, `~` with a compensation. */
export function showProgram(program: Program): string {
  return kindOf(program).show(program, partsOf(program).map(showProgram))
}
