import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

/** How an edit ended. */
export type EditedText =
  | { readonly text: string }
  /** Why there is none, and what to do. */
  | { readonly problem: string }

const LARGEST = 16 * 1024 * 1024

const ENDING = ['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

const UNSET =
  'No editor is set. Set VISUAL or EDITOR, for example with: export EDITOR=nano. Or leave, and use: toolwright approve <request> --patch <json>'

/**
 * Lets a person change a text in the editor of VISUAL or EDITOR. The file is private, as the text may be, and removed in every case: also if
 * this process is told to end meanwhile.
 */
export async function editText(text: string): Promise<EditedText> {
  const editor = [process.env['VISUAL'], process.env['EDITOR']].find((each) => (each ?? '').trim() !== '')
  if (editor === undefined) return { problem: UNSET }
  // Only the owner can enter the folder.
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-edit-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const leave = (signal: NodeJS.Signals): void => {
    remove()
    process.exit(128 + constants.signals[signal])
  }
  // Ctrl-C is for the editor, which stands in the foreground.
  const stay = (): void => {}
  process.on('exit', remove).on('SIGINT', stay)
  for (const signal of ENDING) process.on(signal, leave)
  try {
    const file = join(folder, 'request.json')
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' })
    const problem = await runEditor(editor, file)
    return problem === undefined ? readBack(file) : { problem }
  } finally {
    process.off('exit', remove).off('SIGINT', stay)
    for (const signal of ENDING) process.off(signal, leave)
    remove()
  }
}

/** Through a shell, since the variable may hold flags: `code --wait`. */
function runEditor(editor: string, file: string): Promise<string | undefined> {
  const isWindows = process.platform === 'win32'
  const child = isWindows
    ? spawn(`${editor} "${file}"`, { stdio: 'inherit', shell: true })
    : spawn('/bin/sh', ['-c', `${editor} "$1"`, 'editor', file], { stdio: 'inherit' })
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(`The editor '${editor}' could not be started. ${error.message}`))
    child.on('close', (code, signal) =>
      resolve(
        code === 0
          ? undefined
          : `The editor '${editor}' ended with ${code === null ? String(signal) : `exit code ${code}`}, so nothing was changed. VISUAL and EDITOR name the editor.`,
      ),
    )
  })
}

function readBack(file: string): EditedText {
  try {
    const stats = statSync(file)
    // Another kind may have no end.
    if (!stats.isFile()) return { problem: 'The editor has left no file, so nothing was changed.' }
    if (stats.size > LARGEST) return { problem: `The text has ${stats.size} bytes, which is too much. Nothing was changed.` }
    return { text: decoded(readFileSync(file)) }
  } catch (error) {
    return { problem: `The text could not be read back, so nothing was changed. ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** A byte that is not UTF-8 would become another character, and so another input. The mark that some editors begin a file with is no part of it. */
function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Error('It is not in UTF-8: set this encoding in the editor.', { cause })
  }
}
