import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gate } from '../combinators/gate/gate.ts'
import { ToolPipeline } from '../combinators/pipe/tool-pipeline.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { Effect } from '../tool/metadata.ts'
import { tool } from '../tool/tool.ts'
import { check } from './check.ts'
import { explain } from './explain.ts'
import type { ExplainedStep } from './explained-step.ts'

interface Leaf {
  readonly effect: Effect
  readonly certain: boolean
  readonly gated: boolean
}
interface Group {
  readonly inside: readonly Shape[]
  readonly gated: boolean
}
type Shape = Leaf | Group

const { shape } = fc.letrec<{ shape: Shape; leaf: Leaf; group: Group }>((tie) => ({
  leaf: fc.record({
    effect: fc.constantFrom('read', 'write', 'irreversible'),
    certain: fc.boolean(),
    gated: fc.boolean(),
  }),
  group: fc.record({ inside: fc.array(tie('shape'), { minLength: 1, maxLength: 4 }), gated: fc.boolean() }),
  shape: fc.oneof({ maxDepth: 4, depthSize: 'medium' }, tie('leaf'), tie('group')),
}))

const sequence = ToolPipeline.of as unknown as (
  name: string,
  description: string,
  ...steps: readonly AgentTool[]
) => AgentTool<string, string>

/** A name says where a step stands: `s`, `s_0`, `s_0_1`. */
function toolOf(given: Shape, name = 's'): AgentTool<string, string> {
  const built =
    'inside' in given
      ? sequence(name, 'A sequence.', ...given.inside.map((each, index) => toolOf(each, `${name}_${index}`)))
      : tool({
          ...{ name, description: 'A step.', effect: given.effect, execute: (input: string) => input },
          estimates: given.certain ? { reliability: 1 } : {},
        })
  return given.gated ? gate(built) : built
}

interface Flat {
  readonly path: string
  readonly leaf: Leaf
}

/** The steps in one row; what stands behind a gate is gated. */
function flattened(given: Shape, path = 's', gated = false): readonly Flat[] {
  const isGated = gated || given.gated
  if (!('inside' in given)) return [{ path, leaf: { ...given, gated: isGated } }]
  const name = path.slice(path.lastIndexOf('/') + 1)
  return given.inside.flatMap((each, index) => flattened(each, `${path}/${name}_${index}`, isGated))
}

test('a sequence has the same irreversible steps before fallible ones, however it is taken apart [C5]', () => {
  fc.assert(
    fc.property(shape, (given) => {
      const row = flattened(given)
      const expected = row.filter(
        ({ leaf: { effect, gated } }, index) =>
          effect === 'irreversible' && !gated && row.slice(index + 1).some(({ leaf }) => !leaf.certain),
      )
      const found = check(toolOf(given)).filter(({ code }) => code === 'irreversible_before_fallible')
      expect(found.map(({ path }) => path).toSorted()).toEqual(expected.map(({ path }) => path).toSorted())
    }),
    { numRuns: 300 },
  )
})

test('every finding stands at a step of the plan [C5]', () => {
  const pathsOf = ({ paths, parts }: ExplainedStep): readonly string[] => [...paths, ...parts.flatMap(pathsOf)]
  fc.assert(
    fc.property(shape, (given) => {
      const whole = toolOf(given)
      const all = new Set(pathsOf(explain(whole).root))
      const findings = check(whole, { deadline: 0, principal: { id: 'nobody', permissions: [] } })
      expect(findings.filter(({ path }) => !all.has(path))).toEqual([])
    }),
  )
})
