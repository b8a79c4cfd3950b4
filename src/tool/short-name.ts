import { digest } from './journal/hash.ts'

const LONGEST = 64
const SUFFIX = 8

/** A name that was put together; one that grew too long keeps its beginning and gets a suffix made of the whole, the same every time. */
export function shortName(name: string): string {
  if (name.length <= LONGEST) return name
  const suffix = digest(name)
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, SUFFIX)
  return `${name.slice(0, LONGEST - SUFFIX - 1)}_${suffix}`
}
