export { type AddOptions, Catalog, catalog, type CatalogOptions, type SelectedTool, type Selection, type SelectOptions } from './catalog.ts'
export type { Trace } from './traces.ts'
export { type CatalogTools, searchTools, type SearchToolsOptions } from './search-tools.ts'
export type { TextVectors } from './word-vectors.ts'
