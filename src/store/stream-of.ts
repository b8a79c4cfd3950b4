import type { Socket } from 'node:net'
import type pg from 'pg'

/** The socket of a client. The driver has no word for it; it names it so in all versions. */
export function streamOf(client: pg.ClientBase): Pick<Socket, 'ref' | 'unref' | 'destroy'> | undefined {
  return (client as unknown as { readonly connection?: { readonly stream?: Socket } }).connection?.stream
}
