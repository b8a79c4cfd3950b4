/** `node drive.ts <client> <file> <home>`: uses the server by one client, and prints what came of it as JSON. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Answer, ClientDriver, ServerCommand } from './client-driver.ts'

/** What one client could do. */
export interface Driven {
  readonly names: readonly string[]
  readonly called: Answer
  readonly failed: Answer
  /** How many reports of progress came. */
  readonly reports: number
  /** Whether a tool that came later is in its list. */
  readonly follows: boolean
  /** Whether the tool heard that its call was given up. */
  readonly cancelled: boolean
  /** A gate, with a client that shows no forms. */
  readonly refused: Answer
  /** The same with one that shows them; undefined where it cannot. */
  readonly approved: Answer | undefined
  /** A durable gate, with a client that shows no forms: the receipt. */
  readonly receipt: Answer
  /** What run_status told after a person had approved on the command line. */
  readonly status: Answer
}

/** A client may be a program that starts first. */
const BEGINS_MS = 60_000
/** As long as this nothing was heard: it will not be. */
const HEARS_MS = 10_000
/** A list that was changed is asked for again by then. */
const FOLLOWS_MS = 500

if (import.meta.main) {
  const [name = '', file = '', home = ''] = process.argv.slice(2)
  const { driver } = (await import(join(import.meta.dirname, 'drivers', `${name}.ts`))) as { readonly driver: ClientDriver }
  console.log(`driven: ${JSON.stringify(await drive(driver, file, home))}`)
  process.exit()
}

/** The server as a program, with these arguments. */
function serverWith(...given: readonly string[]): ServerCommand {
  const program = join(import.meta.dirname, '..', 'fixtures', 'clients', 'server.ts')
  return { command: process.execPath, args: ['--conditions=toolwright-source', program, ...given] }
}

async function drive(driver: ClientDriver, file: string, home: string): Promise<Driven> {
  writeFileSync(file, '')
  const server = serverWith(file)
  const client = await driver.connect(server, false)
  const names = await client.list()
  const called = await client.call('find_order', { email: 'ada@example.com' })
  const failed = await client.call('fails', {})
  let reports = 0
  await client.call('counts', {}, { onProgress: () => void reports++ })
  await client.call('grows', {})
  await pause(FOLLOWS_MS)
  const follows = (await client.list()).includes('grown')
  const refused = await client.call('pay', { amount: 7 })
  const giving = new AbortController()
  const hanging = client.call('hangs', {}, { signal: giving.signal }).catch(() => {})
  if (!(await isNoted(file, 'hanging', BEGINS_MS))) throw new Error('The call did not begin.')
  giving.abort()
  await hanging
  const cancelled = await isNoted(file, 'cancelled', HEARS_MS)
  await client.close()
  const approved = driver.hasForms ? await approve(driver, server) : undefined
  return { names, called, failed, reports, follows, cancelled, refused, approved, ...(await driveDurable(driver, file, home)) }
}

async function approve(driver: ClientDriver, server: ServerCommand): Promise<Answer> {
  const client = await driver.connect(server, true)
  const approved = await client.call('pay', { amount: 7 })
  await client.close()
  return approved
}

async function driveDurable(driver: ClientDriver, file: string, home: string): Promise<Pick<Driven, 'receipt' | 'status'>> {
  const client = await driver.connect(serverWith(file, home), false)
  const receipt = await client.call('pay', { amount: 8 })
  const [, run = '', request = ''] = /as run (\S+)\.[^]* approve (\S+)/.exec(receipt.text) ?? []
  const program = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts')
  const given = ['--conditions=toolwright-source', program, 'approve', request, '--by', 'ada', '--app', 'clients:test']
  await promisify(execFile)(process.execPath, given, { env: { ...process.env, TOOLWRIGHT_HOME: home, DATABASE_URL: '' } })
  const status = await client.call('run_status', { run, wait: 20 })
  await client.close()
  return { receipt, status }
}

async function isNoted(file: string, text: string, patienceMs: number): Promise<boolean> {
  const until = Date.now() + patienceMs
  while (Date.now() < until) {
    if (readFileSync(file, 'utf8').includes(`${text}\n`)) return true
    await pause(20)
  }
  return false
}
