import { objectSchema, unionSchema } from '../../schema/combine-schemas.ts'
import type { Excess } from '../../schema/excess.ts'
import { fieldStep, joinPath } from '../../schema/field-path.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import type { Contract } from '../../tool/contract.ts'
import type { Branch } from './branch.ts'
import type { JoinKind } from './join.ts'

/** What the whole gives where nothing merges: described, and checked already by the branches. Undefined where no branch says what it gives. */
export function joinedOutput(branches: readonly Branch[], kind: JoinKind): Contract | undefined {
  const contracts = branches.map(({ tool }) => behaviourOf(tool)).map(({ describesOutput, output }) => describesOutput ?? output)
  if (contracts.every((contract) => contract === undefined)) return undefined
  let schema: JsonSchema | undefined
  return {
    validate: (value) => ({ value }),
    strips: true,
    input: {},
    exactInput: {},
    get promised() {
      return kind === 'all' ? branches.flatMap(({ label }, index) => under(label, contracts[index]?.promised)) : []
    },
    get output() {
      return (schema ??= describe(
        branches,
        contracts.map((contract) => contract?.output ?? {}),
        kind,
      ))
    },
  }
}

function under(label: string, promised: readonly Excess[] = []): readonly Excess[] {
  return promised.map((each) => ({ ...each, path: joinPath(fieldStep(label), each.path) }))
}

function describe(branches: readonly Branch[], outputs: readonly JsonSchema[], kind: JoinKind): JsonSchema {
  if (kind === 'first' || kind === 'best') return unionSchema(outputs)
  return objectSchema(
    branches.map(({ label }, index) => [label, outputs[index] ?? {}]),
    kind === 'all',
  )
}
