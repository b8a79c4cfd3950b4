import type * as crypto from 'node:crypto'

type Crypto = typeof crypto

let loaded: Crypto | undefined

/** Node's crypto, loaded at the first hash: most imports of the package never need one, and it is the dearest builtin that it uses. */
export function cryptoModule(): Crypto {
  return (loaded ??= process.getBuiltinModule('node:crypto'))
}
