import type { ToolwrightConfig } from '../define-config.ts'
import type { CallOptions } from '../tool/context.ts'
import type { Listener } from '../tool/event.ts'

export interface SharedOptions extends CallOptions {
  readonly on: readonly Listener[]
}

/** What a configuration says about calls. */
export function sharedOptions({
  tools: _tools,
  peers: _peers,
  name: _name,
  version: _version,
  database: _database,
  worker: _worker,
  on,
  ...shared
}: ToolwrightConfig): SharedOptions {
  return { ...shared, on: on === undefined ? [] : [on].flat() }
}
