import type { OpenedRuns } from '../run/open-runs.ts'
import { appText } from '../store/app.ts'
import { printable } from '../tool/printable.ts'
import type { DurablePlace } from './open-database.ts'
import type { Output } from './output.ts'

/** `the app orders:development, in the database of /srv/orders`: says where nothing was found, since it may be the wrong place. */
export async function placeText({ app, database }: DurablePlace): Promise<string> {
  return printable(`the app ${appText(app)}, in ${await databaseText(database)}`)
}

async function databaseText({ url, home, store }: DurablePlace['database']): Promise<string> {
  if (store !== undefined) return 'the database that the configuration opened'
  const { storeLocation } = await import('../store/store-location.ts')
  const location = await storeLocation({ url, home })
  return location.kind === 'embedded'
    ? `the database of ${location.home}`
    : `the database ${location.database} at ${location.host}:${location.port}`
}

/** A worker in production and a command in a shell may mean different apps. */
export async function tellOtherApps({ app, store }: OpenedRuns, output: Output, hint: string): Promise<void> {
  const { listApps } = await import('../run/postgres/apps.ts')
  const others = (await listApps(store.pool)).map(appText).filter((each) => each !== appText(app))
  if (others.length > 0) output.note(printable(`Other apps of this database: ${others.join(', ')}. ${hint}`))
}
