import { quote } from '../schema/quote.ts'
import { wrongOption } from '../tool/errors/wrong-option.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import type { AddOptions, CatalogOptions, SelectOptions, Viewer } from './selection.ts'
import type { ForgottenTraces } from './trace-store.ts'
import type { ListenOptions } from './trace-of-event.ts'

/** The names of the options of a catalog and of its methods, for messages about misspelt ones. */
const MADE_OF = optionNames<CatalogOptions & AddOptions>({
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

/** Checks the options that a catalog is made of. A threshold that is no number would let every tool fit. */
export function checkMade(options: CatalogOptions & AddOptions): void {
  checkOptionNames(options, MADE_OF, 'The options of a catalog')
  const { threshold = 0, categoriesFrom = 0 } = options
  if (typeof threshold !== 'number' || !(threshold >= 0 && threshold <= 1))
    throw wrongOption('threshold', 'a catalog', `a number from 0 to 1, not ${quote(threshold)}`)
  if (typeof categoriesFrom !== 'number' || !(categoriesFrom >= 0))
    throw wrongOption('categoriesFrom', 'a catalog', `a number from 0 up, not ${quote(categoriesFrom)}`)
}
