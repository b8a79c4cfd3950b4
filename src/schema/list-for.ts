/** A list that grows item by item gets room for sixteen more first, and for half of what it holds later. */
const LONGEST = 16

/**
 * A list to be filled with so many items, from the first to the last. A short one gets no more room than it needs: copies of lists in lists
 * would otherwise take ten times the memory, and each walk through them longer. A proxy may say any length.
 */
export function listFor(length: number): unknown[] {
  // oxlint-disable-next-line unicorn/no-new-array -- a list of this length, and no other way makes one without a walk
  return Number.isInteger(length) && length > 0 && length <= LONGEST ? new Array<unknown>(length) : []
}
