/** A package as `package-lock.json` describes it. */
export interface LockedPackage {
  /** Only of the project itself. */
  readonly name?: string
  readonly version?: string
  readonly license?: string
  /** `sha512-` and the digest in base64. */
  readonly integrity?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** The part of `package-lock.json` that is read here. Packages are keyed by their folder; the project itself has the key ''. */
export interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

/** A package that users install, with the folders of the packages that it needs. */
export interface InstalledPackage {
  readonly folder: string
  readonly name: string
  readonly locked: LockedPackage
  readonly needs: readonly string[]
}

/** The key of the project among the packages of its lock file. */
export const PROJECT = ''

/**
 * The packages that a user of the project installs: its dependencies with everything that they bring along. With peers, also those that
 * the user may choose to install.
 */
export function installedByUsers({ packages }: LockFile, { peers }: { readonly peers: boolean }): readonly InstalledPackage[] {
  const found = new Map<string, InstalledPackage>()
  const visit = (folder: string, locked: LockedPackage): readonly string[] =>
    namesNeeded(locked, folder === PROJECT ? (peers ? 'all' : 'none') : 'required')
      .map(({ name, isRequired }) => {
        const place = folderOf(packages, folder, name)
        const other = place === undefined ? undefined : packages[place]
        if (place === undefined || other === undefined) {
          if (!isRequired) return undefined
          throw new Error(`'${folder === PROJECT ? 'The project' : folder}' needs '${name}', which package-lock.json does not have.`)
        }
        if (!found.has(place)) {
          const installed = { folder: place, name: place.slice(place.lastIndexOf(MODULES) + MODULES.length), locked: other, needs: [] }
          found.set(place, installed)
          found.set(place, { ...installed, needs: visit(place, other) })
        }
        return place
      })
      .filter((place) => place !== undefined)
  const project = packages[PROJECT]
  if (project === undefined) throw new Error('package-lock.json does not describe the project itself.')
  visit(PROJECT, project)
  return [...found.values()]
}

const MODULES = 'node_modules/'

interface Need {
  readonly name: string
  readonly isRequired: boolean
}

function namesNeeded(locked: LockedPackage, peers: 'all' | 'required' | 'none'): readonly Need[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = locked
  const isOptionalPeer = (name: string): boolean => peerDependenciesMeta[name]?.optional === true
  return [
    ...Object.keys(dependencies).map((name) => ({ name, isRequired: !(name in optionalDependencies) })),
    ...Object.keys(optionalDependencies).map((name) => ({ name, isRequired: false })),
    ...Object.keys(peerDependencies)
      .filter((name) => peers === 'all' || (peers === 'required' && !isOptionalPeer(name)))
      .map((name) => ({ name, isRequired: true })),
  ]
}

/** Where Node finds a package for one in another folder: inside it, or inside a folder above. */
function folderOf(packages: LockFile['packages'], from: string, name: string): string | undefined {
  const steps = from.split(`/${MODULES}`)
  for (let count = steps.length; count >= 0; count--) {
    const above = from === PROJECT ? '' : steps.slice(0, count).join(`/${MODULES}`)
    const place = `${above === '' ? '' : `${above}/`}${MODULES}${name}`
    if (place in packages) return place
  }
  return undefined
}
