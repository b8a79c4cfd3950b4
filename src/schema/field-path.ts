/** The name of a field as a step of a path. */
export function fieldStep(key: string): string {
  return /^[^.[\]*\s]+$/.test(key) ? key : `[${JSON.stringify(key)}]`
}

/** `latest` and `total` are `latest.total`, `items` and `[]` are `items[]`. */
export function joinPath(step: string, path: string): string {
  if (step === '') return path
  return path === '' || path.startsWith('[') ? step + path : `${step}.${path}`
}
