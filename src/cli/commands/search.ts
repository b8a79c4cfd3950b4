import { type Catalog, catalog, type ExplainedTool, type SelectOptions } from '../../select/index.ts'
import { printable } from '../../tool/printable.ts'
import { callPrincipal, type GivenPrincipal } from '../call-principal.ts'
import type { Command, CommonOptions } from '../command.ts'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-code.ts'
import type { Output } from '../output.ts'
import { unknownName } from '../../tool/resolve/unknown-name.ts'
import { textTable } from '../text-table.ts'
import { wholeNumber } from '../whole-number.ts'
import { openWorkspace } from '../workspace.ts'

interface SearchOptions extends CommonOptions, GivenPrincipal {
  readonly k?: string | undefined
  readonly why?: readonly string[] | undefined
}

/** `toolwright search <request...>`: the tools that a request needs, with the reasons. */
export const search: Command<SearchOptions> = async ({ words, options, output }) => {
  const { tools, config } = await openWorkspace(options, output)
  const principal = callPrincipal(options, config.principal)
  const k = wholeNumber('--k', options.k) ?? 10
  const request = words.join(' ')
  const all = await catalog(tools.tools)
  if (options.why !== undefined) return explainAll(all, { request, names: options.why, select: { k, principal }, output })
  const { tools: found, nothingFits } = await all.select(request, { k, principal })
  if (output.json) {
    const shown = found.map(({ tool, ...rest }) => ({ name: tool.name, ...rest }))
    output.printJson({ tools: shown, nothingFits })
    return EXIT.ok
  }
  if (nothingFits) {
    output.note('No tool fits. Say it in other words; tools that need permissions are found with --permission.')
    return EXIT.ok
  }
  const rows = found.map(({ tool, relevance, score, schemaTokens, reasons }) => [
    tool.name,
    relevance.toFixed(2),
    score.toFixed(2),
    String(schemaTokens),
    printable(reasons.join('; ')),
  ])
  const paint = (text: string, { row, column }: { readonly row: number; readonly column: number }): string =>
    row === 0 ? output.paint('dim', text) : column === 0 ? output.paint('bold', text) : text
  output.print(textTable([['name', 'relevance', 'score', 'tokens', 'why'], ...rows], { width: output.width, paint }))
  return EXIT.ok
}

interface Explaining {
  readonly request: string
  readonly names: readonly string[]
  readonly select: SelectOptions
  readonly output: Output
}

async function explainAll(all: Catalog, { request, names, select, output }: Explaining): Promise<typeof EXIT.ok> {
  const explained: ExplainedTool[] = []
  for (const name of names) {
    const each = await all.explain(request, name, select)
    if (each === undefined)
      throw new CliError('usage', unknownName(name, all.visibleNames(select)).message, {
        hint: 'Tools that need permissions are found with --permission.',
      })
    explained.push(each)
  }
  if (output.json) output.printJson({ tools: explained })
  else
    for (const { name, found, rank, relevance, score, reasons } of explained) {
      const place = rank === undefined ? 'no rank' : `rank ${rank}`
      output.print(
        `${output.paint('bold', name)} is ${found ? '' : 'not '}found: ${place}, relevance ${relevance.toFixed(2)}, score ${score.toFixed(2)}`,
      )
      for (const reason of reasons) output.print(`  ${printable(reason)}`)
    }
  return EXIT.ok
}
