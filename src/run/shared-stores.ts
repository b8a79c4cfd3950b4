import { sharedBreakers } from '../combinators/breaker/shared-breakers.ts'
import { sharedLimits } from '../combinators/limit/shared-limits.ts'
import type { Stores } from '../tool/context.ts'
import type { SharedBoards } from './store/run-store.ts'

export interface BoardSharing {
  /** Opens the boards; asked again after a failure. Undefined where this process is the only one. */
  readonly open: () => Promise<SharedBoards | undefined>
  /** Receives what an operator should know, until the process leaves. */
  readonly warn: (message: string) => void
}

export interface SharedStores {
  readonly stores: Required<Pick<Stores, 'breakers' | 'limits'>>
  /**
   * Gives places and trials back, so that other processes need not wait until their time is over. Afterwards nothing here uses the database.
   */
  readonly leave: () => Promise<void>
}

/** The breakers and limits of this process, over the boards that the processes of an app share. */
export function sharedStores({ open, warn }: BoardSharing): SharedStores {
  let isLeaving = false
  const tell = (message: string): void => {
    if (!isLeaving) warn(message)
  }
  const breakers = sharedBreakers({ open: async () => (await open())?.breakers, warn: tell })
  const limits = sharedLimits({ open: async () => (await open())?.limits, warn: tell })
  return {
    stores: { breakers, limits },
    leave: async () => {
      isLeaving = true
      await Promise.allSettled([breakers.leave(), limits.leave()])
    },
  }
}
