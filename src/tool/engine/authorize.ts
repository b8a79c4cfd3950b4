import { ToolError } from '../errors/tool-error.ts'
import { missingPermissions, type Principal } from '../principal.ts'
import { checkServices } from '../service.ts'
import type { Call } from './call.ts'

/** A layer leaves permissions and policy to the tool inside, which passes the door itself. */
export function authorize(call: Call): void {
  const { built, behaviour, root } = call
  if (behaviour.services !== undefined) checkServices(behaviour.services, call.services, call.tool)
  if (behaviour.layer !== undefined || built.permissions.length === 0) return
  const missing = missingPermissions(built.permissions, root.principal)
  if (missing.length > 0) throw notPermitted(call.tool, root.principal, missing)
}

export function notPermitted(tool: string, principal: Principal | undefined, missing: readonly string[]): ToolError {
  const who = principal === undefined ? 'No principal was given' : `'${principal.id}' may not`
  return new ToolError(`${who}: tool '${tool}' needs the permission${missing.length > 1 ? 's' : ''} ${missing.join(', ')}.`, {
    code: 'permission_denied',
    outcome: 'not_started',
  })
}
