/** Which blocked runs are taken up again; all of them without a word. */
export interface ResumeOptions {
  /** Those that are blocked for this reason: `plan_changed`, for one. */
  readonly code?: string | undefined
  readonly tool?: string | undefined
}
