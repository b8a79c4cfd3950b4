import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { folderWith, runCli } from './run-cli.ts'

/** A message of PostgreSQL. */
function message(type: string, body: string): Buffer {
  const all = Buffer.from(`${type}\0\0\0\0${body}`, 'latin1')
  all.writeInt32BE(all.length - 1, 1)
  return all
}

const READY = Buffer.concat([message('R', '\0\0\0\0'), message('Z', 'I')])

/** What a database does that is of no use to anybody, but does not go away. */
const SILENT: Readonly<Record<string, (socket: Socket) => void>> = {
  'says nothing': () => {},
  'announces a message without an end': (socket) => void socket.write(Buffer.from([0x52, 0x7f, 0xff, 0xff, 0xff])),
  'asks for a password and says nothing more': (socket) => void socket.write(message('R', '\0\0\0\u0005abcd')),
  'lets the client in and says nothing more': (socket) => void socket.write(READY),
}

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function databaseThat(does: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    socket.once('data', () => does(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `postgres://ada:k-4711@127.0.0.1:${(server.address() as AddressInfo).port}/none?sslmode=disable`
}

/** Well below the half minute after which the database is given up. */
const MOST_MS = 25_000

describe.each(Object.entries(SILENT))('with a database that %s', (_what, does) => {
  test('doctor tells so, with all else that it has found', async () => {
    const url = await databaseThat(does)
    const cwd = await folderWith({ 'toolwright.config.mjs': 'export default { tools: [] }' })
    const { code, stdout } = await runCli(['doctor', '--json', '--database-url', url], { cwd, mostMs: MOST_MS })
    expect(code).toBe(1)
    const { checks } = JSON.parse(stdout) as { readonly checks: readonly { readonly name: string; readonly status: string }[] }
    expect(checks.find(({ name }) => name === 'database')).toMatchObject({ status: 'problem' })
    expect(checks.some(({ name }) => name === 'pg')).toBe(true)
    expect(stdout).not.toContain('k-4711')
  }, 40_000)

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'a worker that gets %s before it has begun ends',
    async (signal) => {
      let child: { readonly kill: (name: NodeJS.Signals) => boolean } | undefined
      const url = await databaseThat((socket) => {
        does(socket)
        child?.kill(signal)
      })
      const cwd = await folderWith({ 'toolwright.config.mjs': 'console.error("begun"); export default { tools: [] }' })
      const { code, stderr } = await runCli(['worker', '--database-url', url], {
        cwd,
        mostMs: MOST_MS,
        onStderr: (_text, started) => (child = started),
      })
      expect(code).toBe(signal === 'SIGTERM' ? 143 : 130)
      expect(stderr).toContain('has not begun')
      expect(stderr).not.toContain('k-4711')
    },
    40_000,
  )
})
