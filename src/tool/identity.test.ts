import { describe, expect, test } from 'vitest'
import { identityOf } from './agent-tool.ts'
import { checkName, checkVersion } from './identity.ts'
import { tool } from './tool.ts'

const named = (name: unknown, version?: unknown) =>
  tool({ name: name as string, version: version as string, description: 'd', execute: () => '' })

describe('a name', () => {
  test.each(['a', 'A', '0', '_', 'find_orders', 'x'.repeat(64), '__proto__', 'constructor'])('may be %s [T1]', (name) => {
    expect(named(name).name).toBe(name)
  })

  test.each(['', ' ', '\n', undefined, null, 5, 5n, {}, [], Symbol('x'), () => 'x', Object.create(null)])(
    'must not be blank or missing: %o [T1]',
    (name) => {
      expect(() => named(name)).toThrow(
        expect.objectContaining({ code: 'invalid_name', message: expect.stringContaining('A tool needs a name that is not blank') }),
      )
    },
  )

  test.each(['find orders', 'find-orders', 'find.orders', 'é', 'a\n', 'a\0', 'x'.repeat(65), '\uD800', '🔧'])(
    'must not be %o [T1]',
    (name) => {
      expect(() => named(name)).toThrow(
        expect.objectContaining({ code: 'invalid_name', message: expect.stringContaining("must be 1 to 64 letters, digits or '_'") }),
      )
    },
  )

  test('that is huge is not repeated in full', () => {
    expect(() => checkName('-'.repeat(100_000))).toThrow(expect.objectContaining({ message: expect.stringMatching(/^.{1,200}$/) }))
  })
})

describe('a version', () => {
  test.each([
    '0.0.0',
    '1.2.0',
    '10.20.30',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-0.3.7',
    '1.0.0-x-y-z.--',
    '1.0.0+build.5',
    '1.0.0-rc.1+exp.sha-5114f85',
  ])('may be %s [T1]', (version) => {
    expect(identityOf(named('it', version))).toBe(`it@${version}`)
  })

  test.each([
    '',
    '1',
    '1.2',
    '1.2.3.4',
    'v1.2.3',
    '01.2.3',
    '1.02.3',
    '1.2.3-',
    '1.2.3-01',
    '1.2.3-a..b',
    '1.2.3+',
    '1.2.3 ',
    '-1.2.3',
    'latest',
    '1.2.3\n',
  ])('must not be %o [T1]', (version) => {
    expect(() => named('it', version)).toThrow(
      expect.objectContaining({ code: 'invalid_definition', message: expect.stringContaining('is not a semantic version') }),
    )
  })

  test.each([null, 1, 5n, {}, Symbol('x')])('must be a text, not %o [T1]', (version) => {
    expect(() => checkVersion(version, 'it')).toThrow(expect.objectContaining({ code: 'invalid_definition' }))
  })

  test('is 0.0.0 where none is given [T1]', () => {
    expect(identityOf(named('it'))).toBe('it@0.0.0')
  })

  test('that would take long to read is refused at once', () => {
    expect(() => checkVersion(`1.2.3-${'1'.repeat(100_000)}.`, 'it')).toThrow('is not a semantic version')
  })
})
