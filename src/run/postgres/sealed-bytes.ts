const SEAL = '{"$toolwright":"sealed"'

/** In SQL: whether the bytes of a column are a sealed value. */
export function isSealed(column: string): string {
  return `substring(${column} FOR ${SEAL.length}) = convert_to('${SEAL}', 'UTF8')`
}
