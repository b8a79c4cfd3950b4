/** A small source of random choices: the same seed gives the same choices on every machine. */
export interface Random {
  /** A number from 0 up to, not including, 1. */
  readonly next: () => number
  /** A whole number from low to high, both included. */
  readonly int: (low: number, high: number) => number
  readonly pick: <T>(list: readonly T[]) => T
  readonly chance: (share: number) => boolean
  readonly hex: (length: number) => string
}

/** Mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    int,
    pick: <T>(list: readonly T[]): T => {
      const picked = list[int(0, list.length - 1)]
      if (picked === undefined) throw new Error('Nothing to pick from.')
      return picked
    },
    chance: (share) => next() < share,
    hex: (length) => Array.from({ length }, () => int(0, 15).toString(16)).join(''),
  }
}

/** Puts an item at a random place past the first tenth of a list, and never at its very end. */
export function plant<T>(random: Random, list: T[], item: T): void {
  list.splice(random.int(Math.ceil(list.length * 0.1), Math.floor(list.length * 0.95)), 0, item)
}
