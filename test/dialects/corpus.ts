import { basicKit } from '../../src/kits/basic/basic-kit.ts'
import { describeExactly } from '../../src/schema/describe-schema.ts'
import type { JsonSchema } from '../../src/schema/json-schema.ts'
import { modelParameters } from '../../src/schema/model-parameters.ts'
import { NASTY } from './nasty-schemas.ts'
import { ZOD_INPUTS } from './zod-inputs.ts'

/** The schemas that every dialect is tried on: those of the built-in tools, inputs of authors, and nasty ones. */
export const CORPUS: ReadonlyMap<string, JsonSchema> = new Map([
  ...basicKit({ root: '.' }).map((tool): [string, JsonSchema] => [`basic ${tool.name}`, tool.specification.parameters]),
  ...Object.entries(ZOD_INPUTS).map(([name, schema]): [string, JsonSchema] => [
    `zod ${name}`,
    modelParameters(describeExactly(schema, 'input')).parameters,
  ]),
  ...Object.entries(NASTY).map(([name, schema]): [string, JsonSchema] => [`nasty ${name}`, schema]),
])
