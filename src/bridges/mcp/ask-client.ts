import { LONGEST_TIMEOUT_MS } from '../../tool/ports/clock.ts'
import type { ReviewHandler } from '../../tool/review.ts'
import { CHANNELS } from '../channels.ts'
import { formFor, type Telling } from './form-for.ts'
import { FormsOf } from './heard-form.ts'

/** The library gives up later than we do, so that the reason is ours. */
const GRACE_MS = 1000

/** Asks the client's user while the request of the client waits: as revisions before 2026-07-28 have it. A request that is withdrawn is withdrawn there too. */
export function askClient(telling: Telling, timeoutMs: number): ReviewHandler {
  const { mcpReq } = telling.context
  return {
    channel: CHANNELS.mcp,
    deciders: 'unnamed',
    timeoutMs,
    review: async (request, { signal }) => {
      const timeout = Math.min((request.timeoutMs ?? timeoutMs) + GRACE_MS, LONGEST_TIMEOUT_MS)
      const forms = new FormsOf(request)
      for (;;) {
        const params = { mode: 'form', ...formFor(request, telling, forms.problem) }
        const decision = await forms.heard(await mcpReq.send({ method: 'elicitation/create', params }, { signal, timeout }))
        if (decision !== undefined) return decision
      }
    },
  }
}
