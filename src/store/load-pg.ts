import type pg from 'pg'
import { missingPackage } from '../tool/missing-package.ts'

/** The driver, which only those need who use a database. */
export async function loadPg(): Promise<typeof pg> {
  try {
    return (await import('pg')).default
  } catch (cause) {
    throw missingPackage(cause, 'pg', 'to use a database')
  }
}
