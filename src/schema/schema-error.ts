/** An unusable schema, or an option of its dialect. It has only its own codes: in the definition of a tool it becomes a ConfigurationError. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
  readonly code: 'invalid_schema' | 'invalid_option' | 'missing_package'

  constructor(code: SchemaError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
