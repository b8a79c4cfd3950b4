import type { Listener } from '../tool/event.ts'
import type { RunJournal } from './run-journal.ts'

/** Writes down how far long steps say they are, for whoever follows the run. */
export function progressEvents(journal: RunJournal): Listener {
  return (event) => {
    if (event.type !== 'call.progressed') return
    const { message, progress, total } = event
    journal.tell('progress', {
      path: event.call.path,
      tool: event.call.tool,
      ...(message === undefined ? {} : { message }),
      ...(progress === undefined ? {} : { progress }),
      ...(total === undefined ? {} : { total }),
    })
  }
}
