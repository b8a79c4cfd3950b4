import type { JsonSchema } from '../schema/json-schema.ts'

/** Whether any field is marked as a secret. Arguments that cannot be read cannot be masked field by field: then nothing of them is shown. */
export function declaresSecrets(schema: JsonSchema): boolean {
  return /"(sensitive|writeOnly)":true|"format":"password"/.test(JSON.stringify(schema))
}
