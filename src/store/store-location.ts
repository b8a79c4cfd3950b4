import { type DatabaseUrl, readDatabaseUrl } from './database-url.ts'
import { embeddedFolders } from './embedded-folders.ts'
import { homeFolder } from './home-folder.ts'
import { LOCATION_NAMES, type StoreLocationOptions } from './store-options.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

const NAMES = optionNames<StoreLocationOptions>(LOCATION_NAMES)

/** Where `openStore` would go. Nothing in it is secret. */
export type StoreLocation =
  | { readonly kind: 'embedded'; readonly home: string; readonly data: string; readonly log: string }
  | {
      readonly kind: 'url'
      readonly host: string
      readonly port: number
      readonly user: string | undefined
      readonly database: string | undefined
    }

/**
 * Tells which database `openStore` would use, without opening it.
 * @example
 * const location = await storeLocation({ home: '/srv/orders' })
 * console.log(location.kind === 'embedded' ? location.data : location.host) // /srv/orders/postgres/data
 */
export async function storeLocation(options: StoreLocationOptions = {}): Promise<StoreLocation> {
  checkOptionNames(options, NAMES, 'The options of storeLocation')
  const url = await databaseUrlOf(options)
  if (url !== undefined) return { kind: 'url', host: url.host, port: url.port, user: url.user, database: url.database }
  const { home, data, log } = embeddedFolders(homeFolder(options.home))
  return { kind: 'embedded', home, data, log }
}

/** The URL that was given, else that of the environment: the same program moves to a shared database without a change. A given home overrides the environment. */
export async function databaseUrlOf({ url, home }: StoreLocationOptions): Promise<DatabaseUrl | undefined> {
  if (url !== undefined) return readDatabaseUrl(url, "The option 'url'")
  if (home !== undefined) return undefined
  const { DATABASE_URL: fromEnvironment = '' } = process.env
  return fromEnvironment === '' ? undefined : readDatabaseUrl(fromEnvironment, 'DATABASE_URL')
}
