/** Compares a vector with the rows of a table: addresses of the query, the rows and the products in the memory, and the number of rows. */
export type Scan = (query: number, rows: number, count: number, products: number) => void

/** WebAssembly with vector instructions, written by `scripts/select/scan-kernel-code.ts`; a test compares the two. */
export const SCAN_KERNEL =
  'AGFzbQEAAAABCAFgBH9/f38AAggBAW0BbQIAAQMCAQAHCAEEc2NhbgAACu0BAeoBAQl7IAD9AQAAIQUgAP0BAAghBiAA/QEAECEHIAD9AQAYIQggAP0BAC' +
  'AhCSAA/QEAKCEKIAD9AQAwIQsgAP0BADghDANAIAH9AQAAIAX9ugEgAf0BAAggBv26Af2uASAB/QEAECAH/boB/a4BIAH9AQAYIAj9ugH9rgEgAf0BACAg' +
  'Cf26Af2uASAB/QEAKCAK/boB/a4BIAH9AQAwIAv9ugH9rgEgAf0BADggDP26Af2uASEEIAMgBP0bACAE/RsBaiAE/RsCaiAE/RsDajYCACABQcAAaiEBIA' +
  'NBBGohAyACQQFrIgINAAsL'

let module: WebAssembly.Module | null | undefined

/** Makes the kernel for a memory; undefined where the machine has no vector instructions, or allows no WebAssembly. */
export function scanKernel(): ((memory: WebAssembly.Memory) => Scan) | undefined {
  module ??= compiled()
  const known = module
  if (known === null) return undefined
  return (memory) => new WebAssembly.Instance(known, { m: { m: memory } }).exports['scan'] as Scan
}

function compiled(): WebAssembly.Module | null {
  try {
    return new WebAssembly.Module(Buffer.from(SCAN_KERNEL, 'base64'))
  } catch {
    return null
  }
}
