type Crypto = typeof import('node:crypto')

let loaded: Crypto | undefined

/** Node's crypto, loaded at the first hash: most imports of the package never need one, and it is the dearest builtin that it uses. */
export function cryptoModule(): Crypto {
  return (loaded ??= process.getBuiltinModule('node:crypto'))
}
