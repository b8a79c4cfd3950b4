export interface Choice<Value extends string> {
  readonly value: Value
  /** Safe on a terminal. */
  readonly label: string
  readonly hint?: string | undefined
}

interface PromptOptions {
  /** Ends the question without an answer. */
  readonly signal?: AbortSignal | undefined
}

interface LineOptions extends PromptOptions {
  /** The text that is there already. */
  readonly initial?: string | undefined
}

/** How a person at a terminal is asked. Keys that are typed before a question is shown never answer it. */
export interface Prompts {
  /** One of the choices; the first one is marked at the start. Undefined if the person goes back, or the question is over. */
  readonly pick: <Value extends string>(
    message: string,
    choices: readonly Choice<Value>[],
    options?: PromptOptions,
  ) => Promise<Value | undefined>
  /** A line of text, which may be empty. */
  readonly line: (message: string, options?: LineOptions) => Promise<string | undefined>
  /** Shows a text, broken into the rows of the terminal. */
  readonly show: (text: string) => void
  /** Waits until nobody is typing any more, and forgets what was typed. */
  readonly quiet: () => Promise<void>
  /** Nobody can answer any more. */
  readonly isClosed: () => boolean
}
