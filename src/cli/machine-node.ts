import { execFileSync } from 'node:child_process'
import { delimiter } from 'node:path'

const ENOUGH_MS = 5000

/** The version of the Node that a shell of this machine starts. The Node that is a package of a project, which npm puts before it, does not count. */
export function machineNode(path: string = process.env['PATH'] ?? ''): string | undefined {
  const folders = path.split(delimiter).filter((folder) => !/[/\\]node_modules[/\\]/.test(`${folder}/`))
  try {
    const said = execFileSync('node', ['--version'], {
      env: { PATH: folders.join(delimiter) },
      encoding: 'utf8',
      timeout: ENOUGH_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return /^v(\d+\.\d+\.\d+)/.exec(said)?.[1]
  } catch {
    return undefined
  }
}
