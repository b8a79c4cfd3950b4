import type ipaddr from 'ipaddr.js'
import { missingPackage } from '../../tool/missing-package.ts'

/** The tables of special addresses. It is an optional package, loaded at the first request. */
export async function loadIpaddr(): Promise<typeof ipaddr> {
  try {
    return (await import('ipaddr.js')).default
  } catch (cause) {
    throw missingPackage(cause, 'ipaddr.js', 'to check the addresses of web requests')
  }
}
