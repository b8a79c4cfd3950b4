import { textOf } from '../tool/result/text-of.ts'
import type { ReviewDecision } from '../tool/review.ts'

/** The answer, the changed input and the words of a person who decided, as one text; empty if there are none. */
export function givenText(decision: ReviewDecision): string {
  const words = 'reason' in decision && decision.reason !== undefined ? decision.reason : decision.note
  return [typedText(decision), words === undefined || words === '' ? undefined : `"${words}"`]
    .filter((each) => each !== undefined)
    .join(' ')
}

function typedText(decision: ReviewDecision): string | undefined {
  if (decision.action === 'answer') return textOf(decision.value)
  if (decision.action !== 'edit') return undefined
  return 'patch' in decision ? `the patch ${textOf(decision.patch)}` : textOf(decision.input)
}
