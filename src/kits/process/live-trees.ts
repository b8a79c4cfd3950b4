import type { ProcessTree } from './process-tree.ts'

/** By these, a program ends without the event `exit`. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const live = new Set<ProcessTree>()
let isStarting = false

/** Starts a tree. A signal that comes meanwhile is heard when the tree is known, and does not end this process alone. */
export function startedUnderWatch(start: () => void): void {
  if (live.size === 0) listen()
  isStarting = true
  try {
    start()
  } finally {
    isStarting = false
    if (live.size === 0) stopListening()
  }
}

/** From now on, the tree ends with this process. Call what is returned when the tree has ended. */
export function endsWithThisProcess(tree: ProcessTree): () => void {
  if (live.size === 0 && !isStarting) listen()
  live.add(tree)
  return () => {
    if (live.delete(tree) && live.size === 0 && !isStarting) stopListening()
  }
}

function listen(): void {
  process.on('exit', endAll)
  for (const name of SIGNALS) process.on(name, endAllAt)
}

function stopListening(): void {
  process.off('exit', endAll)
  for (const name of SIGNALS) process.off(name, endAllAt)
}

function endAll(): void {
  for (const tree of live) tree.end()
}

/** If nobody else listens, the signal means what it always means: the end of this process. */
function endAllAt(name: NodeJS.Signals): void {
  endAll()
  if (process.listenerCount(name) > 1) return
  stopListening()
  process.kill(process.pid, name)
}
