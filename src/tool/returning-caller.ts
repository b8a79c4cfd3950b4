import type { CallOptions } from './context.ts'
import type { Principal } from './principal.ts'

type Caller = () => Principal | undefined

const callers = new WeakMap<AbortSignal, Caller>()

/** Tells who has come back last for a call that outlives the request in which it began. The call is known by the signal of its options. */
export function followCaller(signal: AbortSignal, caller: Caller): void {
  callers.set(signal, caller)
}

/** Who stands behind a call now: whoever came back for it, else the principal of its options, with what it holds now. */
export function callerNow({ signal, principal }: Pick<CallOptions, 'signal' | 'principal'>): Principal | undefined {
  const caller = signal === undefined ? undefined : callers.get(signal)
  return caller?.() ?? principal
}
