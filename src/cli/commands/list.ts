import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { textTable } from '../text-table.ts'
import { toolMetadata } from '../tool-metadata.ts'
import { openWorkspace } from '../workspace.ts'

/** `toolwright list`: lists the tools. */
export const list: Command = async ({ options, output }) => {
  const { tools, from } = await openWorkspace(options)
  if (output.json) {
    output.printJson({ from, tools: tools.tools.map(toolMetadata) })
    return EXIT.ok
  }
  if (tools.tools.length === 0) {
    output.note(`There are no tools in ${from}.`)
    return EXIT.ok
  }
  const rows = tools.tools.map(({ name, effect, permissions, description }) => [
    name,
    effect,
    permissions.join(' ') || '-',
    description.replaceAll(/\s+/g, ' ').trim(),
  ])
  const table = textTable([['name', 'effect', 'permissions', 'description'], ...rows], {
    width: output.width,
    paint: (text, { row, column }) => (row === 0 ? output.paint('dim', text) : column === 0 ? output.paint('bold', text) : text),
  })
  output.print(table)
  return EXIT.ok
}
