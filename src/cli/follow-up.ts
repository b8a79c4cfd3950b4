import type { InboxItem } from '../review/inbox.ts'
import { appFlag, approveWords } from '../runtime/approve-words.ts'
import { settleWords } from '../tool/outcome-question.ts'
import { shellWord } from '../tool/shell-word.ts'
import type { ToolSources } from './workspace.ts'
import { shortId } from './match-id.ts'
import type { DatabaseFlags } from './open-database.ts'

/** The flags of this command that say where the tools and the database are. */
export type Whereabouts = Pick<ToolSources, 'config'> & DatabaseFlags

/** The next command that a person can type, with the flags that it needs to find the same database. The address of one may hold a password. */
export function followUp(words: string, { config, databaseUrl, home, app }: Whereabouts): string {
  const flags = [
    ...(config === undefined ? [] : [`--config ${shellWord(config)}`]),
    ...(databaseUrl === undefined ? [] : ['--database-url <url>']),
    ...(home === undefined ? [] : [`--home ${shellWord(home)}`]),
    ...(app === undefined ? [] : [appFlag(app)]),
  ]
  return ['toolwright', words, ...flags].join(' ')
}

/** The command that approves or answers an open request. */
export function approveCommand(item: InboxItem, where: Whereabouts): string {
  const { id, about, path } = item.request
  if (about === 'outcome' && item.run !== undefined) return followUp(settleWords(shortId(item.run), path), where)
  return followUp(approveWords(item, shortId(id)), where)
}
