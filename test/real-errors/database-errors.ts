import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { freePort } from '../fixtures/free-port.ts'
import type { StartedPostgres } from '../fixtures/postgres/start-postgres.ts'
import type { MisbehavingServers } from './misbehaving-servers.ts'
import { type RealError, realErrors } from './real-error.ts'

const TABLES = `
  create temp table customers (id int primary key, name varchar(5) not null, age int check (age > 0));
  create temp table orders (id int primary key, customer int references customers, during int4range, exclude using gist (during with &&));
  insert into customers values (1, 'Ada', 36);
  insert into orders values (1, 1, '[1,5)');
`

export function databaseErrors(postgres: StartedPostgres, servers: MisbehavingServers): readonly RealError[] {
  const connected = async (work: (client: pg.Client) => Promise<unknown>, options: pg.ClientConfig = {}): Promise<unknown> => {
    const client = new pg.Client({ ...postgres.config, ...options })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return await work(client)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  const queried =
    (...statements: readonly string[]) =>
    () =>
      connected(async (client) => {
        await client.query(TABLES)
        for (const statement of statements) await client.query(statement)
      })
  const nothing = async (): Promise<void> => undefined
  const elsewhere = (options: pg.ClientConfig) => () => connected(nothing, options)
  /** Runs `work` while somebody else holds the row of customer 1. */
  const besideAnother = (work: (client: pg.Client, other: pg.Client) => Promise<unknown>) => () =>
    connected((other) => connected((client) => work(client, other)))
  return [
    ...realErrors('pg', [
      ['no SQL', 'invalid_request', 'failed', queried('selec 1')],
      ['no such table', 'invalid_request', 'failed', queried('select * from nowhere')],
      ['no such column', 'invalid_request', 'failed', queried('select nothing from customers')],
      ['no such function', 'invalid_request', 'failed', queried('select no_such(1)')],
      ['a column that may be either', 'invalid_request', 'failed', queried('select id from customers, orders')],
      ['a column that is not grouped', 'invalid_request', 'failed', queried('select name, count(*) from customers')],
      ['a key twice', 'conflict', 'failed', queried("insert into customers values (1, 'Bob', 1)")],
      ['a row that does not exist', 'conflict', 'failed', queried('insert into orders values (2, 77, null)')],
      ['a row that others need', 'conflict', 'failed', queried('delete from customers')],
      ['times that overlap', 'conflict', 'failed', queried("insert into orders values (2, 1, '[3,9)')")],
      ['a required value that is missing', 'invalid_request', 'failed', queried('insert into customers values (2, null, 1)')],
      ['a check that fails', 'invalid_request', 'failed', queried("insert into customers values (2, 'Bob', -1)")],
      ['a text that is too long', 'invalid_request', 'failed', queried("insert into customers values (2, 'Robert', 1)")],
      ['a text in place of a number', 'invalid_request', 'failed', queried("select 'x'::int")],
      ['a date that does not exist', 'invalid_request', 'failed', queried("select '2025-02-30'::date")],
      ['a number that is too large', 'invalid_request', 'failed', queried('select 2147483647::int + 1')],
      ['a division by zero', 'invalid_request', 'failed', queried('select 1 / 0')],
      ['JSON that is none', 'invalid_request', 'failed', queried("select '{a'::json")],
      ['a table that exists', 'conflict', 'failed', queried('create temp table customers (id int)')],
      ['too few parameters', 'invalid_request', 'failed', () => connected((client) => client.query('select $1::int + $2::int', [1]))],
      ['a cast of a parameter', 'invalid_request', 'failed', () => connected((client) => client.query('select $1::int', ['x']))],
      ['no such schema', 'invalid_request', 'failed', queried('create table nowhere.a (id int)')],
      ['two rows in place of one', 'invalid_request', 'failed', queried('select (select generate_series(1, 2))')],
      [
        'a table that a view needs',
        'conflict',
        'failed',
        queried('create temp view shown as select * from customers', 'drop table customers'),
      ],
      ['a sequence that was not used yet', 'conflict', 'failed', queried('create temp sequence s', "select currval('s')")],
      ['no such cursor', 'invalid_request', 'failed', queried('fetch nowhere')],
      ['no such file on the server', 'not_found', 'failed', queried("select pg_read_file('/no/such')")],
      ['no row where one must be', 'not_found', 'failed', queried('do $$ declare a int; begin select 1 into strict a where false; end $$')],
      ['a row expected that is not there', 'tool_failed', 'failed', queried("do $$ begin raise exception 'The order is closed.'; end $$")],
      [
        'a transaction that has failed before',
        'tool_crashed',
        'failed',
        () =>
          connected(async (client) => {
            await client.query('begin')
            await client.query('select 1 / 0').catch(() => undefined)
            await client.query('select 1')
          }),
      ],
      ['a transaction that only reads', 'access_denied', 'failed', queried('begin read only', 'create table a (id int)')],
      ['a table of somebody else', 'access_denied', 'failed', queried('create role guest', 'set role guest', 'select * from pg_authid')],
      ['a statement that takes too long', 'deadline_exceeded', 'failed', queried("set statement_timeout = '20ms'", 'select pg_sleep(5)')],
      [
        'a lock that somebody else holds',
        'service_unavailable',
        'failed',
        besideAnother(async (client, other) => {
          await other.query('select pg_advisory_lock(1)')
          await client.query("set lock_timeout = '20ms'")
          await client.query('select pg_advisory_lock(1)')
        }),
      ],
      [
        'a deadlock',
        'service_unavailable',
        'failed',
        besideAnother(async (client, other) => {
          await Promise.all([client.query("set deadlock_timeout = '20ms'"), other.query("set deadlock_timeout = '5s'")])
          await client.query('select pg_advisory_lock(2)')
          await other.query('select pg_advisory_lock(3)')
          const waiting = other.query('select pg_advisory_lock(2)').catch(() => undefined)
          try {
            await client.query('select pg_advisory_lock(3)')
          } finally {
            await client.query('select pg_advisory_unlock_all()')
            await waiting
          }
        }),
      ],
      [
        'rows that changed meanwhile',
        'service_unavailable',
        'failed',
        besideAnother(async (client, other) => {
          await other.query('create table if not exists counters (n int); truncate counters; insert into counters values (1)')
          await client.query('begin isolation level serializable')
          await client.query('select * from counters')
          await other.query('update counters set n = 2')
          await client.query('update counters set n = 3')
        }),
      ],
      [
        'a connection that an administrator ends',
        'service_unavailable',
        'unknown',
        besideAnother(async (client, other) => {
          const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
          const waiting = client.query('select pg_sleep(5)')
          const [ended] = await Promise.allSettled([waiting, other.query('select pg_terminate_backend($1)', [rows[0]?.pid])])
          if (ended.status === 'rejected') throw ended.reason
        }),
      ],
      ['no such database', 'not_found', 'not_started', elsewhere({ database: 'none' })],
      ['no such user', 'access_denied', 'not_started', elsewhere({ user: 'nobody' })],
      ['a wrong password', 'access_denied', 'not_started', elsewhere({ password: 'wrong' })],
      ['no password', 'access_denied', 'not_started', elsewhere({ password: '' })],
      ['TLS that the server does not speak', 'upstream_error', 'not_started', elsewhere({ ssl: true })],
      [
        'nobody listens',
        'service_unavailable',
        'not_started',
        async () => connected(nothing, { host: '127.0.0.1', port: await freePort() }),
      ],
      ['a name that does not exist', 'service_unavailable', 'not_started', elsewhere({ host: 'no-such-host.invalid' })],
      [
        'a server that is silent',
        'service_unavailable',
        'not_started',
        elsewhere({ host: '127.0.0.1', port: servers.silentPort, connectionTimeoutMillis: 40 }),
      ],
      // It says the same as in the middle of a statement.
      ['a server that closes', 'service_unavailable', 'unknown', elsewhere({ host: '127.0.0.1', port: servers.closingPort })],
      [
        'no answer comes in time',
        'service_unavailable',
        'unknown',
        () => connected((client) => client.query('select pg_sleep(1)'), { query_timeout: 30 }),
      ],
      [
        'a client that was closed',
        'tool_crashed',
        'failed',
        async () => {
          const client = new pg.Client(postgres.config)
          await client.connect()
          await client.end()
          await client.query('select 1')
        },
      ],
      [
        'a pool without a free connection',
        'service_unavailable',
        'not_started',
        async () => {
          const pool = new pg.Pool({ ...postgres.config, max: 1, connectionTimeoutMillis: 30 })
          const client = await pool.connect()
          try {
            await pool.query('select 1')
          } finally {
            client.release()
            await pool.end()
          }
        },
      ],
    ]),
    ...realErrors('pg-boss', [
      [
        'nobody listens',
        'service_unavailable',
        'not_started',
        async () => {
          const boss = new PgBoss({ host: '127.0.0.1', port: await freePort() })
          boss.on('error', () => undefined)
          await boss.start()
        },
      ],
      ['a wrong setting', 'tool_failed', 'failed', () => new PgBoss({ connectionString: 'postgres://a', schema: '1 2' })],
    ]),
  ]
}
