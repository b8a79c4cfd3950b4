import { tool } from '../../src/tool/tool.ts'
import type { Program } from './program.ts'
import { type Building, type BuildOptions, DESCRIPTION, type Part, type Parts } from './row.ts'
import { kindOf, partsOf } from './table.ts'

export interface BuiltProgram {
  readonly tool: Part
  /** The names of leaves that are steps of a saga with a compensation that can work. */
  readonly undoable: ReadonlySet<string>
}

/** Makes the tools of a program. The name of a tool tells its kind and its position: `r0_saga01` is the second part of the first part. */
export function buildProgram(program: Program, { prefix, order, text = 'x' }: BuildOptions): BuiltProgram {
  const undoable = new Set<string>()
  const begin = tool({ name: `${prefix}begin`, description: DESCRIPTION, effect: 'read', execute: () => text })
  const building = (at: string): Building => ({
    at,
    prefix,
    order,
    text,
    begin,
    undoable,
    name: (kind) => `${prefix}${kind}${at}`,
    inside: (index) => building(`${at}${index}`),
  })
  return { tool: build(program, building('')), undoable }
}

function build(program: Program, building: Building): Part {
  const parts = partsOf(program).map((part, index) => build(part, building.inside(index)))
  return kindOf(program).build(program, parts as unknown as Parts, building)
}
