import { parentPort, workerData } from 'node:worker_threads'
import { isConfigurationError } from '../../../tool/errors/configuration-error.ts'
import { reasonOf } from '../../../tool/errors/message-of.ts'
import { type DocumentToRead, readDocument, type ReadDocument } from './read-document.ts'

/** The message of the worker: the document, or why it could not be read. */
export type PageWorkerAnswer = { readonly document: ReadDocument } | { readonly problem: string; readonly missing?: string | undefined }

/** The program of the thread that reads one document. Whoever started it ends it. */
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has none
if (parentPort !== null) parentPort.postMessage(await answer(workerData as DocumentToRead))

async function answer(document: DocumentToRead): Promise<PageWorkerAnswer> {
  try {
    return { document: await readDocument(document) }
  } catch (error) {
    if (isConfigurationError(error)) return { problem: error.message, missing: error.message }
    return { problem: reasonOf(error) }
  }
}
