import type * as Undici from 'undici'
import { missingPackage } from '../../tool/missing-package.ts'

export type UndiciPackage = typeof Undici

/** The HTTP client. It is an optional package, loaded at the first request. */
export async function loadUndici(): Promise<UndiciPackage> {
  try {
    return await import('undici')
  } catch (cause) {
    throw missingPackage(cause, 'undici', 'to make requests of web tools')
  }
}
