import { shellWord } from './shell-word.ts'

/** The word of a person on a step whose outcome is not known. */
export type OutcomeWord =
  /** It took effect, with this value. */
  | { readonly happened: true; readonly value?: unknown }
  /** It did not, and runs again. */
  | { readonly happened: false }

/** The mark of the request: `order/pay:outcome`, then `order/pay:outcome.2`. */
export function outcomeLabel(attempt: number): string {
  return attempt === 1 ? 'outcome' : `outcome.${attempt}`
}

/** The path of the step that a request asks about. */
export function settledStep(requestPath: string): string {
  return requestPath.replace(/:outcome(\.\d+)?$/, '')
}

/** How a person answers the question on the command line, after `toolwright`. `by` is the flag with their name, where it matters. */
export function settleWords(run: string, requestPath: string, by = ''): string {
  return `settle ${run} ${shellWord(settledStep(requestPath))}${by} --happened '<json>' (or --not-happened)`
}
