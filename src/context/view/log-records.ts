/** One record of a log: its first line, and the lines that belong to it. */
export interface LogRecord {
  readonly line: number
  readonly lines: number
  readonly time?: string | undefined
  readonly level?: string | undefined
  readonly component?: string | undefined
  readonly message: string
  /** A line of an access log: all of it is in the fields. */
  readonly isAccess?: true | undefined
  readonly fields: readonly (readonly [string, string])[]
}

const LONGEST_LINE = 2000
const TIME =
  /^\[?((?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?![:\d])|\d{4}-\d\d-\d\d(?=\s))\]?[:,]?\s*/
const LEVEL = /^[[(<]?(TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|ERR|FATAL|CRITICAL|CRIT|PANIC|SEVERE)[\])>]?:?\s*[-|]?\s*/i
const COMPONENT = /^(?:\[([\w./:@ -]{1,60})\]\s*:?|([\w./@-]{1,40}(?:\[\d{1,10}\])?):)\s+(?=\S)/
/** `mx2 postfix/smtp[123]: `, as the log of a machine has it: where, which program. */
const OF_A_HOST = /^([\w.-]{1,60}) ([A-Za-z][\w./()-]{0,60})(?:\[(\d{1,10})\])?:\s+(?=\S)/
const ACCESS =
  /^(\S{1,80}) \S{1,60} (\S{1,60}) \[([^\]]{1,40})\] "([A-Z]{1,10}) (\S{1,1000})[^"]{0,20}" (\d{3}) (\d+|-)(?: "([^"]{0,500})" "([^"]{0,500})")?/
const PAIR = /(?:^|[\s,;({[])([A-Za-z_][\w.-]{0,40})=("[^"]{0,200}"|'[^']{0,200}'|[^\s,;)}\]]{1,200})/g
const CONTINUED =
  /^(?:\s+\S|Caused by:|Traceback|During handling|The above exception|\.\.\. \d+ more|at |(?:[A-Za-z_$][\w$]{0,60}\.){0,8}[A-Z][\w$]{0,60}(?:Error|Exception|Warning|Failure)(?:$|[:\s]))/

/** The records of a log. Lines that are indented or belong to a trace are of the record above. */
export function logRecords(lines: readonly string[]): LogRecord[] {
  const records: LogRecord[] = []
  let open: { record: LogRecord; lines: number } | undefined
  const close = (): void => {
    if (open !== undefined) records.push({ ...open.record, lines: open.lines })
    open = undefined
  }
  lines.forEach((whole, line) => {
    const text = whole.slice(0, LONGEST_LINE)
    if (text.trim() === '') return
    // What stands after the indented lines of a trace is its error, whatever its name is.
    const isAfterTrace =
      /^\s+\S/.test(lines[line - 1] ?? '') && lines.slice(Math.max(0, line - 3), line).some((each) => /^\s+File "/.test(each))
    if (open !== undefined && (CONTINUED.test(text) || isAfterTrace) && !TIME.test(text)) {
      open.lines = line - open.record.line + 1
      return
    }
    close()
    open = { record: recordOf(text, line), lines: 1 }
  })
  close()
  return records
}

/** What a line of a log says, without its number, when and where. */
export function withoutTime(line: string): string {
  const bare = line.replace(/^line \d{1,9}: /, '').slice(0, LONGEST_LINE)
  const said = bare.replace(TIME, '')
  if (said === bare) return bare
  return said.replace(OF_A_HOST, (_head, _host: string, program: string) => `${program}: `)
}

/** A path without the parts that name one thing. */
function routeOf(path: string): string {
  return path
    .replace(/\?.*$/, '')
    .split('/')
    .map((part) => (/\d/.test(part) ? '*' : part))
    .join('/')
}

/** How many of the first lines begin like records of a log. */
export function logShare(lines: readonly string[]): number {
  const sample = lines.filter((line) => line.trim() !== '' && !CONTINUED.test(line)).slice(0, 200)
  if (sample.length < 3) return 0
  return sample.filter((line) => TIME.test(line) || ACCESS.test(line.slice(0, LONGEST_LINE)) || LEVEL.test(line)).length / sample.length
}

function recordOf(text: string, line: number): LogRecord {
  const access = ACCESS.exec(text)
  if (access !== null) return accessRecord(access, line)
  let rest = text
  const take = (pattern: RegExp): string | undefined => {
    const found = pattern.exec(rest)
    if (found === null) return undefined
    rest = rest.slice(found[0].length)
    return found[1] ?? found[2]
  }
  const time = take(TIME)
  const [head = '', host, program, pid] = time === undefined ? [] : (OF_A_HOST.exec(rest) ?? [])
  if (host !== undefined && (pid !== undefined || /^[A-Z]/.test(time ?? ''))) {
    rest = rest.slice(head.length)
    const level = take(LEVEL)?.toUpperCase()
    return { line, lines: 1, time, level, component: program, message: rest, fields: [['host', host], ...pairsOf(rest)] }
  }
  let level = take(LEVEL)
  const component = take(COMPONENT)
  level ??= take(LEVEL)
  return { line, lines: 1, time, level: level?.toUpperCase(), component, message: rest, fields: pairsOf(rest) }
}

function pairsOf(text: string): (readonly [string, string])[] {
  return [...text.matchAll(PAIR)].map(([, key = '', value = '']) => [key, value.replace(/^["']|["']$/g, '')])
}

function accessRecord(
  [, client = '', user = '', time, method = '', path = '', status = '', bytes = '', referrer, agent]: RegExpExecArray,
  line: number,
): LogRecord {
  const fields: (readonly [string, string])[] = [
    ['client', client],
    ['method', method],
    ['path', path],
    ['route', routeOf(path)],
    ['status', status],
  ]
  if (bytes !== '-') fields.push(['bytes', bytes])
  if (user !== '-') fields.push(['user', user])
  if (referrer !== undefined && referrer !== '-') fields.push(['referrer', referrer])
  if (agent !== undefined && agent !== '-') fields.push(['agent', agent])
  return { line, lines: 1, time, message: `${method} ${path} ${status}`, isAccess: true, fields }
}
