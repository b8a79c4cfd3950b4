import { frozen } from '../schema/frozen.ts'
import { isPlainRecord } from '../schema/json-schema.ts'
import { privateCopy } from '../schema/private-copy.ts'
import { quote } from '../schema/quote.ts'
import { ConfigurationError } from './errors/configuration-error.ts'
import { principalKey } from './principal-key.ts'

/** On whose behalf a call runs. */
export interface Principal {
  readonly id: string
  /**
   * To whom the id belongs, such as a customer or an organisation: any data. The same id of another tenant is another principal, with keys
   * and kept answers of its own.
   */
  readonly tenant?: unknown
  /** Such as `orders:read`; a trailing `*` covers all that begins so, as in `orders:*`. */
  readonly permissions: readonly string[]
}

/**
 * A copy that nobody can change, so that no tool gives itself a permission and no caller changes the permissions of a call that has begun.
 * An instance of a class keeps its methods: a view of it has frozen copies of its fields.
 */
export function sealedPrincipal(principal: Principal): Principal {
  return isPlainRecord(principal) ? checked(frozen(privateCopy(principal)) as unknown as Principal) : sealedInstance(principal)
}

/** The copy is checked, since the fields of the original may be others the next time. */
function checked(principal: Principal): Principal {
  const { id, permissions } = principal as { readonly id?: unknown; readonly permissions?: unknown }
  if (typeof id === 'string' && Array.isArray(permissions) && permissions.every((each) => typeof each === 'string')) return principal
  throw new ConfigurationError(
    'invalid_option',
    `The option 'principal' of a call must be such as { id: 'ada', permissions: ['orders:read'] }, not ${quote(principal)}.`,
  )
}

function sealedInstance(principal: Principal, permissions = principal.permissions): Principal {
  const { id } = principal
  const fields = frozen(privateCopy({ ...principal, id, permissions }))
  checked(fields)
  const target = Object.freeze(
    Object.create(Object.getPrototypeOf(principal) as object, Object.getOwnPropertyDescriptors(fields)) as Principal,
  )
  return new Proxy(target, {
    get: (own, key) => {
      if (Object.hasOwn(own, key)) return Reflect.get(own, key) as unknown
      // A method or a getter may use private fields, which only the instance itself has.
      const value: unknown = Reflect.get(principal, key)
      return typeof value === 'function' && key !== 'constructor' ? (value.bind(principal) as unknown) : value
    },
  })
}

/**
 * The same principal with those of its permissions that it still holds. It gains none: a call keeps what its caller was allowed when it began, or
 * less. The id or the tenant of somebody else, or permissions that cannot be read, leave nothing.
 */
export function stillPermitted(sealed: Principal, now: Principal | undefined): Principal {
  const held = permissionsOf(sealed, now)
  const { permissions } = sealed
  if (permissions.every((each) => held.some((other) => covers(other, each)))) return sealed
  const kept = new Set([
    ...permissions.filter((each) => held.some((other) => covers(other, each))),
    ...held.filter((each) => permissions.some((other) => covers(other, each))),
  ])
  return isPlainRecord(sealed) ? frozen({ ...sealed, permissions: [...kept] }) : sealedInstance(sealed, [...kept])
}

function permissionsOf(sealed: Principal, now: Principal | undefined): readonly string[] {
  try {
    if (now === undefined || principalKey(now) !== principalKey(sealed)) return []
    const { permissions } = now as { readonly permissions: unknown }
    return Array.isArray(permissions) ? permissions.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}

/** The declared permissions that the principal does not hold; without a principal, all of them. */
export function missingPermissions(declared: readonly string[], principal: Principal | undefined): readonly string[] {
  if (declared.length === 0) return declared
  const held = principal?.permissions ?? []
  return declared.filter((wanted) => !held.some((each) => covers(each, wanted)))
}

function covers(held: string, wanted: string): boolean {
  return held === wanted || (held.endsWith('*') && wanted.startsWith(held.slice(0, -1)))
}
