import type { Program, SagaStepProgram } from './program.ts'

/** A program in one line: `partial20(saga[act~(2), look(5)], act!:lost(2))`. `!` is without a key, `~` with a compensation. */
export function showProgram(program: Program): string {
  switch (program.kind) {
    case 'leaf': {
      const { mode, effect, isKeyed, ms, name } = program
      const word = effect === 'read' ? 'look' : isKeyed ? 'act' : 'act!'
      return `${word}${mode === 'ok' ? '' : `:${mode}`}${name === undefined ? '' : `=${name}`}(${ms})`
    }
    case 'saga':
      return `saga[${program.steps.map(showStep).join(', ')}]`
    case 'pipe':
      return `pipe(${list(program.parts)})`
    case 'parallel': {
      const { join, afterMs, concurrency, parts } = program
      return `${join}${join === 'partial' ? afterMs : ''}/${concurrency}(${list(parts)})`
    }
    case 'map': {
      const { item, count, concurrency, collects } = program
      return `map${collects ? '.collect' : ''}x${count}/${concurrency}(${showProgram(item)})`
    }
    case 'loop':
      return `loop${program.turns}of${program.most}(${showProgram(program.turn)})`
    case 'gate': {
      const { timeoutMs, onTimeout, inner } = program
      return `gate${timeoutMs === 0 ? '' : `${timeoutMs}.${onTimeout}`}(${showProgram(inner)})`
    }
    case 'sleep':
      return `sleep${program.ms}(${showProgram(program.inner)})`
    case 'seq': {
      const { labels = [], parts } = program
      return `seq(${parts.map((part, index) => `${labels[index] === undefined ? '' : `${labels[index]}: `}${showProgram(part)}`).join(', ')})`
    }
    case 'flows':
      return `flows${program.waitsFor === 'first' ? '.first' : ''}(${list(program.parts)})`
    case 'ask':
      return `ask${program.timeoutMs === 0 ? '' : program.timeoutMs}(${showProgram(program.inner)})`
    case 'deadline':
      return `deadline${program.ms}(${showProgram(program.inner)})`
    case 'branch':
      return `branch#${program.taken}(${list(program.routes)})`
    case 'classify':
      return `classify#${program.taken}${program.isSure ? '' : '?'}(${list(program.routes)})`
    case 'cache':
      return `cache${program.ttlMs}(${showProgram(program.inner)})`
    case 'idempotent':
      return `idempotent(${showProgram(program.inner)})`
  }
}

function list(programs: readonly Program[]): string {
  return programs.map(showProgram).join(', ')
}

function showStep({ program, compensation, attempts, label }: SagaStepProgram): string {
  const undone = compensation === 'none' ? '' : compensation === 'works' ? '~' : `~${compensation}`
  return `${label === undefined ? '' : `${label}: `}${showProgram(program)}${undone}${attempts > 1 ? `x${attempts}` : ''}`
}
