import { type Program, partsOf, type SagaStepProgram } from './program.ts'

/** Programs that are a little simpler than the given one, the boldest steps first. Whatever shrinks tries them one by one. */
export function* simplerPrograms(program: Program): Iterable<Program> {
  yield* partsOf(program)
  switch (program.kind) {
    case 'leaf':
      yield* simplerLeaves(program)
      return
    case 'saga':
      yield* simplerSagas(program.steps)
      return
    case 'parallel':
      for (const parts of fewer(program.parts, 2)) yield { ...program, parts }
      if (program.concurrency !== 8) yield { ...program, concurrency: 8 }
      if (program.join !== 'all') yield { ...program, join: 'all' }
      return
    case 'pipe':
      for (const parts of fewer(program.parts, 1)) yield { ...program, parts }
      return
    case 'seq':
      if (program.labels === undefined) for (const parts of fewer(program.parts, 1)) yield { ...program, parts }
      return
    case 'flows':
      for (const parts of fewer(program.parts, 1)) yield { ...program, parts }
      if (program.waitsFor === 'first') yield { ...program, waitsFor: 'all' }
      return
    case 'branch':
      for (const routes of simplerLists(program.routes)) yield { ...program, routes }
      return
    case 'classify':
      if (!program.isSure) yield { ...program, isSure: true }
      for (const routes of simplerLists(program.routes)) yield { ...program, routes }
      return
    case 'map':
      if (program.count > 2) yield { ...program, count: 2 }
      if (program.concurrency !== 8) yield { ...program, concurrency: 8 }
      if (program.collects) yield { ...program, collects: false }
      for (const item of simplerPrograms(program.item)) yield { ...program, item }
      return
    case 'loop':
      if (program.turns > 1) yield { ...program, turns: 1 }
      for (const turn of simplerPrograms(program.turn)) yield { ...program, turn }
      return
    case 'gate':
    case 'ask':
      if (program.timeoutMs > 0) yield { ...program, timeoutMs: 0 }
      for (const inner of simplerPrograms(program.inner)) yield { ...program, inner }
      return
    case 'sleep':
    case 'deadline':
      for (const inner of simplerPrograms(program.inner)) yield { ...program, inner }
      return
    case 'cache':
    case 'idempotent':
      // What is inside must stay without people: a cache refuses to go around them.
      for (const inner of simplerPrograms(program.inner)) if (inner.kind === 'leaf') yield { ...program, inner }
  }
}

function* simplerLeaves(leaf: Program & { kind: 'leaf' }): Iterable<Program> {
  if (leaf.mode !== 'ok') yield { ...leaf, mode: 'ok' }
  if (!leaf.isKeyed) yield { ...leaf, isKeyed: true }
  if (leaf.effect === 'write') yield { ...leaf, effect: 'read', isKeyed: true }
  if (leaf.ms !== 2) yield { ...leaf, ms: 2 }
}

function* simplerSagas(steps: readonly SagaStepProgram[]): Iterable<Program> {
  if (steps.length > 1) for (const index of steps.keys()) yield { kind: 'saga', steps: steps.toSpliced(index, 1) }
  for (const [index, step] of steps.entries()) {
    for (const simpler of simplerSteps(step)) yield { kind: 'saga', steps: steps.with(index, simpler) }
  }
}

function* simplerSteps(step: SagaStepProgram): Iterable<SagaStepProgram> {
  if (step.attempts > 1) yield { ...step, attempts: 1 }
  if (step.compensation !== 'none' && step.compensation !== 'works') yield { ...step, compensation: 'works' }
  for (const program of simplerPrograms(step.program)) {
    const isUndone = program.kind === 'leaf' && program.effect === 'write'
    yield { ...step, program, compensation: isUndone ? step.compensation : 'none' }
  }
}

/** Shorter lists, and lists with one simpler part. */
function* fewer(parts: readonly Program[], least: number): Iterable<readonly Program[]> {
  if (parts.length > least) for (const index of parts.keys()) yield parts.toSpliced(index, 1)
  yield* simplerLists(parts)
}

function* simplerLists(parts: readonly Program[]): Iterable<readonly Program[]> {
  for (const [index, part] of parts.entries()) for (const simpler of simplerPrograms(part)) yield parts.with(index, simpler)
}
