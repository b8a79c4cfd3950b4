/** How a command ended, as the shell sees it. */
export const EXIT = {
  ok: 0,
  /** The tool failed, or a check found errors. */
  failed: 1,
  /** The command was not understood, or the configuration is wrong. */
  usage: 2,
  interrupted: 130,
  terminated: 143,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
