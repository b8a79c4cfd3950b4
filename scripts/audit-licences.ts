import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installedByUsers, type LockFile } from './installed-by-users.ts'
import { root } from './run-program.ts'

/** Licences that ask a user for no more than to keep the notice. */
const PERMISSIVE: ReadonlySet<string> = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'])

/** The packages that users install, optional peers included, under a licence that is not permissive: one sentence each. */
export function licenceProblems(lock: LockFile): readonly string[] {
  return installedByUsers(lock, { peers: true })
    .filter(({ locked: { license } }) => license === undefined || !isPermissive(license))
    .map(
      ({ name, locked: { version = '?', license } }) =>
        `${name}@${version} ${license === undefined ? 'states no licence' : `is under '${license}'`}.`,
    )
}

/** Of several licences joined by OR a user may choose one; joined by AND all of them hold. */
function isPermissive(expression: string): boolean {
  const choices = expression.replaceAll(/[()]/g, '').split(/\s+OR\s+/)
  return choices.some((choice) => choice.split(/\s+AND\s+/).every((licence) => PERMISSIVE.has(licence.trim())))
}

if (import.meta.main) {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as LockFile
  const problems = licenceProblems(lock)
  for (const problem of problems) console.log(problem)
  console.log(
    `${installedByUsers(lock, { peers: true }).length} packages that users install, ${problems.length} not under a permissive licence`,
  )
  process.exitCode = problems.length === 0 ? 0 : 1
}
