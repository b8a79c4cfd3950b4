import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import type { ProviderOptions } from './messages.ts'

/** Passed to the model as they are. */
export interface ModelSettings {
  readonly maxOutputTokens?: number | undefined
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  readonly seed?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly providerOptions?: ProviderOptions | undefined
}

const NAMES = optionNames<ModelSettings>({
  maxOutputTokens: true,
  temperature: true,
  topP: true,
  seed: true,
  headers: true,
  providerOptions: true,
})

export function checkSettings(settings: ModelSettings, whose: string): void {
  checkOptionNames(settings, NAMES, `The settings of ${whose}`)
}
