import type { CallOptions } from '../tool/context.ts'
import { type Principal, sealedPrincipal } from '../tool/principal.ts'

/** Who calls, and for what: it belongs to the program that starts a run, never to the worker that carries it on. */
export type Starter = Pick<CallOptions, 'principal' | 'session' | 'agent' | 'task'>

/** As data that is kept with the run. */
export function starterOf({ principal, session, agent, task }: Starter): Starter {
  return { principal: principal === undefined ? undefined : asData(principal), session, agent, task }
}

/** An instance of a class cannot be kept: its fields are. */
function asData(principal: Principal): Principal {
  const sealed = sealedPrincipal(principal)
  return { ...sealed, id: sealed.id, permissions: [...sealed.permissions] }
}

/** The options of a worker without its own caller. A run that names nobody runs as nobody. */
export function withoutStarter<T extends Starter>(shared: T): Omit<T, keyof Starter> {
  const { principal: _principal, session: _session, agent: _agent, task: _task, ...others } = shared
  return others
}
