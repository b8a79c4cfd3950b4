import { readFileSync } from 'node:fs'

const OLDEST = [22, 19] as const

interface OtherNode {
  /** The version of the Node that is a package of the project. */
  readonly own?: string | undefined
}

/** What to tell the user of a Node that is too old, or undefined. */
export function nodeProblem(version: string, { own }: OtherNode = {}): string | undefined {
  if (!isOld(version)) return undefined
  const advice =
    own === undefined || isOld(own)
      ? 'Install one, or give it to this project alone: npm install --save-dev node@24. Its npm scripts and npx use it then.'
      : `This project has Node ${own}. Its npm scripts and npx use it: npx toolwright`
  return `Toolwright needs Node ${OLDEST.join('.')} or newer; this is Node ${version}.\n${advice}`
}

function isOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])
}

/** The version of the package `node` beside this package, whose program is at this URL. It runs on an old Node: nothing newer is used. */
export function nodeBeside(program: string): string | undefined {
  if (!/[/\\]node_modules[/\\]toolwright[/\\]/.test(program)) return undefined
  try {
    const { version } = JSON.parse(readFileSync(new URL('../../../node/package.json', program), 'utf8')) as { readonly version?: unknown }
    return typeof version === 'string' && /^\d+\.\d+\.\d+$/.test(version) ? version : undefined
  } catch {
    return undefined
  }
}
