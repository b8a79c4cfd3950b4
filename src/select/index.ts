export {
  type AddOptions,
  type Catalog,
  catalog,
  type CatalogOptions,
  type SelectedTool,
  type Selection,
  type SelectOptions,
} from './catalog.ts'
export type { ListenOptions } from './trace-of-event.ts'
export type { LoadedTraces } from './trace-file.ts'
export type { Trace } from './traces.ts'
export { type CallInput, type CatalogTools, type SearchInput, searchTools, type SearchToolsOptions } from './search-tools.ts'
export type { TextVectors } from './word-vectors.ts'
export { policyGate, type PolicyGateOptions, type PolicyRule } from './policy-gate.ts'
export { hybrid, learned, modelDriven, policyGated, ruleBased, type SelectionRule, type Strategy } from './strategies.ts'
export { activeTools, type ActiveToolsOptions, type PreparedStep } from './active-tools.ts'
