import type { RunStatus } from './run-status.ts'

/** Whether an open run could go on under the tools of this process. */
export interface RehearsedRun {
  readonly run: string
  readonly tool: string
  readonly status: RunStatus
  /** Why it could not; absent where it could. */
  readonly problem?: { readonly code: string; readonly message: string } | undefined
  /** Why that cannot be told. */
  readonly doubt?: string | undefined
}
