import { missingPackage } from '../../tool/missing-package.ts'

/** The HTTP client. It is an optional package, loaded at the first request. */
export async function loadUndici(): Promise<typeof import('undici')> {
  try {
    return await import('undici')
  } catch (cause) {
    throw missingPackage(cause, 'undici', 'to make requests of web tools')
  }
}
