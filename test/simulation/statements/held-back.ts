import type { Transaction } from '../transaction.ts'

/** Whether runs of a tool may be held back: its text, and what it gives. */
export const MAY_HOLD_BACK = (tool: string): string => `(EXISTS (SELECT FROM toolwright.run h WHERE h.held_back AND h.tool = ${tool})
    OR EXISTS (SELECT FROM toolwright.worker w WHERE ${tool} = ANY(w.limited)))`

export function mayHoldBack(on: Transaction, tool: string): boolean {
  return on.all('run').some((run) => run.held_back && run.tool === tool) || on.all('worker').some(({ limited }) => limited.includes(tool))
}
