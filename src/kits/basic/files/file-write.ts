import { quote } from '../../../schema/quote.ts'
import type { FromJsonSchema } from '../../../schema/schema-types.ts'
import type { AgentTool } from '../../../tool/agent-tool.ts'
import { type ApprovalOptions, approvalRule, type RequireApproval } from '../../../tool/approval-rule.ts'
import { checkChoice, checkOptions } from '../../../tool/check-given.ts'
import { ConfigurationError } from '../../../tool/errors/configuration-error.ts'
import { type ReturnedSuccess, success } from '../../../tool/result/returned.ts'
import { tool } from '../../../tool/tool.ts'
import { counted } from '../counted.ts'
import { appendFile } from './append-file.ts'
import { byteLimit } from './byte-limit.ts'
import { explainFailure } from './explain-failure.ts'
import { hashOfBytes } from './file-bytes.ts'
import { shownPath } from './path-refused.ts'
import { pinned } from './pinned.ts'
import { noFolder, rehearseWrite } from './rehearse-write.ts'
import { replaceFile, type Writing } from './replace-file.ts'
import { RootedFolder } from './rooted-folder.ts'
import { writePreview } from './write-preview.ts'
import type { WriteRequest } from './write-request.ts'
import { MODES, WRITE_OUTPUT, type WriteMode, writeInput } from './write-schema.ts'
import { writtenBytes } from './written-bytes.ts'

export type FileWriteInput = FromJsonSchema<ReturnType<typeof writeInput>>
export type FileWritten = FromJsonSchema<typeof WRITE_OUTPUT, 'output'>

export interface FileWriteOptions {
  /** The folder that the tool is confined to. */
  readonly root: string
  /** A person sees the change as a diff before it is made: always, or when the predicate says so. */
  readonly requireApproval?: RequireApproval<WriteRequest> | undefined
  /** The most that one call writes; 1 MB by default. */
  readonly maxBytes?: number | undefined
  /** What may be done, the first by default; `create`, `overwrite` and `append` where nothing is said. Without `append`, a repeated call does no harm. */
  readonly modes?: readonly WriteMode[] | undefined
}

const DEFAULT_MOST = 1024 * 1024

/**
 * Makes the tool `file_write`, by which an agent creates, replaces and extends files under one folder. No path leads out of the folder, and a file is replaced at one stroke.
 * @example
 * const careful = fileWrite({ root: '.', requireApproval: ({ mode }) => mode !== 'create' })
 */
export function fileWrite(options: FileWriteOptions): AgentTool<FileWriteInput, FileWritten> {
  checkOptions(options, 'The options of fileWrite')
  return fileWriteIn(new RootedFolder(options.root), options)
}

/** The same for a root that is there already. */
export function fileWriteIn(
  root: RootedFolder,
  { requireApproval, maxBytes, modes = MODES }: Omit<FileWriteOptions, 'root'>,
): AgentTool<FileWriteInput, FileWritten> {
  const most = byteLimit(maxBytes, DEFAULT_MOST, 'fileWrite')
  checkModes(modes)
  const approval = approvalWithPreview(root, requireApproval)
  const writer = tool({
    name: 'file_write',
    description:
      'Writes a text to a file: makes a new one, replaces one, or adds to its end. Use it to save a result or to change a file. It fails rather than replace a file unless mode says so.',
    inputSchema: writeInput(modes),
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

/** The reviewer reads the change, behind what whoever made the tool has to say. */
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
