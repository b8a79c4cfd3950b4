import { CliError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { type RunStoreOptions, withRunStore } from '../with-run-store.ts'

/** `toolwright seal`: seals the values that were written before an encryption key was set. */
export const seal: Command<RunStoreOptions> = async ({ options, output }) =>
  withRunStore(options, output, async ({ store, context: { values } }, { app, database: { encryption } }) => {
    if (!values.isSealing)
      throw new CliError('usage', 'There is no key to seal with.', {
        hint: 'Set database.encryption.key in the configuration first: 32 bytes in base64.',
      })
    const [{ sealPlain }, { postgresTraces }] = await Promise.all([
      import('../../run/postgres/seal-plain.ts'),
      import('../../select/index.ts'),
    ])
    const sealed = (await sealPlain(store, values)) + (await postgresTraces(store.pool, { app, encryption }).seal())
    if (output.json) output.printJson({ sealed })
    else output.note(`${sealed} ${sealed === 1 ? 'value was' : 'values were'} sealed.`)
    return EXIT.ok
  })
