import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, isAbsolute, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isToolError } from '../tool/errors/tool-error.ts'
import { CliError } from './cli-error.ts'

/** The exports of a module by name. */
export type ModuleExports = Readonly<Record<string, unknown>>

/** Loads a module of the user: a file, or a package that the current folder can see. Every error names the module. */
export async function loadModule(specifier: string, code: 'invalid_config' | 'invalid_tools'): Promise<ModuleExports> {
  const name = isPath(specifier) ? shortPath(specifier) : specifier
  if (isPath(specifier) && !existsSync(specifier)) throw new CliError(code, `There is no file ${name}.`, { hint: 'Check the path.' })
  try {
    return (await import(addressOf(specifier))) as ModuleExports
  } catch (cause) {
    throw new CliError(code, `${name} could not be loaded. ${reasonOf(cause)}`, { cause, hint: hintFor(cause, name) })
  }
}

/** The path as a person would write it here. */
export function shortPath(file: string): string {
  const near = relative(process.cwd(), resolve(file))
  return near.startsWith('..') ? resolve(file) : near
}

function isPath(specifier: string): boolean {
  return specifier.startsWith('.') || isAbsolute(specifier) || /\.[cm]?[jt]s$/.test(specifier)
}

function addressOf(specifier: string): string {
  if (isPath(specifier)) return pathToFileURL(resolve(specifier)).href
  try {
    return pathToFileURL(createRequire(join(process.cwd(), 'package.json')).resolve(specifier)).href
  } catch (error) {
    // A package for `import` alone cannot be found by a require; it is looked for from here instead.
    if (error instanceof Error && 'code' in error && error.code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return specifier
    throw error
  }
}

/** The first lines of what was thrown; for a mistake in the syntax, with its place in the file. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return `It threw ${JSON.stringify(cause) ?? String(cause)}.`
  const place = cause instanceof SyntaxError ? /^(file:\/\/\S+:\d+)\n/.exec(cause.stack ?? '')?.[1] : undefined
  const message = cause.message.trim().split('\n    at ')[0]?.split('\nRequire stack:')[0] ?? ''
  // The message of a coded error is a whole sentence.
  const kind = isToolError(cause) ? '' : `${cause.name}: `
  return `${kind}${message}${place === undefined ? '' : ` (${place})`}`
}

const MODULE_SYNTAX = /^Cannot use import statement outside a module|^Unexpected token 'export'|^Cannot use 'import\.meta' outside a module/

function hintFor(cause: unknown, name: string): string | undefined {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') return 'Check the path, or install the package that is missing.'
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
    return 'Node runs TypeScript by leaving the types out: no enums, namespaces or parameter properties.'
  if (cause instanceof SyntaxError && MODULE_SYNTAX.test(cause.message))
    return `Put "type": "module" into package.json, or name it ${basename(name).replace(/\.[cm]?([jt]s)$/, '.m$1')}.`
  // Such as a server that its tools are taken from, and that is away.
  if (isToolError(cause)) return cause.hint
  return cause instanceof SyntaxError ? undefined : 'Add --debug to see where it was thrown.'
}
