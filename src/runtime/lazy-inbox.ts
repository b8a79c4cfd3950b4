import type { Inbox } from '../review/inbox.ts'
import { runtimeClosed } from '../tool/errors/runtime-closed.ts'

export interface LazyInbox {
  readonly open: () => Promise<Inbox>
  readonly isClosed: () => boolean
  /** Receives what an operator should know. */
  readonly warn: (message: string) => void
}

/** An inbox that is opened when somebody first uses it. */
export function lazyInbox({ open, isClosed, warn }: LazyInbox): Inbox {
  return {
    handler: {
      channel: 'inbox',
      deciders: 'principals',
      counts: true,
      review: async (request, wait) => (await open()).handler.review(request, wait),
    },
    list: async (filter) => (await open()).list(filter),
    get: async (id) => (await open()).get(id),
    approve: async (id, by, how) => (await open()).approve(id, by, how),
    edit: async (id, change, by, how) => (await open()).edit(id, change, by, how),
    answer: async (id, value, by) => (await open()).answer(id, value, by),
    reject: async (id, reason, by) => (await open()).reject(id, reason, by),
    stop: async (id, reason, by) => (await open()).stop(id, reason, by),
    expire: async (id, by) => (await open()).expire(id, by),
    assign: async (id, assignee, by) => (await open()).assign(id, assignee, by),
    on: (event, listener) => {
      if (isClosed()) throw runtimeClosed()
      let isOver = false
      let end = (): void => {}
      const listen = (inbox: Inbox): void => {
        if (!isOver && !isClosed()) end = inbox.on(event, listener)
      }
      open().then(listen, (error: unknown) => {
        if (!isOver && !isClosed()) warn(`The inbox cannot tell of '${event}', since it could not be opened: ${(error as Error).message}`)
      })
      return () => {
        isOver = true
        end()
      }
    },
  }
}
