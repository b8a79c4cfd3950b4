import { decidersText } from '../tool/deciders-text.ts'
import type { Inbox } from '../review/inbox.ts'
import type { RunHandle } from '../run/run-handle.ts'
import type { RunEvent } from '../run/view/run-events.ts'
import { printable } from '../tool/printable.ts'
import type { ReviewRequest } from '../tool/review.ts'
import { approveCommand, type Whereabouts } from './follow-up.ts'
import type { Output } from './output.ts'
import { liveLine, type LiveLine, reportOf } from './progress-display.ts'
import { onOneLine } from '../review/on-one-line.ts'

export interface Following {
  readonly output: Output
  /** Where requests are looked up. */
  readonly inbox: Inbox
  readonly where: Whereabouts
  /** Every step and report is a line of its own. */
  readonly asLines: boolean
  readonly signal: AbortSignal
}

/** Prints the events of a run until it has ended or the signal is aborted; on a terminal, in one line that is overwritten. */
export async function followRun(handle: RunHandle, { signal, ...following }: Following): Promise<void> {
  const { output, asLines } = following
  const line = process.stderr.isTTY && !asLines ? liveLine(output) : undefined
  try {
    for await (const event of handle.events({ signal })) await tell(event, { ...following, line })
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    line?.end()
  }
}

interface Telling extends Omit<Following, 'signal'> {
  readonly line: LiveLine | undefined
}

async function tell(event: RunEvent, telling: Telling): Promise<void> {
  const { output, asLines, line } = telling
  const text = event.type === 'review.requested' ? await requestText(event.request, telling) : textOf(event)
  if (text === undefined) return
  if (asLines) output.note(printable(text))
  else if (event.type === 'review.requested') {
    line?.makeRoom(1)
    output.note(output.paintNote('yellow', printable(text)))
    line?.makeRoom(-1)
  } else line?.say(text)
}

/** The events of a run begin with its past: a request that was decided meanwhile waits for nobody. */
async function requestText({ id, tool, why }: ReviewRequest, { inbox, asLines, where }: Telling): Promise<string | undefined> {
  const item = await inbox.get(id)
  if (item?.status === 'open') return `${tool} waits for a person: ${onOneLine(why)} (${approveCommand(item, where)})`
  return asLines ? `${tool} asked a person: ${onOneLine(why)}` : undefined
}

function textOf(event: Exclude<RunEvent, { type: 'review.requested' }>): string | undefined {
  switch (event.type) {
    case 'status':
      return event.why === undefined ? event.status : `${event.status}: ${onOneLine(event.why.message)}`
    case 'step.started':
      return event.path
    case 'step.finished':
      return event.ok ? `${event.path}: done` : `${event.path}: failed: ${event.message ?? ''}`
    case 'progress':
      return [event.path, ...reportOf(event)].join(': ')
    case 'sleeping':
      return `${event.path}: until ${new Date(event.until).toISOString()}`
    case 'review.decided':
      return `${event.path}: ${event.decision.action}${event.decision.by === undefined ? '' : ` by ${decidersText(event.decision)}`}`
  }
}
