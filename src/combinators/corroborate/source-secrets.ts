import { isRecord, type JsonSchema } from '../../schema/json-schema.ts'
import { quote } from '../../schema/quote.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { outputSchemaOf } from '../../tool/output-schema.ts'
import { hideMadeSecretsIn, hideSecretsIn, maskedView, type Whole } from '../../tool/seam/whole.ts'
import { MASK } from '../../tool/secrets/mask-text.ts'

/**
 * The secrets in the answers of sources. A field is a secret if any source declares it as one: then the answers of the others tell it too.
 */
export class SourceSecrets {
  readonly #schemas: readonly JsonSchema[]
  readonly #whole: Whole

  constructor(sources: readonly { readonly tool: AgentTool }[], whole: Whole) {
    const known = new Set(sources.map(({ tool }) => outputSchemaOf(tool)).filter((each) => each !== undefined))
    this.#schemas = known.size === 0 ? [{}] : [...known]
    this.#whole = whole
  }

  /** Masks the secrets of an answer in all texts of the run: of events, of an arbiter, of a failure. */
  hide(answer: unknown): void {
    for (const schema of this.#schemas) hideSecretsIn(this.#whole, answer, schema)
  }

  /** The same for values that an arbiter or a person decided. */
  hideDecided(values: unknown): void {
    for (const schema of this.#schemas) hideMadeSecretsIn(this.#whole, values, schema)
  }

  /** The value of a field without its secrets. */
  view(field: string, value: unknown): unknown {
    return this.#schemas.reduce((seen, schema) => {
      const view = maskedView(this.#whole, { [field]: seen }, schema)
      return isRecord(view) && Object.hasOwn(view, field) ? view[field] : MASK
    }, value)
  }

  /** The same for a message. */
  shown(field: string, value: unknown): string {
    return textOfView(this.view(field, value))
  }
}

/** A value without its secrets, in a message. */
export function textOfView(view: unknown): string {
  return view === MASK ? MASK : quote(view)
}
