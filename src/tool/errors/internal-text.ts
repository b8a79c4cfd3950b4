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
  if (isOfMachine(thrown) || isOfPlatform(thrown) || showsInternals(message)) return true
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

/** By these two names a program ends its own work too, in words of its own. */
const OF_PROGRAMS: ReadonlySet<string> = new Set(['AbortError', 'TimeoutError'])

function isOfPlatform(thrown: object): boolean {
  return thrown instanceof DOMException && !OF_PROGRAMS.has(thrown.name)
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
  /\b[a-z][\w-]{0,62}(?:\.[\w-]{1,63}){0,8}\.[a-z]{2,24}:\d{2,5}\b/i,
  // A name of a network without dots, at a port of a service that people do not open.
  /\b[a-z][\w-]{0,62}:(?:1433|1521|2181|2379|3306|4222|5432|5672|6379|6432|9042|9092|9200|11211|26257|27017)\b/i,
  // IPv6: in brackets, written out, or with zeros left out.
  /\[[\da-f]{0,4}:[\da-f:]{0,40}(?:\.\d{1,3}){0,3}(?:%\w{1,16})?\]/i,
  /(?<![\w:])(?:[\da-f]{1,4}:){7}[\da-f]{1,4}(?![\w:])/i,
  /(?<![\w:])(?:[\da-f]{1,4}(?::[\da-f]{1,4}){0,6})?::[\da-f]{1,4}(?::[\da-f]{1,4}){0,6}(?![\w:])/i,
  // A path of this machine.
  /(?:^|[\s'"`(=:])\/(?:home|root|srv|usr|var|etc|opt|app|tmp|mnt|proc|Users|workspace|work|data|run)\/[\w.@-]/,
  /\b[A-Za-z]:\\[\w.]/,
  /\\\\[\w.-]{1,253}\\[\w.$-]/,
  /(?:^|[\s'"`(=:])\.{1,2}\/[\w.@-]{1,255}(?:\/|\.\w)/,
  /\bnode_modules\//,
  // A line of a stack.
  /\n\s{1,20}at \S/,
]

function showsInternals(message: string): boolean {
  const text = message.slice(0, READ_CHARACTERS)
  return INTERNALS.some((each) => each.test(text))
}
