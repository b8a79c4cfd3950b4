import type { RunEvent } from '../run/view/run-events.ts'
import type { RunHandle } from '../run/run-handle.ts'
import { printable } from '../tool/printable.ts'
import { shortId } from './match-id.ts'
import type { Output } from './output.ts'
import { liveLine, type LiveLine, reportOf } from './progress-display.ts'

export interface Following {
  readonly output: Output
  /** Every step and report is a line of its own. */
  readonly asLines: boolean
  readonly signal: AbortSignal
}

/** Tells what a run does while it does it, until it has ended or the signal is aborted. On a terminal, in one line that is written over. */
export async function followRun(run: RunHandle, { output, asLines, signal }: Following): Promise<void> {
  const line = process.stderr.isTTY && !asLines ? liveLine(output) : undefined
  try {
    for await (const event of run.events({ signal })) tell(event, { output, asLines, line })
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    line?.end()
  }
}

interface Telling {
  readonly output: Output
  readonly asLines: boolean
  readonly line: LiveLine | undefined
}

function tell(event: RunEvent, { output, asLines, line }: Telling): void {
  const text = textOf(event)
  if (text === undefined) return
  if (asLines) output.note(printable(text))
  else if (event.type === 'review.requested') {
    line?.makeRoom(1)
    output.note(output.paintNote('yellow', printable(text)))
    line?.makeRoom(-1)
  } else line?.say(text)
}

function textOf(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'status':
      return event.why === undefined ? event.status : `${event.status}: ${event.why.message}`
    case 'step.started':
      return event.path
    case 'step.finished':
      return event.ok ? `${event.path}: done` : `${event.path}: failed: ${event.message ?? ''}`
    case 'progress':
      return [event.path, ...reportOf(event)].join(': ')
    case 'sleeping':
      return `${event.path}: until ${new Date(event.until).toISOString()}`
    case 'review.requested': {
      const { id, kind, tool, why } = event.request
      const how = kind === 'question' ? `toolwright approve ${shortId(id)} --answer <json>` : `toolwright approve ${shortId(id)}`
      return `${tool} waits for a person: ${why} (${how})`
    }
    case 'review.decided':
      return `${event.path}: ${event.decision.action}${event.decision.by === undefined ? '' : ` by ${event.decision.by}`}`
  }
}
