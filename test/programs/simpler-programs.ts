import type { Program } from './program.ts'
import { kindOf, partsOf } from './table.ts'

/** Programs that are a little simpler than the given one, the boldest steps first. Whatever shrinks tries them one by one. */
export function* simplerPrograms(program: Program): Iterable<Program> {
  const { simpler, withParts } = kindOf(program)
  const parts = partsOf(program)
  yield* parts
  if (simpler !== undefined) yield* simpler(program)
  for (const [index, part] of parts.entries()) {
    for (const other of simplerPrograms(part)) yield withParts(program, parts.with(index, other))
  }
}
