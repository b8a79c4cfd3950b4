import {
  ABSENT,
  BROKEN,
  BUSY,
  DEFECT,
  FORBIDDEN,
  LOCKED_OUT,
  LOST,
  MALFORMED,
  NEVER,
  TAKEN,
  THROTTLED,
  UNREACHED,
  type Verdict,
} from './verdict.ts'

type Thrown = Readonly<Record<string, unknown>>
type Numbers = ReadonlyMap<unknown, Verdict>

function numbersFor(table: readonly (readonly [Verdict, readonly number[]])[]): Numbers {
  return new Map(table.flatMap(([meaning, codes]) => codes.map((code) => [code, meaning] as const)))
}

/** Protocols whose numbers look like those of HTTP and mean something else: AMQP, MQTT and FTP; and the breakers of other libraries. */
export function protocolVerdict(thrown: Thrown): Verdict | undefined {
  const { name, code, classId, methodId } = thrown
  if (typeof classId === 'number' && typeof methodId === 'number') return AMQP.get(code) ?? LOST
  if (name === 'ErrorWithReasonCode') return MQTT.get(code) ?? MALFORMED
  if (name === 'FTPError') return ftpVerdict(code)
  return sshVerdict(thrown) ?? breakerVerdict(thrown) ?? postgrestVerdict(thrown)
}

const AMQP = numbersFor([
  [LOST, [320]],
  [MALFORMED, [311, 313, 402]],
  [FORBIDDEN, [403, 530]],
  [ABSENT, [312, 404]],
  [BUSY, [405, 506]],
  [TAKEN, [406]],
  [DEFECT, [501, 502, 503, 504, 505]],
  [NEVER, [540]],
  [BROKEN, [541]],
])

const MQTT = numbersFor([
  [UNREACHED, [3, 136, 137, 156]],
  [LOCKED_OUT, [4, 5, 134, 135, 138, 140]],
  [LOST, [139, 141, 142, 152]],
  [BUSY, [147]],
  [THROTTLED, [150, 151, 159]],
  [TAKEN, [145]],
  [ABSENT, [146]],
  [BROKEN, [128, 131]],
])

/** A connection that the server has not taken, has not opened or has ended; then logins and files. */
const FTP = numbersFor([
  [BUSY, [421, 450, 451, 452]],
  [LOST, [425, 426]],
  [LOCKED_OUT, [430, 530, 532, 534]],
  [ABSENT, [550]],
  [NEVER, [502, 504]],
])

function ftpVerdict(code: unknown): Verdict | undefined {
  return FTP.get(code) ?? (typeof code !== 'number' ? undefined : code >= 500 ? MALFORMED : code >= 400 ? BUSY : undefined)
}

/** Said while a connection of SSH is made. */
const SSH: ReadonlyMap<unknown, Verdict> = new Map([
  ['client-authentication', LOCKED_OUT],
  ['client-timeout', UNREACHED],
  ['client-dns', UNREACHED],
])

function sshVerdict({ level }: Thrown): Verdict | undefined {
  return SSH.get(level)
}

/** Cockatiel and Opossum: an open breaker or a full queue lets nothing through. */
function breakerVerdict({ isBrokenCircuitError, isBulkheadRejectedError, isTaskCancelledError, code }: Thrown): Verdict | undefined {
  if (isBrokenCircuitError === true || code === 'EOPENBREAKER') return UNREACHED
  if (isBulkheadRejectedError === true || code === 'ESEMLOCKED') return UNREACHED
  return isTaskCancelledError === true ? LOST : undefined
}

/** PostgREST: connection, request, schema, token. */
function postgrestVerdict({ code }: Thrown): Verdict | undefined {
  const group = typeof code === 'string' ? /^PGRST(\d)(\d\d)$/.exec(code) : null
  if (group === null) return undefined
  if (code === 'PGRST116') return ABSENT
  return POSTGREST.get(group[1])
}

const POSTGREST: ReadonlyMap<unknown, Verdict> = new Map([
  ['0', UNREACHED],
  ['1', MALFORMED],
  ['2', MALFORMED],
  ['3', LOCKED_OUT],
])
