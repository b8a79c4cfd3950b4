import { existsSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { excerpt } from '../../../schema/quote.ts'
import { durationText } from '../../../tool/duration-text.ts'
import { ConfigurationError } from '../../../tool/errors/configuration-error.ts'
import { ToolError } from '../../../tool/errors/tool-error.ts'
import type { PageWorkerAnswer } from './page-worker.ts'
import type { DocumentToRead, ReadDocument } from './read-document.ts'

/** How much a document may need to be read. */
export interface ReadLimits {
  readonly timeoutMs: number
  readonly memoryMb: number
  readonly signal: AbortSignal
  /** The file of the worker, where it does not lie beside this one. */
  readonly worker: string | URL | undefined
}

/**
 * Reads a document in a thread of its own, which is ended when it takes too long or needs too much memory: a page is written by strangers, and
 * parsers can be kept busy for hours.
 */
export async function readInWorker(
  document: DocumentToRead,
  { timeoutMs, memoryMb, signal, worker: file }: ReadLimits,
): Promise<ReadDocument> {
  signal.throwIfAborted()
  const worker = new Worker(file ?? workerFile(), {
    workerData: document,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 },
    env: {},
    // Nothing of a page may reach the output of the program.
    stdin: false,
    stdout: true,
    stderr: true,
  })
  let timer: NodeJS.Timeout | undefined
  let stop: (() => void) | undefined
  try {
    const answer = await new Promise<PageWorkerAnswer>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', (error) => reject(workerFailure(error, memoryMb)))
      worker.once('exit', () => reject(unreadable('its reader ended without an answer')))
      timer = setTimeout(() => reject(unreadable(`it took longer than ${durationText(timeoutMs)}`)), timeoutMs)
      stop = () => reject(signal.reason as Error)
      signal.addEventListener('abort', stop, { once: true })
    })
    if ('document' in answer) return answer.document
    if (answer.missing !== undefined) throw new ConfigurationError('missing_package', answer.missing)
    throw unreadable(excerpt(answer.problem, 200))
  } finally {
    clearTimeout(timer)
    if (stop !== undefined) signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}

/** Beside this file in the sources; in the published package this code may lie in a chunk. */
function workerFile(): string {
  const here = fileURLToPath(import.meta.url)
  const name = `page-worker${extname(here)}`
  const places = [join(dirname(here), name), join(dirname(here), 'scrape', name), join(dirname(here), '..', 'kits', 'web', 'scrape', name)]
  const found = places.find((place) => existsSync(place))
  if (found !== undefined) return found
  throw new ConfigurationError(
    'invalid_option',
    `The file '${name}' does not lie beside the program, since it was bundled. Add 'toolwright/dist/kits/web/scrape/page-worker.js' as an entry of its own to the bundle, and pass its place as 'worker' to webScrape.`,
  )
}

function workerFailure(error: unknown, memoryMb: number): ToolError {
  const code = (error as NodeJS.ErrnoException).code
  return unreadable(code === 'ERR_WORKER_OUT_OF_MEMORY' ? `it needed more than ${memoryMb} MB` : 'its reader failed', error)
}

function unreadable(why: string, cause?: unknown): ToolError {
  return new ToolError(`The document could not be read: ${why}.`, {
    code: 'unreadable_page',
    outcome: 'failed',
    ...(cause === undefined ? {} : { cause }),
  })
}
