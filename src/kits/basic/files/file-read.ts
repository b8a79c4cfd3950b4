import type { FromJsonSchema } from '../../../schema/schema-types.ts'
import type { AgentTool } from '../../../tool/agent-tool.ts'
import { checkChoice } from '../../../tool/check-given.ts'
import { ToolError } from '../../../tool/errors/tool-error.ts'
import { type ReturnedSuccess, success } from '../../../tool/result/returned.ts'
import { tool } from '../../../tool/tool.ts'
import { byteLimit } from './byte-limit.ts'
import { counted } from './counted.ts'
import { explainFailure, shownPath } from '../../../files/explain-failure.ts'
import { type FileContent, invalid, READ_OUTPUT, readFrom, readInput, type ReadRequest } from './read-from.ts'
import { RootedFolder } from '../../../files/rooted-folder.ts'
import { checkOptionNames, optionNames } from '../../../tool/option-names.ts'

/** The options of `fileRead`. */
export interface FileReadOptions {
  /** The folder that the tool is confined to. */
  readonly root: string
  /** The most that one call gives back; 256 KB by default. */
  readonly maxBytes?: number | undefined
  /** A file with another name could be one from outside the root; `refuse` by default. */
  readonly hardLinks?: 'refuse' | 'allow' | undefined
}

const NAMES = optionNames<FileReadOptions>({ root: true, maxBytes: true, hardLinks: true })

const DEFAULT_MOST = 256 * 1024

/**
 * Makes the tool `file_read`, by which an agent reads text files under one folder, whole or by lines. No path leads out of the folder.
 * @example
 * const read = fileRead({ root: '.' })
 * const start = await read.call({ path: 'LICENSE', toLine: 3 })
 */
export function fileRead(options: FileReadOptions): AgentTool<FromJsonSchema<ReturnType<typeof readInput>>, FileContent> {
  checkOptionNames(options, NAMES, 'The options of fileRead')
  return fileReadIn(new RootedFolder(options.root), options)
}

/** The same for a root that is there already. */
export function fileReadIn(
  root: RootedFolder,
  { maxBytes, hardLinks = 'refuse' }: Omit<FileReadOptions, 'root'>,
): AgentTool<FromJsonSchema<ReturnType<typeof readInput>>, FileContent> {
  const most = byteLimit(maxBytes, DEFAULT_MOST, 'fileRead')
  checkChoice(hardLinks, ['refuse', 'allow'], "'hardLinks' of fileRead")
  return tool({
    name: 'file_read',
    description:
      'Reads a file and gives its text: all of it, or a range of lines. Use it when you know the path of a file and need what is in it. A long file is truncated, and the answer says how to read on.',
    inputSchema: readInput(most),
    outputSchema: READ_OUTPUT,
    effect: 'read',
    idempotent: true,
    tags: ['files'],
    estimates: { latencyMs: 2, p99Ms: 50, costUsd: 0, reliability: 0.99 },
    async execute(request, { signal }) {
      checkRange(request)
      try {
        const place = root.find(request.path)
        if (place === undefined) throw noFolder(request.path)
        try {
          return successOf(await readFrom(place, request, { maxBytes: most, hardLinks, signal }))
        } finally {
          place.close()
        }
      } catch (error) {
        throw explainFailure(error, request.path, 'read')
      }
    },
  })
}

function checkRange({ fromLine, toLine, fromByte, encoding }: ReadRequest): void {
  const byLine = fromLine !== undefined || toLine !== undefined
  if (byLine && fromByte !== undefined) throw invalid('fromByte goes with neither fromLine nor toLine.')
  if (byLine && encoding === 'base64') throw invalid("With encoding 'base64' there are no lines: use fromByte and maxBytes.")
  if (fromLine !== undefined && toLine !== undefined && toLine < fromLine)
    throw invalid(`toLine is ${toLine}, which is before fromLine, ${fromLine}.`)
}

function noFolder(path: string): ToolError {
  return new ToolError(`There is no file ${shownPath(path)}: a folder on the way to it does not exist.`, { code: 'not_found' })
}

/** The text is the content; a note about a missing rest follows it. */
function successOf(content: FileContent): ReturnedSuccess<FileContent> {
  if (content.next === undefined) return success(content, { text: content.content })
  const { fromLine, fromByte } = content.next
  const message = `Truncated: the file has ${counted(content.bytes, 'byte')}. Read on with ${fromLine === undefined ? `fromByte: ${fromByte}` : `fromLine: ${fromLine}`}.`
  return success(content, { text: `${content.content}\n[${message}]`, issues: [{ severity: 'warning', message }] })
}
