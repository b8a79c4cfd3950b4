import { frozen } from '../schema/frozen.ts'
import { privateCopy } from '../schema/private-copy.ts'
import type { ReviewRequest } from '../tool/review.ts'
import { KnownSecrets } from '../tool/secrets/known-secrets.ts'
import { applyChange } from '../tool/secrets/unmask.ts'
import { reviewView } from '../tool/secrets/review-view.ts'
import { NotShowable } from '../tool/secrets/walk.ts'
import type { InputChange } from './inbox.ts'
import { InboxError } from './inbox-error.ts'

/** The input after an edit, as far as the request shows it. Fields that nobody has changed stay masked: the tool has their values. */
export function editionInput({ input }: Pick<ReviewRequest, 'input'>, edit: InputChange | undefined): unknown {
  return edit === undefined ? input : applyChange(edit, { original: input, shown: input })
}

/** An edit of an edited input, as one change of the original. A field that the second edit leaves masked keeps the value of the first. */
export function nextEdit(request: ReviewRequest, before: InputChange | undefined, change: InputChange): InputChange {
  if (before === undefined) return change
  return { input: applyChange(change, { original: editionInput(request, before), shown: shownEdition(request, before) }) }
}

/** The input of an edition for those who vote on it, masked like the input of the request. */
export function shownEdition(request: ReviewRequest, edit: InputChange): unknown {
  try {
    return frozen(privateCopy(reviewView(editionInput(request, edit), request.inputSchema ?? {}, new KnownSecrets())))
  } catch (error) {
    if (!(error instanceof NotShowable)) throw error
    throw new InboxError(
      'invalid_answer',
      `The edit of request '${request.id}', which stays open, cannot be shown completely to those who must approve it: ${error.message}.`,
    )
  }
}
