import { allRules, type DeciderRule } from '../tool/deciders.ts'
import { printable } from '../tool/printable.ts'
import type { ReviewRequest } from '../tool/review.ts'

const MOST_NAMES = 10

/**
 * Who must decide a request, where the word of anybody is not enough: `Needs 2 approvals, each of another person.` Empty where it is. A form, a
 * conversation or a state must say it: there, one who approves may take it for the decision.
 */
export function neededVotes({ kind, deciders }: Pick<ReviewRequest, 'kind' | 'deciders'>): string {
  return allRules(deciders)
    .map((rule) => ruleText(rule, kind === 'question' ? ['answer', 'equal answers'] : ['approval', 'approvals']))
    .join(' ')
}

function ruleText({ count, of, permissions, excludeRequester = false }: DeciderRule, [one, several]: readonly [string, string]): string {
  const how = count === 1 ? `the ${one} of a person whom the program knows` : `${count} ${several}, each of another person`
  return `Needs ${how}${peopleText(of, permissions)}${excludeRequester ? ', and not of the one who called it' : ''}.`
}

function peopleText(of: DeciderRule['of'], permissions: DeciderRule['permissions']): string {
  if (typeof of === 'string') return ` who holds '${printable(of)}'`
  if (of !== undefined) {
    const names = of.slice(0, MOST_NAMES).map((each) => printable(each))
    return `: ${names.join(', ')}${of.length > MOST_NAMES ? ` and ${of.length - MOST_NAMES} others` : ''}`
  }
  return permissions === undefined ? '' : ` who holds ${permissions.map((each) => `'${printable(each)}'`).join(' or ')}`
}

/** The same, and what a word means that names nobody, as in a form; empty where the word of anybody is enough. `here` is the place: `this form`. */
export function namelessVotes(request: Pick<ReviewRequest, 'kind' | 'deciders'>, here: string): string {
  const needed = neededVotes(request)
  if (needed === '') return ''
  const what = request.kind === 'question' ? 'An answer' : 'An approval or an edit'
  return `${needed} ${what} in ${here} names nobody, and is no vote: nothing runs by it, and the answer says what is missing. They vote in the inbox. A rejection counts.`
}
