import { fitted, oneLine } from '../telemetry/one-line.ts'
import { durationText } from '../tool/duration-text.ts'
import type { CallProgressed, Observer, ToolEvent } from '../tool/event.ts'
import type { Output } from './output.ts'

/** Shows what a call is doing while it does it. */
export interface ProgressDisplay extends Observer {
  /** Removes the display at the end of the call. */
  readonly end: () => void
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const REDRAW_MS = 100
const CLEAR = '\r\u001B[2K'

/** One line of a terminal that is overwritten. */
export interface LiveLine {
  readonly say: (text: string) => void
  /** With 1, hides the line; each needs a later -1. */
  readonly makeRoom: (change: 1 | -1) => void
  readonly end: () => void
}

export function liveLine(output: Output): LiveLine {
  const start = performance.now()
  let said = ''
  let frame = 0
  let asking = 0
  let shown = false
  const hide = (): void => {
    if (shown) process.stderr.write(CLEAR)
    shown = false
  }
  const draw = (): void => {
    if (asking > 0) return
    const text = fitted(`  ${said} (${durationText(performance.now() - start)})`, (process.stderr.columns || 80) - 2).trimEnd()
    process.stderr.write(`${CLEAR}${output.paintNote('cyan', FRAMES[frame++ % FRAMES.length] ?? '')}${text.slice(1)}`)
    shown = true
  }
  const timer = setInterval(draw, REDRAW_MS).unref()
  return {
    say: (text) => {
      said = oneLine(text)
    },
    makeRoom: (change) => {
      asking += change
      hide()
    },
    end: () => {
      clearInterval(timer)
      hide()
    },
  }
}

/** One live line for a call. It makes room while a person is asked. */
export function liveProgress(output: Output): ProgressDisplay {
  const line = liveLine(output)
  return {
    onEvent: (event) => {
      if (event.type === 'review.requested') line.makeRoom(1)
      else if (event.type === 'review.decided') line.makeRoom(-1)
      else {
        const text = eventText(event)
        if (text !== undefined) line.say(text)
      }
    },
    end: line.end,
  }
}

/** A line for every report, for logs. */
export function plainProgress(output: Output): ProgressDisplay {
  return {
    onEvent: (event) => {
      const text = event.type === 'call.progressed' ? eventText(event) : undefined
      if (text !== undefined) output.note(text)
    },
    end: () => {},
  }
}

function eventText(event: ToolEvent): string | undefined {
  if (event.type === 'call.started') return oneLine(event.call.path)
  return event.type === 'call.progressed' ? oneLine([event.call.path, ...reportOf(event)].join(': ')) : undefined
}

export function reportOf({ message, progress, total }: Pick<CallProgressed, 'message' | 'progress' | 'total'>): readonly string[] {
  const share = progress === undefined ? undefined : total === undefined ? String(progress) : `${progress} of ${total}`
  return [...(share === undefined ? [] : [share]), ...(message === undefined ? [] : [message])]
}
