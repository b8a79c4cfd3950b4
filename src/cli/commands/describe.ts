import { explain } from '../../plan/explain.ts'
import { fenced } from '../../review/describe-request.ts'
import { printable } from '../../tool/printable.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { jsonText } from '../output.ts'
import { toolMetadata } from '../tool-metadata.ts'
import { openWorkspace, pickTool } from '../workspace.ts'

/** `toolwright describe <tool>`: its specification for a model, its metadata, and its plan. */
export const describe: Command = async ({ words: [name = ''], options, output }) => {
  const tool = pickTool(await openWorkspace(options, output), name)
  const { parameters, outputSchema } = tool.specification
  const plan = explain(tool)
  if (output.json) {
    output.printJson({ ...toolMetadata(tool), parameters, ...(outputSchema === undefined ? {} : { outputSchema }), plan })
    return EXIT.ok
  }
  const { version, title, description, effect, idempotent, permissions, tags, source } = tool
  const facts = { effect, idempotent: String(idempotent), permissions: permissions.join(' '), tags: tags.join(' '), source: source ?? '' }
  const heading = (text: string): string => `\n${output.paint('bold', text)}`
  output.print(
    [
      `${output.paint('bold', tool.name)} ${output.paint('dim', version)}`,
      ...(title === undefined || title === description ? [] : [printable(title)]),
      fenced(description).trimEnd(),
      '',
      ...Object.entries(facts).map(([key, value]) => `${key.padEnd(12)} ${printable(value) || '-'}`),
      heading('input'),
      jsonText(parameters, 2),
      ...(outputSchema === undefined ? [] : [heading('output'), jsonText(outputSchema, 2)]),
      heading('plan'),
      plan.text,
    ].join('\n'),
  )
  return EXIT.ok
}
