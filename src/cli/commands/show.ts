import { writeFile } from 'node:fs/promises'
import { printable } from '../../tool/printable.ts'
import { CliError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { matchId } from '../match-id.ts'
import { jsonText, plainData } from '../output.ts'
import { recordText } from '../record-text.ts'
import { type RunStoreOptions, withRunStore } from '../with-run-store.ts'

interface ShowCommandOptions extends RunStoreOptions {
  readonly timeline?: boolean | undefined
  readonly export?: string | undefined
  readonly includeSecrets?: boolean | undefined
}

/** `toolwright show <run>`: the input, the steps and the result of a run; as text, as a timeline, as data, or as a document to keep. */
export const show: Command<ShowCommandOptions> = async ({ words: [given = ''], options, output }) => {
  const { timeline = false, export: file, includeSecrets } = options
  if (timeline && (output.json || file !== undefined))
    throw new CliError('usage', `--timeline and ${output.json ? '--json' : '--export'} exclude each other.`)
  return withRunStore(options, output, async (runs) => {
    const id = await matchId(runs, 'run', given)
    if (file !== undefined) {
      const document = await runs.export(id, { includeSecrets })
      if (file === '-') {
        output.printJson(document)
        return EXIT.ok
      }
      const text = `${jsonText(document, 2)}\n`
      await write(file, text)
      if (output.json) output.printJson({ run: id, file, bytes: Buffer.byteLength(text) })
      else output.note(printable(`The run ${id} is in ${file}${includeSecrets === true ? ', with its secrets' : ', its secrets masked'}.`))
      return EXIT.ok
    }
    const record = await runs.show(id, { includeSecrets })
    if (output.json) output.printJson(plainData(record))
    else if (timeline) {
      const { drawRun } = await import('../../run/view/run-timeline.ts')
      output.print(drawRun(record, { width: output.width, colors: output.paint('red', 'x') !== 'x' }))
    } else output.print(recordText(record, output))
    return EXIT.ok
  })
}

/** Only the user may read the file: a run may hold private data. */
async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { mode: 0o600 })
  } catch (cause) {
    throw new CliError('usage', `The run could not be written to ${file}. ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
  }
}
