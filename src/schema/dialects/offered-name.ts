import type { DialectRules } from './dialect-rules.ts'

const LONGEST = 64

/** A name that the vendor takes and no other property has; the given one, if it is such a name. */
export function offeredName(name: string, taken: Set<string>, { names }: DialectRules): string {
  let offered = name
  if (!names.test(name)) {
    const safe = name.replaceAll(/[^a-zA-Z0-9_]+/g, '_').slice(0, LONGEST)
    offered = names.test(safe) ? safe : `p_${safe}`.slice(0, LONGEST)
  }
  for (let number = 2; taken.has(offered); number++) offered = `${offered.slice(0, LONGEST - 4).replace(/_\d+$/, '')}_${number}`
  taken.add(offered)
  return offered
}
