/** A schema that nobody can use. It knows no codes but its own: where a tool is defined, it becomes a mistake in the program. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
  readonly code: 'invalid_schema' | 'missing_package'

  constructor(code: SchemaError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
