import type { AskOptions } from '../context.ts'
import { askInCode } from '../engine/ask-in-code.ts'
import { noting } from '../engine/fatal.ts'
import { callOf } from './call-of.ts'
import type { Whole } from './whole.ts'

/** `context.ask` with a question that may repeat internals: `outside` is the question without them. */
export function askPersonAbout(whole: Whole, options: AskOptions<unknown>, outside: string): Promise<unknown> {
  const call = callOf(whole)
  return noting(call, askInCode(call, options, outside === options.question ? undefined : outside))
}
