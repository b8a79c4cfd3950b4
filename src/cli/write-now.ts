/** Writes at once, for a process that is about to end. Where that fails too, nobody is left to tell. The module is asked for by name, since an import costs at every start. */
export function writeNow(descriptor: 1 | 2, text: string): void {
  try {
    process.getBuiltinModule('node:fs').writeSync(descriptor, text)
  } catch {
    // The stream is broken or full.
  }
}
