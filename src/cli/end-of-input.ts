import type { Key } from 'node:readline'

/** Aborted when nobody can answer any more: the terminal is gone, or the person pressed Ctrl-D, which a question of @clack/prompts would not notice. */
export function endOfInput(input: NodeJS.ReadStream = process.stdin): AbortSignal {
  const gone = new AbortController()
  const end = (): void => gone.abort()
  for (const event of ['end', 'close', 'error']) input.once(event, end)
  input.on('keypress', (_text: string | undefined, { ctrl, name }: Key) => {
    if (ctrl === true && name === 'd') end()
  })
  return gone.signal
}
