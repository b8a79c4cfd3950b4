import { describe, expect, test } from 'vitest'
import { exportedNames } from './exported-names.ts'
import { subpaths } from './subpaths.ts'

const CHANGED = [
  'The public names changed. A name that is gone or renamed breaks programs: it needs a major version.',
  'If the change is meant: npx vitest run test/package/exports.test.ts --update, add a changeset, and name it in CHANGELOG.md.',
].join('\n')

describe.each(subpaths())('$name', (subpath) => {
  const names = exportedNames(subpath.source)

  test('exports the names on its list, no more and no less', async () => {
    const list = names.map(({ name, type }) => `${type ? 'type ' : ''}${name}\n`).join('')
    await expect(list, CHANGED).toMatchFileSnapshot(`exports/${subpath.name.replaceAll('/', '-')}.txt`)
  })

  test('gives at run time the values that it lists', async () => {
    const loaded: object = await import(subpath.name)
    expect(Object.keys(loaded).toSorted()).toEqual(names.filter(({ type }) => !type).map(({ name }) => name))
  })
})
