/** What compares vectors in one memory, by addresses in it. */
export interface Scanner {
  /** Compares a vector with the rows of a table: the query, the rows, the number of rows, and where the products go. */
  readonly scan: (query: number, rows: number, count: number, products: number) => void
  /** The same for some rows, whose numbers are at `list`. */
  // oxlint-disable-next-line max-params
  readonly pick: (query: number, rows: number, count: number, products: number, list: number) => void
}

/** WebAssembly with vector instructions, written by `scripts/select/scan-kernel-code.ts`; a test compares the two. */
export const SCAN_KERNEL =
  'AGFzbQEAAAABEAJgBH9/f38AYAV/f39/fwACCAEBbQFtAgABAwMCAAEHDwIEc2NhbgAABHBpY2sAAQrrAwLqAQEJeyAA/QEAACEFIAD9AQAIIQYgAP0BAB' +
  'AhByAA/QEAGCEIIAD9AQAgIQkgAP0BACghCiAA/QEAMCELIAD9AQA4IQwDQCAB/QEAACAF/boBIAH9AQAIIAb9ugH9rgEgAf0BABAgB/26Af2uASAB/QEA' +
  'GCAI/boB/a4BIAH9AQAgIAn9ugH9rgEgAf0BACggCv26Af2uASAB/QEAMCAL/boB/a4BIAH9AQA4IAz9ugH9rgEhBCADIAT9GwAgBP0bAWogBP0bAmogBP' +
  '0bA2o2AgAgAUHAAGohASADQQRqIQMgAkEBayICDQALC/wBAgJ/CXsgAP0BAAAhCCAA/QEACCEJIAD9AQAQIQogAP0BABghCyAA/QEAICEMIAD9AQAoIQ0g' +
  'AP0BADAhDiAA/QEAOCEPA0AgBCgCACEGIAEgBkHAAGxqIQUgBf0BAAAgCP26ASAF/QEACCAJ/boB/a4BIAX9AQAQIAr9ugH9rgEgBf0BABggC/26Af2uAS' +
  'AF/QEAICAM/boB/a4BIAX9AQAoIA39ugH9rgEgBf0BADAgDv26Af2uASAF/QEAOCAP/boB/a4BIQcgAyAGQQRsaiAH/RsAIAf9GwFqIAf9GwJqIAf9GwNq' +
  'NgIAIARBBGohBCACQQFrIgINAAsL'

/** A memory of WebAssembly, as far as it is needed here: the types of Node do not describe it. */
interface KernelMemory {
  readonly buffer: ArrayBuffer
}

interface Assembly {
  readonly Module: new (code: Uint8Array) => object
  readonly Instance: new (module: object, imports: unknown) => { readonly exports: Readonly<Record<string, unknown>> }
  readonly Memory: new (size: { readonly initial: number }) => KernelMemory
}

/** The kernel for new memories. */
export interface ScanKernel {
  /** A memory of so many pages of 64 KB; undefined where the process can have no more of them. */
  readonly memory: (pages: number) => KernelMemory | undefined
  readonly scanner: (memory: KernelMemory) => Scanner
}

let kernel: ScanKernel | null | undefined

/** Undefined where the machine has no vector instructions, or allows no WebAssembly. */
export function scanKernel(): ScanKernel | undefined {
  kernel ??= compiled()
  return kernel ?? undefined
}

function compiled(): ScanKernel | null {
  try {
    const { Module, Instance, Memory } = (globalThis as unknown as { readonly WebAssembly: Assembly }).WebAssembly
    const module = new Module(Buffer.from(SCAN_KERNEL, 'base64'))
    return {
      memory: (initial) => {
        try {
          return new Memory({ initial })
        } catch {
          return undefined
        }
      },
      scanner: (memory) => new Instance(module, { m: { m: memory } }).exports as unknown as Scanner,
    }
  } catch {
    return null
  }
}
