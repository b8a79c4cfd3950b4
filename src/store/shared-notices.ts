/** What processes of an app tell each other: a kind and a subject; `reconnected` where notices may have been lost. */
export interface SharedNotices {
  /** The returned function ends it. */
  readonly on: (listener: (kind: string, subject: string) => void) => () => void
}
