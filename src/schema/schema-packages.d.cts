import type { _, Ajv } from 'ajv'

interface Engine {
  readonly default: new (options: object) => Ajv
}

interface ValibotConverter {
  readonly toJsonSchema: (schema: unknown, options: Readonly<Record<string, unknown>>) => Record<string, unknown>
}

declare const packages: {
  readonly 'draft-07': () => Engine & { readonly _: typeof _ }
  readonly '2019-09': () => Engine
  readonly '2020-12': () => Engine
  readonly valibot: () => ValibotConverter
}

export = packages
