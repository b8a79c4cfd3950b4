import { cellsIn, inCells, inRows } from '../../review/in-rows.ts'
import { endOfInput } from '../end-of-input.ts'
import { ensureSize } from '../terminal.ts'
import type { Choice, Prompts } from './prompts.ts'

/** Keys that wait in the terminal arrive at once. */
const SHORT_MS = 25
/** Somebody who is typing presses the next key within this time. */
const QUIET_MS = 400
const MOST_MS = 5000
const MOST_ROWS = 12

/** Keys that move the mark as arrows do: a text that somebody pastes by mistake, and that ends a line, would move it and then decide. */
const LETTERS = ['h', 'j', 'k', 'l']

/** What stands before a choice, and around its hint. */
const BESIDE = 9

/** Questions on standard input and standard error, in the style of `toolwright init`. */
export async function terminalPrompts(): Promise<Prompts> {
  const { isCancel, select, settings, text } = await import('@clack/prompts')
  for (const letter of LETTERS) settings.aliases.delete(letter)
  const { stdin: input, stderr: output } = process
  ensureSize(output)
  const gone = endOfInput(input)
  const ended = (signal: AbortSignal | undefined): AbortSignal => (signal === undefined ? gone : AbortSignal.any([gone, signal]))
  return {
    pick: async (message, choices, { signal } = {}) => {
      await forgetKeys(SHORT_MS)
      const options = choices.map(({ value, label, hint }) => ({ value: value as string, ...onOneRow({ label, hint }, output.columns) }))
      const picked = await select<string>({ message, options, input, output, signal: ended(signal), maxItems: MOST_ROWS })
      return isCancel(picked) ? undefined : choices.find(({ value }) => value === picked)?.value
    },
    line: async (message, { signal, initial } = {}) => {
      await forgetKeys(SHORT_MS)
      const typed = await text({
        message,
        input,
        output,
        signal: ended(signal),
        ...(initial === undefined ? {} : { initialValue: initial }),
      })
      return isCancel(typed) ? undefined : (typed ?? '')
    },
    show: (shown) => void output.write(`${inRows(shown, output.columns)}\n`),
    quiet: () => forgetKeys(QUIET_MS),
    isClosed: () => gone.aborted,
  }
}

/** A choice that is longer than its row would go on in the next one, at its beginning, where the rows of ours begin. */
function onOneRow({ label, hint = '' }: Pick<Choice<string>, 'label' | 'hint'>, columns: number): { label: string; hint?: string } {
  const cut = inCells(label, columns - BESIDE)
  const rest = inCells(hint, columns - BESIDE - cellsIn(cut))
  return rest === '' ? { label: cut } : { label: cut, hint: rest }
}

/** Reads and drops what was typed, until there was nothing for so long. In raw mode, so that half a line is dropped too. */
function forgetKeys(quietMs: number): Promise<void> {
  const { stdin } = process
  const { promise, resolve } = Promise.withResolvers<void>()
  let timer = setTimeout(end, quietMs)
  const latest = setTimeout(end, MOST_MS)
  const drop = (): void => {
    clearTimeout(timer)
    timer = setTimeout(end, quietMs)
  }
  function end(): void {
    clearTimeout(timer)
    clearTimeout(latest)
    stdin.off('data', drop)
    stdin.pause()
    resolve()
  }
  if (stdin.isTTY) stdin.setRawMode(true)
  stdin.on('data', drop)
  stdin.resume()
  return promise.finally(() => void (stdin.isTTY && stdin.setRawMode(false)))
}
