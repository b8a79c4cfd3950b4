import { ToolError } from '../../src/tool/errors/tool-error.ts'
import type { ToolContext } from '../../src/tool/context.ts'
import type { LeafMode } from './program.ts'

/** What a leaf asks the ledger for. */
export interface LeafOrder {
  /** The name that the run was given as its `task`; empty outside runs. */
  readonly run: string
  /** The name of the leaf's tool. */
  readonly leaf: string
  readonly kind: 'do' | 'undo' | 'look'
  readonly path: string
  /** The idempotency key of the step. */
  readonly key: string
  readonly isKeyed: boolean
  readonly mode: LeafMode
  readonly ms: number
}

/** Where leaves send their orders. Resolves when the ledger confirms; else rejects with what the leaf should fail with. */
export type PlaceOrder = (order: LeafOrder, caller: Pick<ToolContext, 'signal' | 'clock'>) => Promise<void>

/** How the ledger answers an order that comes for the n-th time under its key: whether it takes effect, and whether that is said. */
export function treatOrder(
  mode: LeafMode,
  times: number,
): { readonly takesEffect: boolean; readonly says: 'done' | 'refused' | 'nothing' } {
  switch (mode) {
    case 'ok':
    case 'odd_value':
      return { takesEffect: true, says: 'done' }
    case 'refused':
    case 'odd_message':
      return { takesEffect: false, says: 'refused' }
    case 'unsaid':
      return { takesEffect: true, says: 'nothing' }
    case 'lost':
      return { takesEffect: false, says: 'nothing' }
    case 'flaky':
      return { takesEffect: times > 1, says: times > 2 ? 'done' : 'nothing' }
  }
}

/** Half of a surrogate pair at its end: what `slice` makes of an emoji. */
const HALF = 'price: 😀'.slice(0, 8)

/** A text that is hard to keep. */
export const ODD_TEXT = `${HALF} and \0 inside`

/** What a leaf fails with where the ledger did not confirm its order. */
export function orderFailure(order: Pick<LeafOrder, 'leaf' | 'mode'>, says: 'refused' | 'nothing', note = ''): ToolError {
  const { leaf, mode } = order
  if (says === 'nothing')
    return new ToolError(`The ledger did not answer '${leaf}'${note}.`, { class: 'transient', outcome: 'unknown', retryable: true })
  const why = mode === 'odd_message' ? `: ${HALF}` : '.'
  return new ToolError(`The ledger refused '${leaf}'${note}${why}`, { outcome: 'failed', retryable: false })
}
