import { isTool } from '../agent-tool.ts'
import { reasonOf } from '../errors/message-of.ts'
import type { Logger } from '../ports/logger.ts'
import { warn } from '../warn.ts'
import type { ToolProvider } from './resolve.ts'

/** Calls back when one of the providers in a list has changed its tools; the function that it returns ends that. */
export function followProviders(list: readonly unknown[], onChange: () => void): () => void {
  const ends = providersIn(list).flatMap((each) => (typeof each.onChange === 'function' ? [each.onChange(onChange)] : []))
  return () => {
    for (const end of ends) end()
  }
}

/** The providers in a list read where their tools come from again. One that fails keeps what it had. */
export async function refreshProviders(list: readonly unknown[], log: Logger | undefined): Promise<void> {
  const attempts = providersIn(list).map(async (each) => {
    if (typeof each.refresh === 'function') await each.refresh()
  })
  for (const each of await Promise.allSettled(attempts))
    if (each.status === 'rejected') warn(log, `A provider of tools could not be read again: ${reasonOf(each.reason)}`)
}

/** The providers in a list try again what they could not reach, since a tool is called that none of them has. Gives whether any of them did. */
export async function lookForTool(list: readonly unknown[], name: string): Promise<boolean> {
  const looking = providersIn(list).filter((each) => typeof each.lookFor === 'function')
  await Promise.allSettled(looking.map(async (each) => each.lookFor?.(name)))
  return looking.length > 0
}

function providersIn(list: readonly unknown[]): readonly ToolProvider[] {
  // A list that is none is refused where it is resolved.
  if (!Array.isArray(list)) return []
  return list.filter(
    (each): each is ToolProvider =>
      typeof each === 'object' && each !== null && !isTool(each) && 'tools' in each && typeof each.tools === 'function',
  )
}
