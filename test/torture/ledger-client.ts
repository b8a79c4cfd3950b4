import { Agent, request } from 'node:http'
import { ToolError } from '../../src/tool/errors/tool-error.ts'
import { orderFailure, type PlaceOrder } from '../programs/leaf-order.ts'
import type { EffectOrder, LedgerReport } from './effect-order.ts'

export interface LedgerClient {
  /** Resolves when the effect is confirmed; else throws what a step should fail with. */
  readonly order: (order: EffectOrder, signal: AbortSignal) => Promise<void>
  /** The same for the leaves of programs: the effect goes by its place. */
  readonly placeOrder: PlaceOrder
  readonly report: () => Promise<LedgerReport>
}

export function ledgerClient(socketPath: string): LedgerClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 })
  const send = (body: string | undefined, signal?: AbortSignal): Promise<{ readonly status: number; readonly text: string }> =>
    new Promise((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST'
      const sent = request({ socketPath, agent, method, ...(signal === undefined ? {} : { signal }) }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        response.on('error', reject)
      })
      sent.on('error', reject)
      sent.end(body)
    })
  return {
    order: async (order, signal) => {
      const { status } = await send(JSON.stringify(order), signal).catch((cause: unknown) => {
        const retryable = order.mode === 'flaky'
        throw new ToolError(`The ledger did not answer about '${order.effect}'.`, {
          class: 'transient',
          outcome: 'unknown',
          retryable,
          cause,
        })
      })
      if (status !== 200) throw new ToolError(`The ledger refused '${order.effect}'.`, { outcome: 'failed', retryable: false })
    },
    placeOrder: async (order, { signal }) => {
      const effect = order.path.replace(/@\d+$/, '').replace(/\/undo\.([^/]*)$/, '/$1')
      const { status } = await send(JSON.stringify({ ...order, effect }), signal).catch(() => ({ status: 0 }))
      if (status !== 200) throw orderFailure(order, status === 0 ? 'nothing' : 'refused')
    },
    report: async () => JSON.parse((await send(undefined)).text) as LedgerReport,
  }
}
