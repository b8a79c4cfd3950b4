import { missingPermissions, type Principal } from '../tool/principal.ts'
import type { Finding } from './finding.ts'
import type { Survey } from './survey.ts'

/** What a compound or a layer needs for its parts is said of the parts. */
export function checkPermissions({ places }: Survey, principal: Principal | undefined): readonly Finding[] {
  if (principal === undefined) return []
  return places.flatMap(({ tool, path, parts }) => {
    const missing = missingPermissions(tool.permissions, principal).filter(
      (each) => !parts.some(({ part }) => part.tool.permissions.includes(each)),
    )
    if (missing.length === 0) return []
    const message = `'${principal.id}' lacks the permission${missing.length > 1 ? 's' : ''} ${missing.join(', ')}, which '${tool.name}' needs.`
    return [{ severity: 'error', code: 'missing_permission', path, message, hint: 'Grant it, or leave the step out for this principal.' }]
  })
}
