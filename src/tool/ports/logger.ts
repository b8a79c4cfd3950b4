type LogMethod = (fields: object, message: string) => void

/** The logger interface of Toolwright; pino satisfies it. */
export interface Logger {
  readonly trace: LogMethod
  readonly debug: LogMethod
  readonly info: LogMethod
  readonly warn: LogMethod
  readonly error: LogMethod
  /** For problems that a person must correct; without it, `error` is used. */
  readonly fatal?: LogMethod | undefined
  readonly isLevelEnabled?: ((level: 'trace' | 'debug' | 'info' | 'warn' | 'error') => boolean) | undefined
}

const nothing: LogMethod = () => {}

/** The default logger. */
export const silentLogger: Logger = {
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  isLevelEnabled: () => false,
}
