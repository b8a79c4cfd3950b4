/** `node drive.ts <client> <file>`: uses the server by one client, and prints what came of it as JSON. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, ClientDriver, ServerCommand } from './client-driver.ts'

/** What one client could do. */
export interface Driven {
  readonly names: readonly string[]
  readonly called: Answer
  readonly failed: Answer
  /** Whether the tool heard that its call was given up. */
  readonly cancelled: boolean
  /** A gate, with a client that shows no forms. */
  readonly refused: Answer
  /** The same with one that shows them; undefined where it cannot. */
  readonly approved: Answer | undefined
}

/** A client may be a program that starts first. */
const BEGINS_MS = 60_000
/** As long as this nothing was heard: it will not be. */
const HEARS_MS = 10_000

if (import.meta.main) {
  const [name = '', file = ''] = process.argv.slice(2)
  const { driver } = (await import(join(import.meta.dirname, 'drivers', `${name}.ts`))) as { readonly driver: ClientDriver }
  const args = ['--conditions=toolwright-source', join(import.meta.dirname, '..', 'fixtures', 'clients', 'server.ts'), file]
  console.log(`driven: ${JSON.stringify(await drive(driver, { command: process.execPath, args }, file))}`)
  process.exit()
}

async function drive(driver: ClientDriver, server: ServerCommand, file: string): Promise<Driven> {
  writeFileSync(file, '')
  const client = await driver.connect(server, false)
  const names = await client.list()
  const called = await client.call('find_order', { email: 'ada@example.com' })
  const failed = await client.call('fails', {})
  const refused = await client.call('pay', { amount: 7 })
  const giving = new AbortController()
  const hanging = client.call('hangs', {}, giving.signal).catch(() => {})
  if (!(await isNoted(file, 'hanging', BEGINS_MS))) throw new Error('The call did not begin.')
  giving.abort()
  await hanging
  const cancelled = await isNoted(file, 'cancelled', HEARS_MS)
  await client.close()
  if (!driver.hasForms) return { names, called, failed, cancelled, refused, approved: undefined }
  const approving = await driver.connect(server, true)
  const approved = await approving.call('pay', { amount: 7 })
  await approving.close()
  return { names, called, failed, cancelled, refused, approved }
}

async function isNoted(file: string, text: string, patienceMs: number): Promise<boolean> {
  const until = Date.now() + patienceMs
  while (Date.now() < until) {
    if (readFileSync(file, 'utf8').includes(`${text}\n`)) return true
    await pause(20)
  }
  return false
}
