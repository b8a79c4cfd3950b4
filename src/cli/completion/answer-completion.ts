import { realpathSync } from 'node:fs'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { writeNow } from '../guard-output.ts'
import { type Candidate, type Completion, completeWords } from './complete-words.ts'

/** A person waits for the answer. */
const USUAL_MS = 1500

/** A line that tells the script to complete names of files. */
const FILES_LINE = ':files'

/**
 * Prints the words that may stand at the cursor, one a line, each with its description behind a tab. Names of tools, runs and requests are
 * looked up in a thread, and only as long as a person waits: a configuration that hangs, fails or ends its process costs the names alone.
 */
export async function answerCompletion(words: readonly string[]): Promise<void> {
  if (!isMainThread) return lookUpInThread()
  try {
    const completion = completeWords(words)
    const names = completion.wanted === undefined ? [] : await namesInTime(completion, words)
    writeNow(1, answerText(completion, names))
  } catch {
    // Nobody reads an error in the middle of a line.
  }
  process.exit(0)
}

function answerText({ candidates, isFile = false, before, typed }: Completion, names: readonly Candidate[]): string {
  const fitting = [...candidates, ...names].filter(({ word }) => word.startsWith(typed) && isPlain(word))
  const lines = fitting.map(({ word, about = '' }) => `${before}${word}\t${oneLine(about)}\n`)
  return `${lines.join('')}${isFile ? `${FILES_LINE}\n` : ''}`
}

/** A name with other characters could not be typed, or would change the terminal. */
function isPlain(word: string): boolean {
  return /^[\w./:@+=-]+$/.test(word)
}

function oneLine(about: string): string {
  return about.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').slice(0, 100)
}

function namesInTime(completion: Completion, words: readonly string[]): Promise<readonly Candidate[]> {
  const { promise, resolve } = Promise.withResolvers<readonly Candidate[]>()
  // This very program, as a thread: its output is not that of the answer.
  const worker = new Worker(realpathSync(process.argv[1] ?? ''), {
    argv: ['__complete', ...words],
    workerData: completion,
    stdin: true,
    stdout: true,
    stderr: true,
  })
  worker.once('message', resolve)
  worker.once('error', () => resolve([]))
  worker.once('exit', () => resolve([]))
  setTimeout(() => resolve([]), patience())
  return promise
}

function patience(): number {
  const given = Number(process.env['TOOLWRIGHT_COMPLETION_MS'])
  return Number.isInteger(given) && given > 0 && given <= 60_000 ? given : USUAL_MS
}

async function lookUpInThread(): Promise<void> {
  const { lookUpNames } = await import('./look-up-names.ts')
  const names = await lookUpNames(workerData as Completion).catch(() => [])
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort?.postMessage(names)
}
