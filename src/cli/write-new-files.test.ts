import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeNewFiles } from './write-new-files.ts'

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('if one file cannot be written, those before it and their folders are removed again', () => {
  const folder = emptyFolder()
  const tooLong = 'z'.repeat(300)
  expect(() => writeNewFiles({ folder: join(folder, 'new', 'one'), files: { 'a/b/c.txt': 'x', [tooLong]: 'x' } })).toThrow(/ENAMETOOLONG/)
  expect(readdirSync(folder)).toEqual([])
})

test('a folder that existed before stays, and so do its files', () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'mine'), 'mine')
  expect(() => writeNewFiles({ folder, files: { 'a.txt': 'x', ['z'.repeat(300)]: 'x' } })).toThrow('Nothing was written')
  expect(readdirSync(folder)).toEqual(['mine'])
})

test('files that may be kept are kept, also if they are links that lead nowhere', () => {
  const folder = emptyFolder()
  symlinkSync('nowhere', join(folder, 'README.md'))
  expect(writeNewFiles({ folder, files: { 'README.md': 'x', 'a.txt': 'y' }, kept: ['README.md'] })).toEqual({
    written: ['a.txt'],
    kept: ['README.md'],
  })
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('y')
})

test.for(['..tools', '...', '..a/..b'])('a folder may be named %s', (name) => {
  const folder = emptyFolder()
  writeNewFiles({ folder: join(folder, name), files: { 'src/a.txt': 'y', '..b/c.txt': 'z' } })
  expect(readFileSync(join(folder, name, '..b', 'c.txt'), 'utf8')).toBe('z')
})

test.for(['..src', 'src'])('a link %s that leads out of the folder is not followed', (name) => {
  const [folder, place] = [emptyFolder(), emptyFolder()]
  symlinkSync(place, join(folder, name))
  expect(() => writeNewFiles({ folder, files: { 'a.txt': 'x', [`${name}/a.txt`]: 'y' } })).toThrow('leads out of')
  expect([readdirSync(folder), readdirSync(place)]).toEqual([[name], []])
})

test('a folder that is itself a link is written to', () => {
  const [folder, place] = [emptyFolder(), emptyFolder()]
  symlinkSync(place, join(folder, 'link'))
  writeNewFiles({ folder: join(folder, 'link'), files: { 'src/a.txt': 'y' } })
  expect(readdirSync(place)).toEqual(['src'])
})

test.runIf(process.platform === 'linux')('where the system makes no folders, it says so and ends', () => {
  expect(() => writeNewFiles({ folder: '/proc/toolwright-new', files: { 'src/a.txt': 'y' } })).toThrow('Nothing was written')
})
