import type * as Queue from 'pg-boss'
import { missingPackage, usablePackage } from '../../tool/missing-package.ts'

const PURPOSE = 'for durable runs'

/** Loaded when it is needed, so that the error names it where it is not installed, or does not fit. */
export async function loadQueue(): Promise<typeof Queue> {
  try {
    return usablePackage(await import('pg-boss'), 'pg-boss', { purpose: PURPOSE, needs: ['PgBoss'] })
  } catch (cause) {
    throw missingPackage(cause, 'pg-boss', PURPOSE)
  }
}
