import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { answerOf, type ClientDriver, type ServerCommand } from '../client-driver.ts'

const PROGRAM = join(
  import.meta.dirname,
  '..',
  'node_modules',
  '@modelcontextprotocol',
  'inspector',
  'clients',
  'launcher',
  'build',
  'index.js',
)

const run = promisify(execFile)

/** Every request is a program of its own, with a server of its own. To cancel is to end the program. */
async function request({ command, args }: ServerCommand, flags: readonly string[], signal?: AbortSignal): Promise<Record<string, unknown>> {
  const given = [PROGRAM, '--cli', '--transport', 'stdio', ...flags, '--', command, ...args]
  const { stdout } = await run(process.execPath, given, { signal, killSignal: 'SIGINT' }).catch((error: { stdout?: string }) => {
    if (signal?.aborted !== true && error.stdout?.startsWith('{')) return { stdout: error.stdout }
    throw error
  })
  return JSON.parse(stdout) as Record<string, unknown>
}

export const driver: ClientDriver = {
  hasForms: false,
  connect: async (server) => ({
    list: async () => {
      const { tools } = await request(server, ['--method', 'tools/list'])
      return (tools as readonly { readonly name: string }[]).map(({ name }) => name)
    },
    call: async (name, input, { signal } = {}) => {
      const pairs = Object.entries(input).flatMap(([key, value]) => ['--tool-arg', `${key}=${String(value)}`])
      return answerOf(await request(server, ['--method', 'tools/call', '--tool-name', name, ...pairs], signal))
    },
    close: async () => {},
  }),
}
