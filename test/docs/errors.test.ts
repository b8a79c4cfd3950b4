import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/run-program.ts'
import { CONFIGURATION_ERRORS, FAILURES } from '../../src/tool/errors/error-codes.ts'

const folder = join(root, 'docs', 'errors')
const documented = globSync('*.md', { cwd: folder, exclude: ['README.md'] }).map((page) => basename(page, '.md'))

test('each error code has a page of its own, and each page a code', () => {
  expect(documented.toSorted()).toEqual([...Object.keys(FAILURES), ...CONFIGURATION_ERRORS, 'exit_early'].toSorted())
})

test('each page names its code in the title', () => {
  const titles = documented.map((code) => ({ code, title: readFileSync(join(folder, `${code}.md`), 'utf8').split('\n', 1)[0] ?? '' }))
  expect(titles.filter(({ code, title }) => !title.startsWith('# ') || !title.includes(code))).toEqual([])
})
