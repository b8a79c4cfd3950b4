import { compileJsonSchema } from '../../../schema/compile-json-schema.ts'
import { frozen } from '../../../schema/frozen.ts'
import type { JsonSchema } from '../../../schema/json-schema.ts'
import type { StandardSchema } from '../../../schema/standard-schema.ts'

/**
 * A schema that is compiled when the first value comes, and its definitions when a value reaches them: in some documents every answer refers to nearly
 * everything, and most tools are never called. The converter leaves nothing in a schema that does not compile.
 */
export function compiledOnUse(schema: JsonSchema, role: string): StandardSchema {
  let compiled: ReturnType<typeof compileJsonSchema> | undefined
  const described = (): Record<string, unknown> => frozen(schema) as Record<string, unknown>
  return {
    '~standard': {
      version: 1,
      vendor: 'toolwright',
      validate: (value) => (compiled ??= compileJsonSchema(schema, role, 'on use')).validate(value),
      jsonSchema: { input: described, output: described },
    },
  }
}
