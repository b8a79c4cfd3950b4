import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gate } from '../combinators/gate/gate.ts'
import { pipe } from '../combinators/pipe/pipe.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { combinator } from '../tool/combinator.ts'
import { inSequence } from '../tool/figures.ts'
import { stringInput } from '../tool/input/string-input.ts'
import type { Estimates } from '../tool/metadata.ts'
import { UNPRINTABLE } from '../tool/printable.ts'
import { tool } from '../tool/tool.ts'
import { explain } from './explain.ts'

type Shape = Estimates | readonly Shape[]

const figures = fc.record({
  latencyMs: fc.integer({ min: 0, max: 10_000 }),
  reliability: fc.double({ min: 0, max: 1, noNaN: true }),
})
const { shape } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof({ maxDepth: 4 }, figures, fc.array(tie('shape'), { minLength: 1, maxLength: 4 })),
}))

function leavesOf(given: Shape): readonly Estimates[] {
  return Array.isArray(given) ? given.flatMap(leavesOf) : [given as Estimates]
}

function toolOf(given: Shape, name = 's'): AgentTool<string, string> {
  if (!Array.isArray(given))
    return tool({ name, description: 'd', effect: 'read', estimates: given as Estimates, execute: (input) => input })
  return given.map((each: Shape, index) => toolOf(each, `${name}${index}`)).reduce((before, after) => pipe(before, after))
}

test('the figures of a nested sequence are those of its steps in one row [C6]', () => {
  fc.assert(
    fc.property(shape, (given) => {
      const total = explain(toolOf(given)).root.figures
      const flat = inSequence(leavesOf(given))
      expect(total.latencyMs.value).toBe(flat.latencyMs)
      expect(total.reliability.value).toBeCloseTo(flat.reliability ?? 0, 10)
    }),
  )
})

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .array(
      fc.constantFrom('"', '#', '&', '<b>', '%%{init: {}}%%', '\n', 'end', ']', '|', '`', '\u202e', ';', 'style a:#b;', ':::', '-->', '\\'),
    )
    .map((parts) => parts.join('')),
)
const label = nasty.map((text) => text.replaceAll(/[/#@!:]/g, ''))

const words = fc.record({
  labels: fc.array(fc.tuple(label, fc.boolean()), { minLength: 1, maxLength: 5 }),
  when: nasty,
  adapter: nasty,
  detail: nasty,
})
const TEXT = `(?:[\\p{L}\\p{N}\\p{M} _.,'()/=?≥≤-]|#\\d+;)*`
const LABEL = `"${TEXT}(?:<br/>${TEXT})?"`
const LINE = new RegExp(
  [
    'flowchart TD',
    `n\\d+\\[${LABEL}\\]:::(read|write|irreversible)`,
    `n\\d+_gate\\{\\{"a person approves"\\}\\}:::gate`,
    'n\\d+_in\\(\\("input"\\)\\)',
    `n\\d+(_gate|_in)? (-->|-\\.->)(\\|${LABEL}\\|)? n\\d+(_gate)?`,
    `subgraph n\\d+\\[${LABEL}\\]`,
    'end',
    'classDef \\w+ fill:#\\w{6},stroke:#\\w{6},color:#\\w{6}',
  ]
    .map((each) => `^\\s*${each}$`)
    .join('|'),
  'u',
)

test('no name, condition or detail can break a drawing [C6]', () => {
  fc.assert(
    fc.property(words, fc.boolean(), ({ labels, when, adapter, detail }, inOrder) => {
      const step = tool({ name: 'step', description: '"]\nend', effect: 'write', execute: (input) => input })
      const parts = labels.map(([each, gated]) => ({
        ...{ label: each, tool: gated ? gate(step) : step, takes: 'input' as const },
        ...{ when, adapter: { name: adapter } },
      }))
      const order = inOrder ? ('sequence' as const) : ('together' as const)
      const plan = { kind: 'odd', order, labels: 'name' as const, closedBy: undefined, layer: false, detail, parts, figures: inSequence }
      const { mermaid, text } = explain(combinator({ name: 'odd', description: 'd', input: stringInput, plan, run: () => 1 }))
      const lines = mermaid.split('\n')
      expect(lines.filter((line) => !LINE.test(line))).toEqual([])
      expect(lines.filter((line) => /^\s*subgraph /.test(line))).toHaveLength(lines.filter((line) => line.trim() === 'end').length)
      expect(lines.filter((line) => /^\s*n\d+\[/.test(line))).toHaveLength(labels.length)
      expect(text.split('\n')).toHaveLength(labels.length + 3)
      expect(text.replaceAll('\n', '')).not.toMatch(new RegExp(UNPRINTABLE.source, 'u'))
    }),
  )
})
