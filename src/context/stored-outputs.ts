import type { Clock } from '../tool/ports/clock.ts'
import { systemClock } from '../tool/ports/clock.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import { principalKey } from '../tool/principal-key.ts'
import type { Principal } from '../tool/principal.ts'
import type { Provenance } from '../tool/result/result.ts'
import { randomDigits } from './random-digits.ts'

/** An output as it is kept: plain data. */
export interface StoredOutput {
  readonly text: string
  readonly value?: unknown
  readonly provenance: Provenance
}

/** Whose an output is. Nobody else reads it, whatever pointer they name. */
export interface OutputOwner {
  readonly principal?: string | undefined
  readonly session?: string | undefined
}

/** The owner of the outputs of a caller. */
export function outputOwner({
  principal,
  session,
}: {
  readonly principal?: Principal | undefined
  readonly session?: string | undefined
}): OutputOwner {
  return { principal: principalKey(principal), session }
}

/** Keeps outputs that did not fit into a context. */
export interface OutputStore {
  readonly put: (pointer: string, output: StoredOutput, owner: OutputOwner) => Promise<void>
  /** Undefined for an output of another owner too. */
  readonly get: (pointer: string, owner: OutputOwner) => Promise<StoredOutput | undefined>
}

/** The options of `memoryOutputs`. */
export interface MemoryOutputsOptions {
  /** The oldest outputs make room beyond this. 64 MB by default. */
  readonly maxBytes?: number | undefined
  /** In milliseconds; a day by default. */
  readonly keepMs?: number | undefined
  readonly clock?: Clock | undefined
}

const NAMES = optionNames<MemoryOutputsOptions>({ maxBytes: true, keepMs: true, clock: true })
const POINTER_DIGITS = 18

/** A name for a stored output that cannot be guessed. */
export function newPointer(): string {
  return `out_${randomDigits(POINTER_DIGITS)}`
}

const MAX_BYTES = 64 * 1024 * 1024
const KEEP_MS = 24 * 60 * 60 * 1000
const BYTES_OF_A_CHARACTER = 2

/** Keeps outputs in the memory of the process. */
export function memoryOutputs(options: MemoryOutputsOptions = {}): OutputStore {
  checkOptionNames(options, NAMES, 'The options of memoryOutputs')
  const { maxBytes = MAX_BYTES, keepMs = KEEP_MS, clock = systemClock } = options
  const kept = new Map<string, { readonly output: StoredOutput; readonly owner: string; readonly until: number; readonly bytes: number }>()
  let bytes = 0
  const drop = (pointer: string): void => {
    bytes -= kept.get(pointer)?.bytes ?? 0
    kept.delete(pointer)
  }
  return {
    put: async (pointer, output, owner) => {
      const own = output.text.length * BYTES_OF_A_CHARACTER
      drop(pointer)
      kept.set(pointer, { output, owner: ownerKey(owner), until: clock.tick() + keepMs, bytes: own })
      bytes += own
      for (const oldest of kept.keys()) {
        if (bytes <= maxBytes || oldest === pointer) break
        drop(oldest)
      }
    },
    get: async (pointer, owner) => {
      const found = kept.get(pointer)
      if (found === undefined || found.owner !== ownerKey(owner)) return undefined
      if (found.until > clock.tick()) return found.output
      drop(pointer)
      return undefined
    },
  }
}

export function ownerKey({ principal, session }: OutputOwner): string {
  return JSON.stringify([principal ?? null, session ?? null])
}
