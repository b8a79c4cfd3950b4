import type { InboxItem } from '../review/inbox.ts'
import { settledStep } from '../tool/outcome-question.ts'
import type { ToolSources } from './workspace.ts'
import { shortId } from './match-id.ts'
import type { DatabaseFlags } from './open-database.ts'

/** The flags of this command that say where the tools and the database are. */
export type Whereabouts = Pick<ToolSources, 'config'> & DatabaseFlags

/** The next command that a person can type, with the flags that it needs to find the same database. The address of one may hold a password. */
export function followUp(words: string, { config, databaseUrl, home, app }: Whereabouts): string {
  const flags = [
    ...(config === undefined ? [] : [`--config ${quoted(config)}`]),
    ...(databaseUrl === undefined ? [] : ['--database-url <url>']),
    ...(home === undefined ? [] : [`--home ${quoted(home)}`]),
    ...(app === undefined ? [] : [`--app ${quoted(app)}`]),
  ]
  return ['toolwright', words, ...flags].join(' ')
}

/** The command that approves or answers an open request. */
export function approveCommand({ request, run, ballot }: InboxItem, where: Whereabouts): string {
  const { id, kind, about, path, deciders } = request
  if (about === 'outcome' && run !== undefined)
    return followUp(`settle ${shortId(run)} ${quoted(settledStep(path))} --happened <json>, or --not-happened`, where)
  const words = [
    `approve ${shortId(id)}`,
    ...(kind === 'question' ? ['--answer <json>'] : []),
    ...(deciders === undefined ? [] : ['--by <name>']),
    ...(ballot === undefined || ballot.edition === 0 ? [] : [`--edition ${ballot.edition}`]),
  ]
  return followUp(words.join(' '), where)
}

function quoted(word: string): string {
  return /^[\w./@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
