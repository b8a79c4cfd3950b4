import { isTool } from '../tool/agent-tool.ts'
import { CliError } from './cli-error.ts'
import { loadModule } from './load-module.ts'

/** Every tool that a module exports: by a name, in a list, or as the default. What is exported twice counts once. */
export async function toolsOfModule(specifier: string): Promise<readonly unknown[]> {
  const exported = await loadModule(specifier, 'invalid_tools')
  const tools = new Set(Object.entries(exported).flatMap(([name, value]) => toolsIn(value, name === 'default')))
  if (tools.size > 0) return [...tools]
  const functions = Object.keys(exported).filter((name) => typeof exported[name] === 'function')
  throw new CliError('invalid_tools', `${specifier} exports no tool.`, {
    hint:
      functions.length > 0
        ? `It exports functions (${functions.slice(0, 5).join(', ')}). Where they make tools, export what they give.`
        : 'Export tools by name, in a list, or as the default.',
  })
}

/** A list is a list of tools when one of them is; whatever else stands in it is then a mistake, and not left out. */
function toolsIn(value: unknown, isDefault: boolean): readonly unknown[] {
  if (isTool(value)) return [value]
  if (Array.isArray(value)) return isDefault || value.some(isTool) ? value : []
  return isDefault && typeof value === 'object' && value !== null ? [value] : []
}
