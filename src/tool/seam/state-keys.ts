import type { AgentTool } from '../agent-tool.ts'
import { layersOf } from '../layer.ts'

/**
 * The keys of the states that layers of one kind share. Layers with the same rules around the same tool have one state. A layer around another one
 * of the same rules has a state of its own: in a shared one, a call would take two places, and wait for itself.
 */
export class StateKeys {
  readonly #keys = new WeakMap<object, string>()

  /** The key of a layer that will be around this tool. */
  around(tool: AgentTool, rules: string): string {
    const inside = new Set(layersOf(tool).map((each) => this.#keys.get(each)))
    let key = rules
    for (let number = 2; inside.has(key); number++) key = `${rules} #${number}`
    return key
  }

  /** Remembers the key of a layer, and returns the layer. */
  keep<Layer extends object>(layer: Layer, key: string): Layer {
    this.#keys.set(layer, key)
    return layer
  }
}
