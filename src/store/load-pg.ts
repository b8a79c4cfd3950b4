import type pg from 'pg'
import { loadOptional } from '../tool/import-optional.ts'

/** The driver, which only those need who use a database. */
export function loadPg(): typeof pg {
  return loadOptional<typeof pg>('pg', 'to use a database')
}
