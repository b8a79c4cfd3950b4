import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { isRecord } from '../../schema/json-schema.ts'
import { didYouMean } from '../../schema/did-you-mean.ts'
import { nearestNames } from '../../schema/nearest-names.ts'
import { nearestProject } from '../../store/project.ts'
import { shellWord } from '../../tool/shell-word.ts'
import { CliError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { findConfig } from '../load-config.ts'
import { shortPath } from '../load-module.ts'
import { pipelineFiles, toolFiles } from '../new/part-files.ts'
import { partName } from '../new/part-name.ts'
import { writeNewFiles } from '../write-new-files.ts'

const WRITERS = { tool: toolFiles, pipeline: pipelineFiles } as const
const KINDS = ['tool', 'pipeline'] as const

/** `toolwright new tool|pipeline <name>`: writes a tool or a pipeline and its test into the project. The configuration is left as it is. */
export const newPart: Command = async ({ words: [given = '', named = ''], options, output }) => {
  const kind = KINDS.find((each) => each === given)
  if (kind === undefined)
    throw new CliError('usage', `'${given}' is nothing that can be written.`, {
      hint: didYouMean(nearestNames(given, KINDS), 'Write one of: toolwright new tool <name>, toolwright new pipeline <name>'),
    })
  const name = partName(named)
  const project = nearestProject()
  if (project === undefined)
    throw new CliError('no_project', 'There is no package.json in this folder or above it.', {
      hint: 'Make a project first with: toolwright init',
    })
  const { folder } = project
  const { type, packages } = manifestOf(folder)
  // Node reads `.ts` as the package says; an ES module in any other package is `.mts`.
  const extension = type === 'module' ? 'ts' : 'mts'
  const source = join(existsSync(join(folder, 'src')) ? 'src' : '', `${name.file}.${extension}`)
  const test = join(existsSync(join(folder, 'test')) ? 'test' : dirname(source), `${name.file}.test.${extension}`)
  const traits = { hasZod: packages.has('zod'), hasVitest: packages.has('vitest') }
  const texts = WRITERS[kind](name, importPath(dirname(test), source), traits)
  const { written } = writeNewFiles({ folder, files: { [source]: texts.source, [test]: texts.test } })
  const configFile = options.config ?? findConfig(folder)
  const importFrom = importPath(configFile === undefined ? '' : relative(folder, dirname(configFile)), source)
  const importLine = `import { ${name.constant} } from '${importFrom}'`
  if (output.json) {
    output.printJson({ folder, kind, name: name.tool, written, config: configFile, import: importLine, tool: name.constant })
    return EXIT.ok
  }
  output.print(written.map((path) => `wrote ${shortPath(join(folder, path))}`).join('\n'))
  const until = `Until then: npx toolwright call --tools ${shellWord(shortPath(join(folder, source)))} ${name.tool} name=Ada`
  output.note(
    configFile === undefined
      ? `\nTo use it from the command line and MCP clients, write ${shellWord(shortPath(join(folder, `toolwright.config.${extension}`)))}:\n\n${wholeConfig(importLine, name.constant)}\n\n${until}`
      : `\nTo use it from the command line and MCP clients, add these to ${shortPath(configFile)}:\n\n  ${importLine}\n  tools: [..., ${name.constant}]\n\n${until}`,
  )
  return EXIT.ok
}

/** For a project that has no configuration: nothing could be added to it. */
function wholeConfig(importLine: string, constant: string): string {
  const lines = [`import { defineConfig } from 'toolwright'`, importLine, '', `export default defineConfig({ tools: [${constant}] })`]
  return lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')
}

interface Manifest {
  readonly type: unknown
  /** The names of all packages that it depends on. */
  readonly packages: ReadonlySet<string>
}

function manifestOf(folder: string): Manifest {
  let manifest: unknown
  try {
    manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch (cause) {
    throw new CliError(
      'invalid_config',
      `The package.json of ${folder} cannot be read. ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        cause,
        hint: 'Mend it first: npm needs it too.',
      },
    )
  }
  const of = isRecord(manifest) ? manifest : {}
  const packages = ['dependencies', 'devDependencies', 'peerDependencies'].flatMap((key) => Object.keys(isRecord(of[key]) ? of[key] : {}))
  return { type: of['type'], packages: new Set(packages) }
}

function importPath(from: string, to: string): string {
  const path = relative(from === '' ? '.' : from, to).replaceAll('\\', '/')
  return /^\.{1,2}\//.test(path) ? path : `./${path}`
}
