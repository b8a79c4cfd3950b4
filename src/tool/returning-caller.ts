import type { CallOptions } from './context.ts'
import type { Principal } from './principal.ts'

type Caller = () => Principal | undefined

const CALLER: unique symbol = Symbol('caller')

/** A table of all calls would cost each of them more than most calls take. */
type CallSignal = AbortSignal & { [CALLER]?: Caller }

/** Tells who has come back last for a call that outlives the request in which it began. The call is known by the signal of its options. */
export function followCaller(signal: AbortSignal, caller: Caller): void {
  ;(signal as CallSignal)[CALLER] = caller
}

/** Who stands behind a call now: whoever came back for it, else the principal of its options, with what it holds now. */
export function callerNow({ signal, principal }: Pick<CallOptions, 'signal' | 'principal'>): Principal | undefined {
  return (signal as CallSignal | undefined)?.[CALLER]?.() ?? principal
}
