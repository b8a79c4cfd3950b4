import type pg from 'pg'
import type { AppSchemas } from './app.ts'
import type { Store } from './store.ts'
import { transaction } from './transaction.ts'

/** A database as one app sees it. */
export interface AppStore extends Store {
  readonly schemas: AppSchemas
}

/**
 * In statements of the package the words `toolwright` and `toolwright_queue` stand for the schemas of the app, and for the channel of its
 * notices: nothing that such a statement touches belongs to another app. No schema of an app has one of these names, so that a statement
 * that is sent past this store finds no table.
 */
export function appStore(store: Store, schemas: AppSchemas): AppStore {
  const pool = appPool(store.pool, schemas)
  return {
    kind: store.kind,
    pool,
    get connection() {
      return store.connection
    },
    transaction: (work) => transaction(pool, work),
    close: store.close,
    schemas,
  }
}

/** The same pool for the statements of one app. Connections are shared with the pool that is given. */
export function appPool(pool: pg.Pool, schemas: AppSchemas): pg.Pool {
  const rewritten = rewriting(schemas)
  const scoped = <T extends pg.Pool | pg.PoolClient>(on: T, own: ReadonlyMap<PropertyKey, unknown> = new Map()): T =>
    new Proxy(on, {
      get: (target, name) => {
        if (own.has(name)) return own.get(name)
        const member: unknown = Reflect.get(target, name, target)
        if (typeof member !== 'function') return member
        if (name !== 'query') return member.bind(target) as unknown
        return (statement: string | pg.QueryConfig, ...more: readonly unknown[]): unknown =>
          member.call(target, rewritten(statement), ...more)
      },
    })
  return scoped(pool, new Map([['connect', async () => scoped(await pool.connect())]]))
}

/** The text of a statement, or a statement with a text and a name. */
function rewriting(schemas: AppSchemas): (statement: string | pg.QueryConfig) => string | pg.QueryConfig {
  const words = inSchemas(schemas)
  const known = new Map<string, string>()
  const once = (text: string): string => {
    const before = known.get(text)
    if (before !== undefined) return before
    const after = words(text)
    if (known.size < MOST_TEXTS) known.set(text, after)
    return after
  }
  return (statement) => {
    if (typeof statement === 'string') return once(statement)
    const { text, name, ...rest } = statement
    return { ...rest, text: once(text), ...(name === undefined ? {} : { name: once(name) }) }
  }
}

/** Puts the schemas of an app into the text of a statement. `$toolwright` is a mark inside values, and no schema. */
export function inSchemas({ tables, queue }: AppSchemas): (text: string) => string {
  return (text) =>
    text.replaceAll(/(?<!\$)\btoolwright(_queue)?\b/g, (_word, ofQueue: string | undefined) => (ofQueue === undefined ? tables : queue))
}

/** The statements of the package are fewer. */
const MOST_TEXTS = 1000
