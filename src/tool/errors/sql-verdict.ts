import {
  ABSENT,
  BROKEN,
  BUSY,
  DEFECT,
  FORBIDDEN,
  LOCKED_OUT,
  LOST,
  MALFORMED,
  TAKEN,
  UNREACHED,
  verdict,
  type Verdict,
  wordsFor,
} from './verdict.ts'

/** SQLSTATE classes (the first two characters), and the codes that differ from their class. */
const STATES = wordsFor([
  [LOST, '08 57 40003'],
  // Said of a message that the server did not understand, such as one with too few parameters.
  [MALFORMED, '08P01'],
  [UNREACHED, '08001 08004 57P03'],
  [MALFORMED, '0A 0P 20 21 22 24 26 34 3B 3F 42 44 54 23502 23514 55P02'],
  [TAKEN, '23 27 2B 55000 42P07 42P04 42P06 42710 42701 42723'],
  [FORBIDDEN, '25006 42501'],
  [LOCKED_OUT, '28'],
  [verdict('not_found', 'not_started'), '3D'],
  [BUSY, '40 53 55 72 25P03 25P04'],
  [verdict('deadline_exceeded', 'failed'), '57014'],
  [BROKEN, '58 F0 HV XX'],
  [ABSENT, '58P01 P0002'],
  [DEFECT, '25 2D 53100'],
])

/** The meaning of a SQLSTATE; undefined for any other value. */
export function sqlVerdict(state: unknown): Verdict | undefined {
  if (typeof state !== 'string' || !/^[0-9A-Z]{5}$/.test(state)) return undefined
  return STATES.get(state) ?? STATES.get(state.slice(0, 2))
}

/** By the primary result codes of SQLite, which are the low byte of the extended ones. */
const SQLITE: ReadonlyMap<number, Verdict> = new Map([
  [1, MALFORMED],
  [2, DEFECT],
  [3, FORBIDDEN],
  [5, BUSY],
  [6, BUSY],
  [7, DEFECT],
  [8, FORBIDDEN],
  [9, verdict('cancelled', 'failed')],
  [10, BROKEN],
  [11, DEFECT],
  [13, DEFECT],
  [14, verdict('not_found', 'not_started')],
  [17, BUSY],
  [18, MALFORMED],
  [19, TAKEN],
  [20, MALFORMED],
  [23, FORBIDDEN],
  [25, MALFORMED],
  [26, DEFECT],
])
/** NOT NULL, CHECK and the type of a column: the values are wrong, and not the state of the data. */
const WRONG_VALUES: ReadonlySet<unknown> = new Set([1299, 275, 3091])

/** The meaning of a numeric result code of SQLite, as `node:sqlite` gives it. */
export function sqliteVerdict(code: unknown): Verdict | undefined {
  if (typeof code !== 'number') return undefined
  return WRONG_VALUES.has(code) ? MALFORMED : SQLITE.get(code & 0xff)
}

const SQLITE_WORDS = wordsFor([
  [BUSY, 'SQLITE_BUSY SQLITE_LOCKED SQLITE_SCHEMA SQLITE_PROTOCOL'],
  [FORBIDDEN, 'SQLITE_READONLY SQLITE_AUTH SQLITE_PERM'],
  [TAKEN, 'SQLITE_CONSTRAINT'],
  [MALFORMED, 'SQLITE_ERROR SQLITE_TOOBIG SQLITE_MISMATCH SQLITE_RANGE SQLITE_CONSTRAINT_NOTNULL SQLITE_CONSTRAINT_CHECK'],
  [MALFORMED, 'SQLITE_CONSTRAINT_DATATYPE'],
  [verdict('not_found', 'not_started'), 'SQLITE_CANTOPEN'],
  [DEFECT, 'SQLITE_CORRUPT SQLITE_NOTADB SQLITE_FULL SQLITE_NOMEM SQLITE_MISUSE'],
  [BROKEN, 'SQLITE_IOERR'],
])

