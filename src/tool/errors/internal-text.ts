import { isRecord } from '../../schema/json-schema.ts'
import { hasBrand } from './brand.ts'
import { messageOf } from './message-of.ts'

/**
 * Whether the message of a thrown value was written by a machine for its developers: by the system, a database, the language itself. The author
 * of a tool who throws an error of their own has worded it for the reader, unless it repeats one of those, or shows where the program lives.
 */
export function isInternal(thrown: unknown): boolean {
  return isInternalAt(thrown, MOST_CAUSES)
}

const MOST_CAUSES = 8

function isInternalAt(thrown: unknown, left: number): boolean {
  const message = messageOf(thrown)
  if (!isRecord(thrown)) return showsInternals(message)
  if (hasBrand(thrown, 'tool')) return thrown['internal'] === true
  if (hasBrand(thrown, 'execution')) return isInternalResult(thrown['result'])
  if (isOfMachine(thrown) || showsInternals(message)) return true
  const causes = [thrown['cause'], ...(Array.isArray(thrown['errors']) ? (thrown['errors'] as unknown[]).slice(0, left) : [])]
  return left > 0 && causes.some((each) => isRepeated(messageOf(each), message) && isInternalAt(each, left - 1))
}

function isRepeated(inner: string, outer: string): boolean {
  return inner !== '' && outer.includes(inner)
}

function isInternalResult(result: unknown): boolean {
  const error = isRecord(result) ? result['error'] : undefined
  return isRecord(error) && error['internal'] === true
}

/** `ENOENT`, `ERR_INVALID_ARG_TYPE`, a SQLSTATE such as `42P01`, `P2002` of an ORM. */
const MACHINE_CODE = /^(?:E[A-Z][A-Z0-9_]*|ERR_\w+|[0-9A-Z]{5}|P\d{4}|SQLITE_\w+)$/
const MACHINE_NAME =
  /^(?:(?:Type|Reference|Range|Syntax|URI|Eval|Assertion|Aggregate|Internal|System|Database)Error$|Mongo|Sequelize|Prisma|Redis|QueryFailed|Postgres)/
const MACHINE_FIELDS = ['syscall', 'errno', 'sqlState', 'sqlMessage', 'severity', 'errcode']

function isOfMachine(thrown: Record<string, unknown>): boolean {
  const { code, name } = thrown
  if (typeof code === 'string' && MACHINE_CODE.test(code)) return true
  if (typeof name === 'string' && MACHINE_NAME.test(name)) return true
  return MACHINE_FIELDS.some((field) => thrown[field] !== undefined)
}

/** The beginning is enough: an error says early what it is about. */
const READ_CHARACTERS = 10_000

const INTERNALS: readonly RegExp[] = [
  // Codes of the system.
  /\bE(?:CONN|NOENT|ACCES|PERM|ADDR|HOST|NET|NOTFOUND|AI_|TIMEDOUT|PIPE|MFILE|NOSPC|XIST|ISDIR|NOTDIR)[A-Z_]*\b/,
  // A URL with a user, or one that no browser opens.
  /\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s/@]{1,200}@/i,
  /\b(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|rediss?|amqps?|file|jdbc:\w{1,20}|ldaps?|kafka|nats|unix):\/\//i,
  // An address of a machine.
  /\b(?:\d{1,3}\.){3}\d{1,3}\b/,
  /\blocalhost:\d/i,
  // A path of this machine.
  /(?:^|[\s'"`(=:])\/(?:home|root|srv|usr|var|etc|opt|app|tmp|mnt|proc|Users|workspace|work|data|run)\/[\w.@-]/,
  /\b[A-Za-z]:\\[\w.]/,
  /\bnode_modules\//,
  // A line of a stack.
  /\n\s{1,20}at \S/,
]

function showsInternals(message: string): boolean {
  const text = message.slice(0, READ_CHARACTERS)
  return INTERNALS.some((each) => each.test(text))
}
