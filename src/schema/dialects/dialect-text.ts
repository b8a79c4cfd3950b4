import { excerpt, toJsonText } from '../quote.ts'
import type { Dialect } from './dialect.ts'

const LONGEST_VALUE = 120

/** What a dialect could not express, one line each; empty if that is nothing. */
export function dialectText({ moved, lost, narrowed }: Dialect): string {
  const at = (path: string): string => (path === '' ? 'the whole' : path)
  return [
    ...lost.map(({ path, why }) => `lost      ${at(path)}: ${why}`),
    ...narrowed.map(({ path, why }) => `narrowed  ${at(path)}: ${why}`),
    ...moved
      .filter(({ keyword }) => keyword !== 'schema')
      .map(({ keyword, path, value }) => `moved     ${at(path)}: ${keyword} ${excerpt(toJsonText(value), LONGEST_VALUE)}`),
  ].join('\n')
}
