import { identityOf } from '../tool/agent-tool.ts'
import { IdentityOwners } from '../tool/identity-owners.ts'
import type { Finding } from './finding.ts'
import type { Survey } from './survey.ts'

/** Breakers, limits and journals go by the identity of a tool. */
export function checkIdentity({ places }: Survey): readonly Finding[] {
  const owners = new IdentityOwners()
  const paths = new Map(places.map(({ tool, path }) => [tool, path]))
  return places.flatMap(({ tool, path }) => {
    const owner = owners.claim(tool)
    if (owner === undefined) return []
    const message = `'${path}' and '${paths.get(owner) ?? owner.name}' are two different tools, and both are ${identityOf(tool)}.`
    return [{ severity: 'error', code: 'duplicate_identity', path, message, hint: 'Give one of them another name or version.' }]
  })
}
