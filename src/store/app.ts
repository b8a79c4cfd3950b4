import { quote } from '../schema/quote.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { KnownSecrets } from '../tool/secrets/known-secrets.ts'
import { maskText } from '../tool/secrets/mask-text.ts'
import type { App, AppOptions } from './app-options.ts'
import { nearestProject } from './project.ts'
import { cryptoModule } from '../tool/crypto-module.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

const USUAL_ENVIRONMENT = 'development'
/** Of a program outside all projects. */
const NAMELESS = 'default'
const LONGEST = 214

const NAMES = optionNames<AppOptions>({ name: true, environment: true })

export interface AppDefaults {
  /** Other programs use the database too: a program without a name could be mistaken for another one. */
  readonly isShared: boolean
  /** The folder from which the nearest package.json is looked for. The default is the working directory. */
  readonly from?: string | undefined
}

/** The app of this process: the given one, else `TOOLWRIGHT_APP`, else the nearest package.json and `NODE_ENV`. Each half is looked for by itself. */
export function appOf(given: string | AppOptions | undefined, { isShared, from }: AppDefaults): App {
  const { TOOLWRIGHT_APP: fromEnvironment = '', NODE_ENV: mode = '' } = process.env
  const own = typeof given === 'string' ? readApp(given, "The option 'app'") : checkedOptions(given)
  const shared = fromEnvironment === '' ? {} : readApp(fromEnvironment, 'TOOLWRIGHT_APP')
  const name = own.name ?? shared.name ?? nearestProject(from)?.name ?? (isShared ? undefined : NAMELESS)
  if (name === undefined)
    throw new ConfigurationError(
      'invalid_option',
      `This program has no name, and its database may serve other programs: there is no package.json in ${from ?? 'the working directory'} or above it. ` +
        "Name it: createRuntime({ app: 'orders' }), the flag --app or TOOLWRIGHT_APP.",
    )
  return { name, environment: own.environment ?? shared.environment ?? (mode === '' ? USUAL_ENVIRONMENT : mode) }
}

/** The text `orders:production`. */
export function appText({ name, environment }: App): string {
  return `${name}:${environment}`
}

/** Reads `orders:production`, `orders` or `:production`. */
function readApp(text: string, what: string): AppOptions {
  const [name = '', environment, ...more] = text.split(':')
  if (more.length > 0 || (name === '' && (environment ?? '') === ''))
    throw new ConfigurationError(
      'invalid_option',
      `${what} must be like 'orders', 'orders:production' or ':production', not ${shownApp(text)}.`,
    )
  return { name: checkedPart(name === '' ? undefined : name, what), environment: checkedPart(environment, what) }
}

function checkedOptions(given: AppOptions | undefined): AppOptions {
  if (given === undefined) return {}
  checkOptionNames(given, NAMES, "The options of 'app'")
  return { name: checkedPart(given.name, 'app.name'), environment: checkedPart(given.environment, 'app.environment') }
}

function checkedPart(part: unknown, what: string): string | undefined {
  if (part === undefined) return undefined
  if (typeof part === 'string' && part.length <= LONGEST && /^[^:\p{Cc}]+$/u.test(part)) return part
  throw new ConfigurationError(
    'invalid_option',
    `${what} must be a text of 1 to ${LONGEST} characters on one line without ':', not ${shownApp(part)}.`,
  )
}

/** It may be the address of a database, with its password: that is hidden before the text is cut. */
function shownApp(given: unknown): string {
  return quote(typeof given === 'string' ? maskText(given, new KnownSecrets()) : given)
}

/** Where PostgreSQL keeps what belongs to an app. */
export interface AppSchemas {
  /** Of its tables, and the name of the channel of its notices. */
  readonly tables: string
  /** Of its jobs. */
  readonly queue: string
}

/** A queue's name may have 50 characters, and ends in `_queue`. */
const LONGEST_READABLE = 24
const DIGITS = 8

/** Readable as far as there is room, and different for every app. Plain words of lower case: no statement has to quote them. */
export function schemasOf(app: App): AppSchemas {
  const text = appText(app)
  const readable = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
    .slice(0, LONGEST_READABLE)
  const tables = `toolwright_${readable}_${cryptoModule().createHash('sha256').update(text).digest('hex').slice(0, DIGITS)}`
  return { tables, queue: `${tables}_queue` }
}
