/** One step of a path. `at` is its place in the path. */
export type PathSegment =
  | { readonly kind: 'key'; readonly at: number; readonly key: string; readonly quoted: boolean }
  | { readonly kind: 'index'; readonly at: number; readonly index: number }
  | { readonly kind: 'wildcard'; readonly at: number }
  | {
      readonly kind: 'slice'
      readonly at: number
      readonly start: number | undefined
      readonly end: number | undefined
      readonly step: number
    }

/** A key as it stands in a path. */
export function writeKey(key: string): string {
  return /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}
