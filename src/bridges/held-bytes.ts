import type { ReviewHandler } from '../tool/review.ts'

export interface HeldBytesLimits {
  /** Of all callers. */
  readonly maxBytes: number
  /** Of one. */
  readonly maxBytesPerCaller: number
}

/** Counts what calls hold in memory while they wait for people, so that nobody can fill it with questions that nobody answers. */
export class HeldBytes {
  readonly #limits: HeldBytesLimits
  readonly #byCaller = new Map<string, number>()
  #all = 0

  constructor(limits: HeldBytesLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#all
  }

  /** Asks the handler as long as there is room. Without a caller, only the bound of all callers counts. */
  asking(handler: ReviewHandler, caller: string | undefined): ReviewHandler {
    return {
      ...handler,
      review: async (request, wait) => {
        const bytes = sizeOf([request.input, request.parts])
        if (!this.#hasRoom(caller, bytes)) return { action: 'reject', cause: 'unreachable', reason: FULL }
        this.#count(caller, bytes)
        try {
          return await handler.review(request, wait)
        } finally {
          this.#count(caller, -bytes)
        }
      },
    }
  }

  #hasRoom(caller: string | undefined, bytes: number): boolean {
    const { maxBytes, maxBytesPerCaller } = this.#limits
    if (this.#all + bytes > maxBytes) return false
    return caller === undefined || (this.#byCaller.get(caller) ?? 0) + bytes <= maxBytesPerCaller
  }

  #count(caller: string | undefined, bytes: number): void {
    this.#all += bytes
    if (caller === undefined) return
    const held = (this.#byCaller.get(caller) ?? 0) + bytes
    if (held === 0) this.#byCaller.delete(caller)
    else this.#byCaller.set(caller, held)
  }
}

const FULL =
  'The calls that wait for people hold too much already. Call again with a smaller input, or when the others are decided, rejected or given up.'

/** About as many characters as the JSON text has. */
function sizeOf(input: unknown): number {
  let size = 0
  const left: unknown[] = [input]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string') size += value.length + 2
    else if (typeof value !== 'object' || value === null) size += 8
    else if (ArrayBuffer.isView(value)) size += value.byteLength
    else {
      size += 16
      for (const [key, each] of Object.entries(value) as [string, unknown][]) {
        if (!Array.isArray(value)) size += key.length + 4
        left.push(each)
      }
    }
  }
  return size
}
