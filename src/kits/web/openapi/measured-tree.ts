import { Unfit } from './unfit.ts'

/** Documents of services are nested about 30 levels deep. */
const DEEPEST = 500
/** The largest public documents have about two million parts. */
const MOST_PARTS = 5_000_000

/**
 * Counts the parts of a document as it is when it is written out: an object that stands in two places counts twice. Refuses one that could not be written
 * out, since an object holds itself, and one that is too deep or too large to be worked on.
 */
export function measuredTree(root: unknown): number {
  /** 0 while an object is being measured. */
  const sizes = new Map<object, number>()
  const sizeOf = (part: unknown, depth: number): number => {
    if (typeof part !== 'object' || part === null) return 1
    const known = sizes.get(part)
    if (known === 0) throw new Unfit('holds an object that holds itself. Give it with its references, as it was written')
    if (known !== undefined) return known
    if (depth > DEEPEST) throw new Unfit(`is nested more than ${DEEPEST} levels deep`)
    sizes.set(part, 0)
    let size = 1
    for (const each of Object.values(part)) size += sizeOf(each, depth + 1)
    if (size > MOST_PARTS) throw new Unfit(`has more than ${MOST_PARTS} parts. Give it with its references, as it was written`)
    sizes.set(part, size)
    return size
  }
  return sizeOf(root, 0)
}
