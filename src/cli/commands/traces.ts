import type { ForgottenTraces, Trace } from '../../select/index.ts'
import { CliError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { jsonText, type Output } from '../output.ts'
import { type RunStoreOptions, withDatabase } from '../with-run-store.ts'

interface TracesOptions extends RunStoreOptions {
  readonly file?: string | undefined
  readonly principal?: string | undefined
  readonly tool?: string | undefined
}

/** What the command does, wherever the traces are. */
interface KeptTraces {
  readonly all: () => Promise<readonly Trace[]>
  readonly forget: (which: ForgottenTraces) => Promise<number>
}

/** `toolwright traces export|forget`: what catalogs have learned from, as JSON lines, or forgotten for good. */
export const traces: Command<TracesOptions> = async ({ words, options, output }) => {
  const [verb] = words
  const { file, principal, tool } = options
  if (verb !== 'export' && verb !== 'forget')
    throw new CliError('usage', `There is no 'toolwright traces ${verb ?? ''}'.`, {
      hint: 'Use: toolwright traces export, or toolwright traces forget.',
    })
  if (verb === 'forget' && principal === undefined && tool === undefined)
    throw new CliError('usage', 'Nothing says which traces to forget.', { hint: 'Use --principal <id>, --tool <name>, or both.' })
  const which = { ...(principal === undefined ? {} : { principal }), ...(tool === undefined ? {} : { tool }) }
  const work = async (kept: KeptTraces): Promise<typeof EXIT.ok> => {
    if (verb === 'export') print(matching(await kept.all(), which), output)
    else tell(await kept.forget(which), output)
    return EXIT.ok
  }
  if (file !== undefined) return work(await inFile(file))
  return withDatabase(options, output, async ({ pool }, { app, database: { encryption } }) => {
    const { postgresTraces } = await import('../../select/index.ts')
    const store = postgresTraces(pool, { app, encryption })
    const all = async (): Promise<Trace[]> => {
      const found: Trace[] = []
      for (let mark: string | undefined, more = true; more;) {
        const news = await store.since(mark)
        found.push(...news.traces)
        ;({ mark, more } = news)
      }
      return found
    }
    return work({ all, forget: store.forget })
  })
}

async function inFile(path: string): Promise<KeptTraces> {
  const { readTraceFile, writeTraceFile } = await import('../../select/trace-file.ts')
  const read = await readTraceFile(path)
  if (read === undefined)
    throw new CliError('usage', `There is no file '${path}'.`, { hint: 'Name the file that `save` of a catalog has written.' })
  if (typeof read === 'string')
    throw new CliError('usage', `'${path}' cannot be read. ${read}`, { hint: 'Save it again from the program that has the catalog.' })
  return {
    all: async () => read.traces,
    forget: async (which) => {
      const gone = new Set(matching(read.traces, which))
      // Weights that were fitted to forgotten requests are forgotten too.
      await writeTraceFile(path, { traces: read.traces.filter((each) => !gone.has(each)), weights: undefined })
      return gone.size
    },
  }
}

function matching(all: readonly Trace[], { principal, tool }: ForgottenTraces): readonly Trace[] {
  return all.filter((each) => (principal === undefined || each.principal === principal) && (tool === undefined || each.tool === tool))
}

function print(found: readonly Trace[], output: Output): void {
  if (output.json) output.printJson({ traces: found })
  else for (const each of found) output.printData(jsonText(each))
}

function tell(forgotten: number, output: Output): void {
  if (output.json) output.printJson({ forgotten })
  else output.note(`${forgotten} ${forgotten === 1 ? 'trace was' : 'traces were'} forgotten.`)
}
