/**
 * The version of this package. The sources and the built code lie equally deep below package.json. `node:fs` is not imported: an `import`
 * of it would make a namespace of everything in it at every start.
 */
export function packageVersion(): string {
  const { readFileSync } = process.getBuiltinModule('node:fs')
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { readonly version: string }
  return version
}
