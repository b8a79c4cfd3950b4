/**
 * Ids that count: `id-1`, `id-2`, ... Pass it as `ids`.
 * @example
 * const result = await greet.call({ name: 'Ada' }, { ids: fakeIds('call') })
 * console.log(result.provenance.invocationId) // call-1
 */
export function fakeIds(prefix = 'id'): () => string {
  let count = 0
  return () => `${prefix}-${++count}`
}
