import { quote } from '../../../schema/quote.ts'
import type { FromJsonSchema } from '../../../schema/schema-types.ts'
import type { AgentTool } from '../../../tool/agent-tool.ts'
import { type ApprovalOptions, approvalRule, type RequireApproval } from '../../../tool/approval-rule.ts'
import { checkChoice } from '../../../tool/check-given.ts'
import { ConfigurationError } from '../../../tool/errors/configuration-error.ts'
import { ToolError } from '../../../tool/errors/tool-error.ts'
import { type ReturnedSuccess, success } from '../../../tool/result/returned.ts'
import { tool } from '../../../tool/tool.ts'
import { appendFile } from './append-file.ts'
import { byteLimit } from './byte-limit.ts'
import { counted } from './counted.ts'
import { explainFailure, shownPath } from '../../../files/explain-failure.ts'
import { hashOfBytes, type Interruptible } from './file-bytes.ts'
import { ABSENT, changed, exists, stateOf } from './file-state.ts'
import { pinned } from './pinned.ts'
import { replaceFile, type Writing } from './replace-file.ts'
import { RootedFolder } from '../../../files/rooted-folder.ts'
import { writePreview } from './write-preview.ts'
import { MODES, WRITE_OUTPUT, writeInput, type WriteMode, type WriteRequest } from './write-request.ts'
import { checkOptionNames, optionNames } from '../../../tool/option-names.ts'

/** The input of `file_write`. */
export type FileWriteInput = FromJsonSchema<ReturnType<typeof writeInput>>
/** The output of `file_write`. */
export type FileWritten = FromJsonSchema<typeof WRITE_OUTPUT, 'output'>

/** The options of `fileWrite`. */
export interface FileWriteOptions {
  /** The folder that the tool is confined to. */
  readonly root: string
  /** A person sees the change as a diff before it is made: always, or when the predicate says so. */
  readonly requireApproval?: RequireApproval<WriteRequest> | undefined
  /** The largest number of bytes that one call writes; 1 MB by default. */
  readonly maxBytes?: number | undefined
  /** The allowed modes; the first is the default of a call. By default `create`, `overwrite` and `append`. Without `append`, a repeated call does no harm. */
  readonly modes?: readonly WriteMode[] | undefined
  /** Whether missing folders on the way are made where a call does not say; false by default. They are made under the root only. */
  readonly parents?: boolean | undefined
}

const NAMES = optionNames<FileWriteOptions>({ root: true, requireApproval: true, maxBytes: true, modes: true, parents: true })

const DEFAULT_MOST = 1024 * 1024

/**
 * Makes the tool `file_write`, by which an agent creates, replaces and extends files under one folder. No path leads out of the folder, and a file is replaced at one stroke.
 * @example
 * const careful = fileWrite({ root: '.', requireApproval: ({ mode }) => mode !== 'create' })
 */
export function fileWrite(options: FileWriteOptions): AgentTool<FileWriteInput, FileWritten> {
  checkOptionNames(options, NAMES, 'The options of fileWrite')
  return fileWriteIn(new RootedFolder(options.root), options)
}

/** The same for a root that is there already. */
export function fileWriteIn(
  root: RootedFolder,
  { requireApproval, maxBytes, modes = MODES, parents = false }: Omit<FileWriteOptions, 'root'>,
): AgentTool<FileWriteInput, FileWritten> {
  const most = byteLimit(maxBytes, DEFAULT_MOST, 'fileWrite')
  checkModes(modes)
  if (typeof parents !== 'boolean')
    throw new ConfigurationError('invalid_option', `'parents' of fileWrite must be true or false, not ${quote(parents)}.`)
  const approval = approvalWithPreview(root, requireApproval)
  const writer = tool({
    name: 'file_write',
    description:
      'Writes a text to a file: makes a new one, replaces one, or adds to its end. Use it to save a result or to change a file. It fails rather than replace a file unless mode says so.',
    inputSchema: writeInput(modes, parents),
    outputSchema: WRITE_OUTPUT,
    effect: 'write',
    idempotent: !modes.includes('append'),
    tags: ['files'],
    estimates: { latencyMs: 5, p99Ms: 100, costUsd: 0, reliability: 0.99 },
    requireApproval: approval,
    async execute(request, { signal, random }) {
      const bytes = writtenBytes(request, most)
      try {
        return await write(root, request, { bytes, ifHash: request.ifHash, signal, random })
      } catch (error) {
        throw explainFailure(error, request.path, 'write')
      }
    },
  })
  if (approval === undefined) return writer
  const { when = true } = approval
  return pinned(writer, {
    needsApproval: typeof when === 'function' ? when : () => when,
    rehearse: async (request, signal) => {
      writtenBytes(request, most)
      try {
        return await rehearseWrite(root, request, signal)
      } catch (error) {
        throw explainFailure(error, request.path, 'write')
      }
    },
  })
}