/** The meaning of a result code of SQLite in words: an extended one begins with its primary one. */
export function sqliteWordVerdict(code: string): Verdict | undefined {
  if (!code.startsWith('SQLITE_')) return undefined
  return SQLITE_WORDS.get(code) ?? SQLITE_WORDS.get(code.split('_').slice(0, 2).join('_'))
}

/** Prisma: what the database or the client said, by number. */
const PRISMA = wordsFor([
  [LOCKED_OUT, 'P1000'],
  [UNREACHED, 'P1001 P2024'],
  [ABSENT, 'P2001 P2025'],
  [TAKEN, 'P2002 P2003 P2014'],
  [MALFORMED, 'P2000 P2011'],
  [BUSY, 'P2034'],
])

export function prismaVerdict({ name, code, errorCode }: Readonly<Record<string, unknown>>): Verdict | undefined {
  return typeof name === 'string' && name.startsWith('Prisma') ? (PRISMA.get(code) ?? PRISMA.get(errorCode)) : undefined
}

/** Errors that a client of MySQL reports itself, by number. */
const MYSQL_CLIENT: ReadonlyMap<unknown, Verdict> = new Map([
  ...[2002, 2003, 2005].map((errno) => [errno, UNREACHED] as const),
  ...[2006, 2013, 2055].map((errno) => [errno, LOST] as const),
])

/** By the number, where the code is no word. */
export function mysqlVerdict({ errno, sqlState }: Readonly<Record<string, unknown>>): Verdict | undefined {
  return typeof sqlState === 'string' ? MYSQL_CLIENT.get(errno) : undefined
}

/** MySQL: those whose SQLSTATE says too little. */
export const MYSQL_WORDS = wordsFor([
  [BUSY, 'ER_LOCK_WAIT_TIMEOUT ER_LOCK_DEADLOCK ER_CON_COUNT_ERROR ER_TOO_MANY_USER_CONNECTIONS ER_USER_LIMIT_REACHED'],
  [LOST, 'PROTOCOL_CONNECTION_LOST ER_SERVER_SHUTDOWN PROTOCOL_SEQUENCE_TIMEOUT ER_CLIENT_INTERACTION_TIMEOUT'],
  [TAKEN, 'ER_DUP_ENTRY ER_ROW_IS_REFERENCED_2 ER_NO_REFERENCED_ROW_2'],
  [LOCKED_OUT, 'ER_ACCESS_DENIED_ERROR ER_DBACCESS_DENIED_ERROR ER_HOST_NOT_PRIVILEGED ER_HOST_IS_BLOCKED ER_NOT_SUPPORTED_AUTH_MODE'],
  [FORBIDDEN, 'ER_TABLEACCESS_DENIED_ERROR ER_COLUMNACCESS_DENIED_ERROR ER_OPTION_PREVENTS_STATEMENT ER_SPECIFIC_ACCESS_DENIED_ERROR'],
  [MALFORMED, 'ER_PARSE_ERROR ER_BAD_FIELD_ERROR ER_NO_SUCH_TABLE ER_DATA_TOO_LONG ER_BAD_NULL_ERROR ER_TRUNCATED_WRONG_VALUE_FOR_FIELD'],
  [MALFORMED, 'ER_CHECK_CONSTRAINT_VIOLATED ER_NO_DEFAULT_FOR_FIELD ER_WARN_DATA_OUT_OF_RANGE ER_WRONG_VALUE_COUNT_ON_ROW'],
  [verdict('not_found', 'not_started'), 'ER_BAD_DB_ERROR'],
  [verdict('deadline_exceeded', 'failed'), 'ER_QUERY_TIMEOUT ER_QUERY_INTERRUPTED'],
  [UNREACHED, 'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR PROTOCOL_ENQUEUE_AFTER_QUIT POOL_CLOSED'],
  [ABSENT, 'ER_KEY_NOT_FOUND ER_SP_DOES_NOT_EXIST'],
])
