/** Whose runs, requests, keys and workers: a program, and where it runs. Apps that share a database see nothing of each other. */
export interface App {
  readonly name: string
  /** `production`, for example. */
  readonly environment: string
}

/** The parts of an app that are not to be the usual ones. */
export interface AppOptions {
  /** The default is that of `TOOLWRIGHT_APP`, then the name in the nearest package.json. */
  readonly name?: string | undefined
  /** The default is that of `TOOLWRIGHT_APP`, then `NODE_ENV`, then `development`. */
  readonly environment?: string | undefined
}
