import { describe, expect, test } from 'vitest'
import { pathParts } from './path-parts.ts'

const LINUX = false
const WINDOWS = true

describe('a path is taken as names from the root on', () => {
  test.each([
    ['a.txt', ['a.txt']],
    ['a/b/c.txt', ['a', 'b', 'c.txt']],
    ['./a//b/./c.txt', ['a', 'b', 'c.txt']],
    ['a/../b.txt', ['b.txt']],
    ['a/b/../../c.txt', ['c.txt']],
    ['...', ['...']],
    ['..a/b..', ['..a', 'b..']],
    ['%2e%2e/x', ['%2e%2e', 'x']],
    ['\uff0e\uff0e/x', ['\uff0e\uff0e', 'x']],
    ['caf\u00e9', ['caf\u00e9']],
    ['cafe\u0301', ['cafe\u0301']],
    ['~backup', ['~backup']],
    ['a:b', ['a:b']],
    ['con.txt', ['con.txt']],
    ['trailing. ', ['trailing. ']],
    ['x'.repeat(255), ['x'.repeat(255)]],
  ])('%s [T17]', (path, parts) => {
    expect(pathParts(path, LINUX)).toEqual(parts)
  })
})

describe('what could lead out is refused', () => {
  test.each([
    ['', 'empty'],
    ['.', 'the root folder itself'],
    ['./', 'the root folder itself'],
    ['a/..', 'the root folder itself'],
    ['..', 'leaves the root'],
    ['../a', 'leaves the root'],
    ['a/../../b', 'leaves the root'],
    ['a/b/../../../c', 'leaves the root'],
    ['/a', 'absolute'],
    ['//server/share', 'absolute'],
    ['C:/a', 'a drive'],
    ['c:', 'a drive'],
    ['C:\\a', 'a backslash'],
    ['\\\\server\\share', 'a backslash'],
    ['..\\a', 'a backslash'],
    ['file:///etc/passwd', 'a URL'],
    ['~', "'~'"],
    ['~/a', "'~'"],
    ['a/', 'a folder'],
    ['a/.', 'a folder'],
    ['a\0b', 'a control character'],
    ['a\nb', 'a control character'],
    ['a\u001b[2J', 'a control character'],
    ['a\ud800', 'surrogate'],
    ['x'.repeat(256), '255 bytes'],
    ['\u00e9'.repeat(128), '255 bytes'],
    ['a/'.repeat(2048) + 'a', '4096 bytes'],
  ])('%j [T17]', (path, words) => {
    expect(() => pathParts(path, LINUX)).toThrow(expect.objectContaining({ code: 'path_refused', message: expect.stringContaining(words) }))
  })
})

describe('on Windows, names that mean something else there are refused too', () => {
  test.each(['con', 'NUL.txt', 'Com1', 'lpt\u00b9.log', 'aux .c', 'a/conin$', 'file.txt:stream', 'a.', 'a ', 'sub./x', 'a?b', 'a*', 'a|b'])(
    '%j [T17]',
    (path) => {
      expect(() => pathParts(path, WINDOWS)).toThrow(expect.objectContaining({ code: 'path_refused' }))
    },
  )

  test.each(['console', 'nulls.txt', 'com10', 'a.b', 'a b'])('%j is a plain name [T17]', (path) => {
    expect(pathParts(path, WINDOWS)).toEqual([path])
  })
})
