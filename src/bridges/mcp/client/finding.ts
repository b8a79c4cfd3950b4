import type { Severity } from '../../../plan/finding.ts'

/** What kind of trouble there is with an MCP server or one of its tools. */
export type McpFindingCode =
  /** The description or a schema differs from the pinned one. */
  | 'tool_changed'
  /** The server has a tool that is not pinned. */
  | 'tool_unpinned'
  /** A tool that is pinned, or that was there before, is gone. */
  | 'tool_missing'
  /** The description or a schema cannot be used. */
  | 'tool_unusable'
  /** The name is that of another tool already. */
  | 'name_taken'
  /** More tools than are taken, or a list without an end. */
  | 'list_cut'
  /** The list could not be read again. */
  | 'list_failed'
  /** An option names a tool that the server does not have. */
  | 'unknown_name'
  /** The server cannot be reached. */
  | 'unreachable'

/** A finding about an MCP server or one of its tools. */
export interface McpFinding {
  readonly severity: Severity
  readonly code: McpFindingCode
  readonly server: string
  /** The name of the tool on the server, where it is about one. */
  readonly tool?: string | undefined
  readonly message: string
  /** What to do next. */
  readonly hint: string
}
