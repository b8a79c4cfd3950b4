import { optionNames } from '../tool/option-names.ts'
import type { AddOptions, CatalogOptions, SelectOptions, Viewer } from './selection.ts'
import type { ForgottenTraces } from './trace-store.ts'
import type { ListenOptions } from './trace-of-event.ts'

/** The names of the options of a catalog and of its methods, for messages about misspelt ones. */
export const MADE_OF = optionNames<CatalogOptions & AddOptions>({
  vectors: true,
  countTokens: true,
  threshold: true,
  onGap: true,
  categoriesFrom: true,
  store: true,
  index: true,
  server: true,
})
export const VIEWER = optionNames<Viewer>({ principal: true, allows: true })
export const ADD = optionNames<AddOptions>({ server: true })
export const FORGET = optionNames<ForgottenTraces>({ principal: true, tool: true })
export const LISTEN = optionNames<ListenOptions>({ textOf: true })
export const SELECT = optionNames<SelectOptions>({ k: true, principal: true, tokens: true, allows: true })
