/** The name of a field as a step of a path. */
export function fieldStep(key: string): string {
  return /^[^.[\]*\s]+$/.test(key) ? key : `[${JSON.stringify(key)}]`
}

/** `latest` and `total` are `latest.total`, `items` and `[]` are `items[]`. */
export function joinPath(step: string, path: string): string {
  if (step === '') return path
  return path === '' || path.startsWith('[') ? step + path : `${step}.${path}`
}

/** The one path leads to, into or around what the other leads to. */
export function areRelated(one: string, other: string): boolean {
  return isWithin(one, other) || isWithin(other, one)
}

function isWithin(inner: string, outer: string): boolean {
  return outer === '' || inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`)
}
