import type { Inbox } from './inbox-interface.ts'

/** An inbox that is opened when somebody first uses it. */
export function lazyInbox(open: () => Promise<Inbox>): Inbox {
  return {
    handler: { review: async (request, wait) => (await open()).handler.review(request, wait) },
    list: async (filter) => (await open()).list(filter),
    get: async (id) => (await open()).get(id),
    approve: async (id, by) => (await open()).approve(id, by),
    edit: async (id, change, by) => (await open()).edit(id, change, by),
    answer: async (id, value, by) => (await open()).answer(id, value, by),
    reject: async (id, reason, by) => (await open()).reject(id, reason, by),
    stop: async (id, reason, by) => (await open()).stop(id, reason, by),
    expire: async (id) => (await open()).expire(id),
    assign: async (id, assignee) => (await open()).assign(id, assignee),
    on: (event, listener) => {
      let isOver = false
      let end = (): void => {}
      void open().then((inbox) => {
        if (!isOver) end = inbox.on(event, listener)
      })
      return () => {
        isOver = true
        end()
      }
    },
  }
}
