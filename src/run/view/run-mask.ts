import type { Described } from '../../review/masked-item.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { KnownSecrets } from '../../tool/secrets/known-secrets.ts'
import { logView, secretsIn } from '../../tool/secrets/mask.ts'

/**
 * Hides the secrets of one run: fields that are secret by their name, or by the schema of a tool that is known here, and those of the
 * provider. What is a secret in one place is hidden in all of them.
 */
export class RunMask {
  readonly #schemas = new Map<string, JsonSchema[]>()
  readonly #known = new Set<AgentTool>()
  readonly #spoken: KnownSecrets

  /** `revealed`: secrets of the provider that the run has read. */
  constructor(tools: Iterable<AgentTool>, revealed: Iterable<string> = []) {
    this.#spoken = new KnownSecrets(revealed)
    for (const tool of tools) this.#know(tool)
  }

  /** All of a run is learned before any of it is shown. */
  learn(value: unknown, described?: Described): void {
    for (const schema of this.#schemasOf(described)) for (const secret of secretsIn(value, schema)) this.#spoken.add(secret)
  }

  show<T>(value: T, described?: Described): T {
    return this.#schemasOf(described).reduce<unknown>((shown, schema) => logView(shown, schema, this.#spoken), value) as T
  }

  #schemasOf(described: Described | undefined): readonly JsonSchema[] {
    if (described === undefined) return [{}]
    const { schema } = described
    const known = this.#schemas.get(keyOf(described)) ?? []
    return schema === undefined ? (known.length === 0 ? [{}] : known) : [...known, schema]
  }

  /** A name may stand for a layer and for the tool in it: what any of them says is a secret is one. */
  #know(tool: AgentTool): void {
    if (this.#known.has(tool)) return
    this.#known.add(tool)
    this.#add({ tool: tool.name, side: 'input' }, behaviourOf(tool).input.schema)
    this.#add({ tool: tool.name, side: 'output' }, tool.specification.outputSchema ?? {})
    for (const part of tool.plan().parts) this.#know(part.tool)
  }

  #add(described: Described, schema: JsonSchema): void {
    const key = keyOf(described)
    this.#schemas.set(key, [...(this.#schemas.get(key) ?? []), schema])
  }
}

function keyOf({ tool, side }: Described): string {
  return `${side} ${tool}`
}
