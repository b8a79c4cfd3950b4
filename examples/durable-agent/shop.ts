import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The shop: it knows orders, and pays each key once. `beforeOrders` is called when somebody asks for orders. */
export async function openShop(beforeOrders: () => Promise<void>) {
  const paid = new Map<string, string>()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://shop')
    if (pathname === '/refund') {
      paid.set(searchParams.get('key') ?? '', searchParams.get('order') ?? '')
      response.end(`${searchParams.get('order')} is paid back`)
      return
    }
    void beforeOrders().then(() => response.setHeader('content-type', 'application/json').end('[{"id":"A-7","total":30}]'))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paid,
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}
