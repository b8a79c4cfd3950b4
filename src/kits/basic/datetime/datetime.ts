import type { AgentTool } from '../../../tool/agent-tool.ts'
import { ConfigurationError } from '../../../tool/errors/configuration-error.ts'
import { failure, success } from '../../../tool/result/returned.ts'
import { tool } from '../../../tool/tool.ts'
import { answer } from './answer.ts'
import { type DatetimeValue, datetimeValueSchema } from './datetime-value.ts'
import { zoneProblem } from './moment.ts'
import { parseRequest } from './parse-request.ts'
import { NotUnderstood } from './request.ts'
import { checkOptionNames, optionNames } from '../../../tool/option-names.ts'

/** The options of `datetime`. */
export interface DatetimeOptions {
  /** Where `now` comes from; by default the clock of the call. */
  readonly clock?: { readonly now: () => number } | undefined
  /** The zone of `now`, `today` and of times that name none: a name of the IANA list or an offset; UTC by default. */
  readonly zone?: string | undefined
}

const FORMS = [
  'now',
  'today',
  'tomorrow',
  'yesterday',
  'next monday',
  'tomorrow 09:00 Europe/Berlin',
  'now in America/New_York',
  '2024-01-01 + 5 days',
  'now + 2 hours - 30 minutes',
  '2024-05-17 + 3 business days',
  '2024-03-10T12:00 America/New_York in Europe/Berlin',
  '2024-01-01T00:00:00+05:30 in UTC',
  'convert 2024-03-10 12:00 from America/New_York to Europe/Berlin',
  '2024-01-01 to 2024-03-01 in days',
  'days between 2024-01-01 and today',
  'business days between 2024-05-01 and 2024-05-31',
  'weekday of 2024-02-29',
].join('; ')

const NAMES = optionNames<DatetimeOptions>({ clock: true, zone: true })

const LONGEST_INPUT = 500

/**
 * Makes the tool `datetime`: what time it is, arithmetic with dates, conversion between zones, differences, weekdays and business days
 * (Monday to Friday, no holidays). It reads a small grammar and refuses what lies outside it.
 * @example
 * const dates = datetime({ zone: 'Europe/Berlin' })
 * const due = await dates.call('2024-01-31 + 1 month')
 * console.log(due.text) // 2024-02-29 (Thursday)
 */
export function datetime(options: DatetimeOptions = {}): AgentTool<string, DatetimeValue> {
  checkOptionNames(options, NAMES, 'The options of datetime')
  const { clock, zone = 'UTC' } = options
  const problem = typeof zone === 'string' ? zoneProblem(zone) : 'It must be a text.'
  if (problem !== undefined) throw new ConfigurationError('invalid_option', `The zone of datetime cannot be used. ${problem}`)
  return tool({
    name: 'datetime',
    description: [
      'Tells the current date and time and calculates with dates: arithmetic, time zones, differences, weekdays, business days (Monday to Friday, no holidays).',
      `Use it rather than calculating dates yourself. Where no zone is named it is ${zone}.`,
      `The input is one expression such as: ${FORMS}. Dates are ISO (year-month-day).`,
    ].join(' '),
    effect: 'read',
    idempotent: true,
    tags: ['time'],
    estimates: { latencyMs: 1, p99Ms: 20, costUsd: 0, reliability: 1 },
    outputSchema: datetimeValueSchema,
    async execute(input, context) {
      try {
        return await evaluate(input, { now: (clock ?? context.clock).now(), zone })
      } catch (error) {
        if (!(error instanceof NotUnderstood)) throw error
        return failure(error.message, { code: 'invalid_input', hint: `Correct the expression. Understood are: ${FORMS}.` })
      }
    },
  })
}

async function evaluate(input: string, { now, zone }: { readonly now: number; readonly zone: string }) {
  if (input.length > LONGEST_INPUT)
    throw new NotUnderstood(`The input has ${input.length} characters`, LONGEST_INPUT, 'Send one expression.')
  const request = parseRequest(input)
  // Loaded by the first call, so that importing the kit stays cheap.
  const { Temporal: temporal } = await import('temporal-polyfill')
  const notes: string[] = []
  const { value, text } = answer(request, { temporal, now: temporal.Instant.fromEpochMilliseconds(Math.floor(now)), zone, notes })
  const distinct = [...new Set(notes)]
  return success(value, {
    text: [text, ...distinct].join('. Note: '),
    ...(distinct.length > 0 && { issues: distinct.map((message) => ({ severity: 'warning' as const, message })) }),
  })
}
