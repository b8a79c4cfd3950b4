import { nearestNames } from '../../../schema/nearest-names.ts'
import { namesZone, readStart } from './read-start.ts'
import { Reader, readZoneOrOffset } from './reader.ts'
import {
  type MomentRequest,
  NotUnderstood,
  type Request,
  type Start,
  type Step,
  type Unit,
  unitNamed,
  UNITS,
  type ZoneName,
} from './request.ts'

const UNIT = /business\s+[a-z]+|[a-z]+/
/** More digits than any calendar has. */
const MOST_DIGITS = 12

/** Reads the whole text by the grammar, or throws an error with the place of the mistake. */
export function parseRequest(text: string): Request {
  const reader = new Reader(text)
  const request = readRequest(reader)
  if (reader.ended) return request
  throw restProblem(reader, request)
}

function readRequest(reader: Reader): Request {
  if (reader.word('weekday')) {
    expectWord(reader, 'of')
    return { kind: 'weekday', moment: readMoment(reader) }
  }
  if (reader.word('convert')) return { kind: 'moment', moment: readConversion(reader) }
  if (reader.peek(new RegExp(`(?:${UNIT.source})\\s+between(?!\\w)`)) !== undefined) {
    const unit = readUnit(reader)
    expectWord(reader, 'between')
    const from = readMoment(reader)
    expectWord(reader, 'and')
    return { kind: 'difference', from, to: readMoment(reader), unit }
  }
  const moment = readMoment(reader)
  if (!reader.word('to')) return { kind: 'moment', moment }
  const to = readMoment(reader)
  return { kind: 'difference', from: moment, to, unit: reader.word('in') ? readUnit(reader) : undefined }
}

function readMoment(reader: Reader): MomentRequest {
  const { at } = reader
  const start = readStart(reader)
  const steps: Step[] = []
  for (let step = readStep(reader); step !== undefined; step = readStep(reader)) steps.push(step)
  return { start, steps, at }
}

/** `convert <date and time> from <zone> to <zone>`; the time may name its zone itself. */
function readConversion(reader: Reader): MomentRequest {
  const moment = readMoment(reader)
  const { at } = reader
  const from = reader.word('from') ? expectZone(reader) : undefined
  const start = from === undefined ? moment.start : startIn(moment.start, from, at)
  const to = reader.at
  if (!reader.word('in')) expectWord(reader, 'to')
  return { ...moment, start, steps: [...moment.steps, { kind: 'convert', zone: expectZone(reader), at: to }] }
}

function startIn(start: Start, zone: ZoneName, at: number): Start {
  if (
    (start.kind === 'datetime' && start.offset === undefined && start.zone === undefined) ||
    (start.kind === 'day' && start.zone === undefined)
  )
    return { ...start, zone }
  if (start.kind === 'date')
    throw new NotUnderstood('A date without a time cannot be converted to a zone', at, `Give the time, such as ${start.iso}T00:00.`)
  throw new NotUnderstood(`The time names its zone already, and 'from ${zone.name}' follows it`, at, 'Leave one of the two out.')
}

function readStep(reader: Reader): Step | undefined {
  const { at } = reader
  const sign = reader.take(/[+-]/)?.[0]
  if (sign !== undefined) return { kind: 'add', ...readAmount(reader, sign === '-' ? -1 : 1), at }
  if (!namesZone(reader) || !reader.word('in')) return undefined
  return { kind: 'convert', zone: expectZone(reader), at }
}

function expectZone(reader: Reader): ZoneName {
  const zone = readZoneOrOffset(reader)
  if (zone === undefined) throw new NotUnderstood(`A zone is expected, not ${reader.found}`, reader.at, 'Write one, such as Europe/Berlin.')
  return zone
}

function readAmount(reader: Reader, sign: 1 | -1): { readonly count: number; readonly unit: Unit } {
  const { at } = reader
  const what = `A whole number and a unit are expected, not ${reader.found}`
  if (reader.peek(/\d{4}-\d/)) throw new NotUnderstood(what, at, 'For the time between two dates write <date> to <date> in days.')
  if (reader.peek(/\d{1,2}:\d/)) throw new NotUnderstood(what, at, 'Write an offset right behind the time, such as 2024-01-31T09:30+05:30.')
  const digits = reader.take(/\d+(?![\d.,])/)?.[0]
  if (digits === undefined) throw new NotUnderstood(what, at, 'Write it such as + 90 minutes; take a smaller unit for a fraction.')
  if (digits.length > MOST_DIGITS) throw new NotUnderstood(`${digits.slice(0, MOST_DIGITS)}... is too large a number`, at)
  return { count: sign * Number(digits), unit: readUnit(reader) }
}

function readUnit(reader: Reader): Unit {
  const { at, found } = reader
  const word = reader.take(UNIT)?.[0]
  const unit = word === undefined ? undefined : unitNamed(word)
  if (unit !== undefined) return unit
  const [near] = nearestNames(word ?? '', UNITS)
  const advice = near === undefined ? '' : ` Did you mean '${near}'?`
  throw new NotUnderstood(
    `A unit is expected, not ${word === undefined ? found : `'${word}'`}`,
    at,
    `Units are ${UNITS.join(', ')}.${advice}`,
  )
}

function expectWord(reader: Reader, word: string): void {
  if (!reader.word(word)) throw new NotUnderstood(`'${word}' is expected, not ${reader.found}`, reader.at)
}

function restProblem(reader: Reader, request: Request): NotUnderstood {
  const { at, found } = reader
  // A zone behind `in` would have been taken.
  if (request.kind !== 'difference' && reader.word('in')) {
    const advice = 'Write one, such as now in Europe/Berlin; a unit stands behind two dates, such as <date> to <date> in days.'
    return new NotUnderstood(`A zone is expected after 'in', not ${reader.found}`, reader.at, advice)
  }
  return new NotUnderstood(`${found} is not understood here`, at, adviceOnRest(reader, request))
}

function adviceOnRest(reader: Reader, { kind }: Request): string {
  if (reader.peek(/\d+\s*[a-z]/)) return 'Put + or - before each amount, such as now + 2 hours + 30 minutes.'
  if (reader.peek(/\d{1,2}:\d/)) return 'Write a time right behind its date, such as 2024-01-31T09:30.'
  if (kind === 'difference') return 'A difference has two dates and one unit, such as <date> to <date> in days, and nothing after them.'
  if (kind === 'weekday') return 'A weekday is that of one date; what may follow it is + or - with an amount, in with a zone, or nothing.'
  return 'What may follow is + or - with an amount, in with a zone, to with a second date, or nothing.'
}
