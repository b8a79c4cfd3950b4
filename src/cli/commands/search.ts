import { catalog } from '../../select/index.ts'
import { printable } from '../../tool/printable.ts'
import { callPrincipal, type GivenPrincipal } from '../call-principal.ts'
import type { Command, CommonOptions } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { textTable } from '../text-table.ts'
import { wholeNumber } from '../whole-number.ts'
import { openWorkspace } from '../workspace.ts'

interface SearchOptions extends CommonOptions, GivenPrincipal {
  readonly k?: string | undefined
}

/** `toolwright search <request...>`: the tools that a request needs, with the reasons. */
export const search: Command<SearchOptions> = async ({ words, options, output }) => {
  const { tools, config } = await openWorkspace(options, output)
  const principal = callPrincipal(options, config.principal)
  const k = wholeNumber('--k', options.k) ?? 10
  const { tools: found, nothingFits } = await (await catalog(tools.tools)).select(words.join(' '), { k, principal })
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
