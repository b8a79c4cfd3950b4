import type pg from 'pg'
import { missingPackage, usablePackage } from '../tool/missing-package.ts'

/** The driver, which only those need who use a database. */
export async function loadPg(): Promise<typeof pg> {
  try {
    return usablePackage((await import('pg')).default ?? {}, 'pg', { purpose: PURPOSE, needs: ['Pool', 'Client'] })
  } catch (cause) {
    throw missingPackage(cause, 'pg', PURPOSE)
  }
}

const PURPOSE = 'to use a database'
