import type { RunEvent } from 'toolwright'

/** Gives every worker a name, in the order in which they are met. */
export class WorkerNames {
  readonly #names = new Map<string, string>()

  of(id: string): string {
    const name = this.#names.get(id) ?? `worker ${this.#names.size + 1}`
    this.#names.set(id, name)
    return name
  }
}

/** What happened in a run: when, by whom, what. */
export function eventLog(events: readonly RunEvent[], workers: WorkerNames): string {
  const start = events[0]?.at ?? 0
  let who = ''
  const lines = events.flatMap((event, index) => {
    if (event.type === 'status') who = event.worker === undefined ? '' : workers.of(event.worker)
    const what = told(event, events[index + 1])
    return what === undefined ? [] : `  ${((event.at - start) / 1000).toFixed(2).padStart(6)} s  ${who.padEnd(10)}${what}`.trimEnd()
  })
  return lines.join('\n')
}

/** A step that is done is told once; one whose end did not follow is told twice. */
function told(event: RunEvent, next: RunEvent | undefined): string | undefined {
  switch (event.type) {
    case 'status':
      return event.status === 'running' ? 'takes the run' : `the run is ${event.status}`
    case 'step.started':
      return next?.type === 'step.finished' && next.path === event.path ? undefined : `▸ ${stepOf(event.path)} begins`
    case 'step.finished':
      return event.ok ? `✓ ${stepOf(event.path)}` : `✗ ${stepOf(event.path)}: ${event.message ?? ''}`
    case 'review.requested':
      return `? ${event.request.why}`
    case 'review.decided':
      return `! ${event.decision.by ?? 'somebody'}: ${event.decision.action}`
    case 'sleeping':
    case 'progress':
      return undefined
  }
}

function stepOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
