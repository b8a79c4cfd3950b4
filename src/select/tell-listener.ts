import { printable } from '../tool/printable.ts'

/** Tells a listener of the program. Who asks for tools is not to blame for it: if it throws, at once or later, there is a warning. */
export function tellListener(who: string, tell: () => unknown): void {
  const warn = (error: unknown): void => process.emitWarning(printable(`${who} threw: ${String(error)}`), 'ToolwrightWarning')
  try {
    const told = tell()
    if (told instanceof Promise) told.catch(warn)
  } catch (error) {
    warn(error)
  }
}
