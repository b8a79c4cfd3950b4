import { gate } from '../../../src/combinators/gate/gate.ts'
import { parallel } from '../../../src/combinators/parallel/parallel.ts'
import { pipe } from '../../../src/combinators/pipe/pipe.ts'
import type { Program } from '../program.ts'
import { partsIn, type Row } from '../row.ts'
import { fine, untyped } from '../wrong-arguments.ts'

interface GateProgram {
  readonly kind: 'gate'
  readonly inner: Program
  /** 0 without a time-out. */
  readonly timeoutMs: number
  readonly onTimeout: 'reject' | 'continue' | 'stop'
}

declare module '../program.ts' {
  interface ProgramNodes {
    readonly gate: GateProgram
  }
}

export const gateRow: Row = {
  kinds: {
    gate: {
      weight: 8,
      waits: true,
      generate: ({ random, program }) => ({
        kind: 'gate',
        inner: program(),
        timeoutMs: random.chance(0.25) ? random.pick([300, 5000]) : 0,
        onTimeout: random.pick(['reject', 'reject', 'continue', 'stop']),
      }),
      ...partsIn('inner'),
      show: ({ timeoutMs, onTimeout }, [inner]) => `gate${timeoutMs === 0 ? '' : `${timeoutMs}.${onTimeout}`}(${inner})`,
      build: ({ timeoutMs, onTimeout }, [inner], { text }) => {
        const time = timeoutMs === 0 ? {} : { timeout: timeoutMs, onTimeout }
        return gate(inner, { approval: true, why: `Somebody should know about ${text}.`, ...time })
      },
      *simpler(node) {
        if (node.timeoutMs > 0) yield { ...node, timeoutMs: 0 }
      },
    },
  },
  examples: {
    gate_approved: { make: (step) => pipe(step('a'), gate(step('b'))), input: 'x' },
    gate_edited: {
      make: (step) => pipe(step('a'), gate(step('b'))),
      input: 'x',
      decide: () => ({ action: 'edit', input: 'edited', by: 'ada' }),
    },
    gate_rejected: {
      make: (step) => pipe(step('a'), gate(step('b'))),
      input: 'x',
      decide: () => ({ action: 'reject', reason: 'not now' }),
    },
    gate_stopped: { make: (step) => pipe(step('a'), gate(step('b'))), input: 'x', decide: () => ({ action: 'stop', reason: 'closed' }) },
    gates_in_branches: { make: (step) => parallel({ one: gate(step('a')), two: pipe(step('b'), gate(step('c'))) }), input: 'x' },
    approval_by_policy: {
      make: (step) => pipe(step('a'), step('b')),
      input: 'x',
      options: { policy: ({ tool }) => (tool === 'b' ? 'require_approval' : 'allow') },
    },
  },
  wrong: {
    tools: [{ what: 'gate', make: (wrong) => untyped(gate)(wrong), role: 'The first argument of gate' }],
    others: [
      {
        what: 'options of gate',
        make: () => untyped(gate)(fine, null),
        code: 'invalid_option',
        says: "The options of gate for 'ok' must be an object, not null.",
      },
      {
        what: 'an approval',
        make: () => untyped(gate)(fine, { approval: 'yes' }),
        code: 'invalid_option',
        says: "The approval of tool 'ok' must be true, false, a predicate or options",
      },
    ],
    misspelt: {
      'gate(options)': (odd) => gate(fine, odd),
      'GateOptions.approvals': (odd) => gate(fine, { approvals: odd }),
    },
  },
}