async function write(root: RootedFolder, request: WriteRequest, writing: Writing): Promise<ReturnedSuccess<FileWritten>> {
  const { mode, encoding, parents } = request
  const { bytes } = writing
  const place = parents ? root.make(request.path) : root.find(request.path)
  if (place === undefined) throw noFolder(request.path)
  try {
    const created =
      mode === 'append'
        ? await appendFile(place, { ...writing, isText: encoding === 'utf8' })
        : await replaceFile(place, writing, mode === 'create')
    const { path } = place
    const isWhole = created || mode === 'overwrite'
    const done = created ? 'Created' : isWhole ? 'Replaced' : 'Appended to'
    return success(
      { path, bytes: bytes.length, created, ...(isWhole ? { hash: hashOfBytes(bytes) } : {}) },
      { text: `${done} ${shownPath(path)}: ${counted(bytes.length, 'byte')} written.` },
    )
  } finally {
    place.close()
  }
}

/** The reviewer reads the reason of the author of the tool, then the change. */
function approvalWithPreview(
  root: RootedFolder,
  given: RequireApproval<WriteRequest> | undefined,
): ApprovalOptions<WriteRequest> | undefined {
  if (given === undefined || approvalRule(given, 'file_write') === undefined) return undefined
  const options: ApprovalOptions<WriteRequest> = typeof given === 'object' ? given : { when: given }
  const { why } = options
  return {
    ...options,
    why: (request) => {
      const own = typeof why === 'function' ? why(request) : why
      const preview = writePreview(root, request)
      return own === undefined ? preview : `${own}\n${preview}`
    },
  }
}

function checkModes(modes: unknown): void {
  if (!Array.isArray(modes) || modes.length === 0)
    throw new ConfigurationError('invalid_option', `'modes' of fileWrite must be a list of at least one mode, not ${quote(modes)}.`)
  for (const mode of modes) checkChoice(mode, MODES, "A mode in 'modes' of fileWrite")
}

interface GivenContent {
  readonly content: string
  readonly encoding: 'utf8' | 'base64'
}

/** The content as bytes. Content that cannot be encoded exactly is refused. */
function writtenBytes({ content, encoding }: GivenContent, most: number): Buffer {
  if (encoding === 'utf8' && !content.isWellFormed()) throw invalid('The content holds half of a surrogate pair, which UTF-8 cannot write.')
  if (encoding === 'base64' && !isBase64(content)) throw invalid('The content is not base64.')
  const bytes = Buffer.from(content, encoding)
  if (bytes.length <= most) return bytes
  throw invalid(
    `The content has ${bytes.length} bytes, and at most ${most} may be written at once.`,
    'Write it in several calls, with append.',
  )
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}

function invalid(message: string, hint?: string): ToolError {
  return new ToolError(message, { code: 'invalid_input', outcome: 'not_started', ...(hint === undefined ? {} : { hint }) })
}

/** Looks whether a write could succeed and gives the hash of the file that it starts from; what could not is thrown. Changes nothing. */
async function rehearseWrite(root: RootedFolder, request: WriteRequest, signal: Interruptible): Promise<string> {
  const { path, mode, parents, ifHash } = request
  const place = root.find(path)
  if (place === undefined && !parents) throw noFolder(path)
  let hash = ABSENT
  try {
    if (place !== undefined) hash = (await stateOf(place, signal)).hash
  } finally {
    place?.close()
  }
  if (mode === 'create' && hash !== ABSENT) throw exists(path)
  if (ifHash !== undefined && ifHash !== hash) throw changed(path, ifHash, hash)
  return hash
}

function noFolder(path: string): ToolError {
  return new ToolError(`Cannot write ${shownPath(path)}: a folder on the way to it does not exist.`, {
    code: 'not_found',
    outcome: 'not_started',
    hint: 'Correct the path, or say parents: true to make the folders.',
  })
}
