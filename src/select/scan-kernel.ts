/** Compares a vector with the rows of a table: addresses of the query, the rows and the products in the memory, and the number of rows. */
export type Scan = (query: number, rows: number, count: number, products: number) => void

/** WebAssembly with vector instructions, written by `scripts/select/scan-kernel-code.ts`; a test compares the two. */
export const SCAN_KERNEL =
  'AGFzbQEAAAABCAFgBH9/f38AAggBAW0BbQIAAQMCAQAHCAEEc2NhbgAACu0BAeoBAQl7IAD9AQAAIQUgAP0BAAghBiAA/QEAECEHIAD9AQAYIQggAP0BAC' +
  'AhCSAA/QEAKCEKIAD9AQAwIQsgAP0BADghDANAIAH9AQAAIAX9ugEgAf0BAAggBv26Af2uASAB/QEAECAH/boB/a4BIAH9AQAYIAj9ugH9rgEgAf0BACAg' +
  'Cf26Af2uASAB/QEAKCAK/boB/a4BIAH9AQAwIAv9ugH9rgEgAf0BADggDP26Af2uASEEIAMgBP0bACAE/RsBaiAE/RsCaiAE/RsDajYCACABQcAAaiEBIA' +
  'NBBGohAyACQQFrIgINAAsL'

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
  readonly scan: (memory: KernelMemory) => Scan
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
      scan: (memory) => new Instance(module, { m: { m: memory } }).exports['scan'] as Scan,
    }
  } catch {
    return null
  }
}
