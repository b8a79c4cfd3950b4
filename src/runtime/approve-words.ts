import type { InboxItem } from '../review/inbox.ts'
import { shellWord } from '../tool/shell-word.ts'

/** The words after `toolwright` that approve or answer a request. A decider whose name matters must give it, and name the edition of the input that they approve. */
export function approveWords({ request: { kind, deciders }, ballot }: Pick<InboxItem, 'request' | 'ballot'>, id: string): string {
  return [
    `approve ${id}`,
    ...(kind === 'question' ? ["--answer '<json>'"] : []),
    ...(ballot === undefined || ballot.edition === 0 ? [] : [`--edition ${ballot.edition}`]),
    ...(deciders === undefined ? [] : ["--by '<name>'"]),
  ].join(' ')
}

/** The flag with which a command finds the runs of an app. */
export function appFlag(app: string): string {
  return `--app ${shellWord(app)}`
}
