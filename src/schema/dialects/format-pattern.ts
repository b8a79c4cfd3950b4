import { linearPattern } from '../linear-pattern.ts'
import { Meter } from '../meter.ts'

/** Values of formats for which libraries write a pattern too. They differ enough that a narrower pattern refuses one of them. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['1999-12-31T23:59:59Z', '2024-02-29T00:00:00.123Z'],
  date: ['1999-12-31', '2024-02-29'],
  duration: ['P1Y2M3DT4H5M6S', 'PT20M', 'P3W'],
  email: ['ada@example.org', "Zoe.O'Neil+news_7@mail-2.Example.com", '9@q.io'],
  hostname: ['localhost', 'a-1.Example.org'],
  ipv4: ['0.0.0.0', '192.0.2.255'],
  ipv6: ['::1', '2001:db8:0:0:8:800:200C:417A'],
  uuid: ['6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'F47AC10B-58CC-4372-A567-0E02B2C3D479', '018f4e2a-7c3b-7d5e-9a1b-2c3d4e5f6a7b'],
}

/** Values of none of these formats. */
const OTHERS = ['', ' ', 'no format', '!no_format?']

/** Names of checks, which Zod writes as formats: the pattern beside them is the rule. */
const CHECKS: ReadonlySet<string> = new Set(['starts_with', 'ends_with', 'includes', 'lowercase', 'uppercase'])

/** It is the name of a check of a library, and says nothing without its pattern. */
export function isNameOfCheck(format: unknown): boolean {
  return typeof format === 'string' && CHECKS.has(format)
}

/** The pattern only writes the format out: it takes all values of the format and no others, as far as samples show. */
export function writesFormatOut(pattern: unknown, format: unknown): boolean {
  if (typeof pattern !== 'string' || typeof format !== 'string' || !Object.hasOwn(VALUES, format)) return false
  try {
    const { test } = linearPattern(pattern)
    const meter = new Meter()
    meter.start(0, 'own')
    return VALUES[format]?.every((each) => test(each, meter)) === true && !OTHERS.some((each) => test(each, meter))
  } catch {
    return false
  }
}
