type LogMethod = (fields: object, message: string) => void

/** What Toolwright asks of a logger; pino satisfies it. */
export interface Logger {
  readonly trace: LogMethod
  readonly debug: LogMethod
  readonly info: LogMethod
  readonly warn: LogMethod
  readonly error: LogMethod
  /** For what a person must put right; `error` where there is none. */
  readonly fatal?: LogMethod | undefined
  readonly isLevelEnabled?: ((level: 'trace' | 'debug' | 'info' | 'warn' | 'error') => boolean) | undefined
}

const nothing: LogMethod = () => {}

/** Used where nobody gave a logger. */
export const silentLogger: Logger = {
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  isLevelEnabled: () => false,
}
