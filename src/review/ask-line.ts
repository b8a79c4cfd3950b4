import type { ReviewWait } from '../tool/review.ts'
import { inRows } from './in-rows.ts'
import { pause } from './pause.ts'

/** The part of a readable stream that a console review uses. It is declared here, so that users need no types of Node. */
export interface ReviewInput {
  readonly readable: boolean
  readonly readableFlowing: boolean | null
  /** A terminal, where a person types. */
  readonly isTTY?: boolean | undefined
  on(event: string, listener: (chunk: unknown) => void): this
  off(event: string, listener: (chunk: unknown) => void): this
  pause(): this
  resume(): this
  unshift(chunk: string | Uint8Array): void
}

/** The same of a stream to write to. */
export interface ReviewOutput {
  readonly writable: boolean
  /** The width of a terminal; 80 where it is not known. */
  readonly columns?: number | undefined
  on(event: string, listener: () => void): this
  off(event: string, listener: () => void): this
  write(text: string): unknown
}

/** Where one person is asked. */
export interface Terminal {
  readonly input: ReviewInput
  readonly output: ReviewOutput
  /** Aborted when the question is withdrawn. */
  readonly signal: AbortSignal
}

const LINE_END = 0x0a
const LONGEST_LINE = 1024 * 1024

/**
 * Shows a prompt and reads one line. Undefined when nobody can answer any more: a stream has ended, closed or failed, or the line has no end.
 * Text behind the line goes back to the stream, which is paused again, so that it does not keep the process alive.
 */
export function askLine({ input, output, signal }: Terminal, prompt: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason as Error)
      return
    }
    if (!input.readable || !output.writable) {
      resolve(undefined)
      return
    }
    const sharesInput = input.readableFlowing === true
    let givesText = false
    let read = Buffer.alloc(0)

    /** A terminal shows the line that is typed, and its end. Else nothing has ended the row of the prompt, and what comes next would stand in it. */
    const endRow = (): void => {
      if (output.writable) output.write('\n')
    }
    const onData = (chunk: unknown): void => {
      givesText = !(chunk instanceof Uint8Array)
      const bytes = chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk))
      const endInChunk = bytes.indexOf(LINE_END)
      const end = read.length + endInChunk
      read = Buffer.concat([read, bytes])
      if (endInChunk !== -1) {
        release(read.subarray(end + 1))
        if (input.isTTY !== true) endRow()
        resolve(read.subarray(0, end).toString('utf8').replace(/\r$/, ''))
      } else if (read.length > LONGEST_LINE) {
        release()
        resolve(undefined)
      }
    }
    const onGone = (): void => {
      release()
      endRow()
      resolve(undefined)
    }
    const onAbort = (): void => {
      // The beginning of a line was meant for this request, and must not become part of an answer to the next.
      release()
      reject(signal.reason as Error)
    }
    /** Others who read the same stream have had the rest already, and must not find it paused. */
    const release = (rest?: Buffer): void => {
      input.off('data', onData).off('end', onGone).off('close', onGone).off('error', onGone)
      output.off('close', onGone).off('error', onGone)
      signal.removeEventListener('abort', onAbort)
      if (sharesInput) return
      input.pause()
      if (rest !== undefined && rest.length > 0) input.unshift(givesText ? rest.toString('utf8') : rest)
    }

    input.on('data', onData).on('end', onGone).on('close', onGone).on('error', onGone)
    output.on('close', onGone).on('error', onGone)
    signal.addEventListener('abort', onAbort, { once: true })
    output.write(inRows(prompt, output.columns))
    input.resume()
  })
}

const TYPED_AHEAD_MS = 50

/** On a terminal, drops what was typed before a prompt is shown: it was meant for something else. A pipe may hold the answers from the start. */
export async function dropTyped({ input }: Terminal, wait: ReviewWait): Promise<void> {
  if (input.isTTY !== true || input.readableFlowing === true || !input.readable) return
  const drop = (): void => {}
  input.on('data', drop).resume()
  try {
    await pause(TYPED_AHEAD_MS, wait)
  } finally {
    input.off('data', drop).pause()
  }
}
