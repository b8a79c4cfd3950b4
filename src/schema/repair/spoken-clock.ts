import { pad } from './calendar.ts'
import { numberWord } from './number-words.ts'

/** `half past two pm` and `14 Uhr 30` as `2:30 pm` and `14:30`; the given text where it is no such time. A half of the day must be told. */
export function clockSpoken(given: string): string {
  const text = given
    .replace(/^(?:at|kl\.?|um|à|t(?=\d\d:))\s*(?=\d)/i, '')
    .replace(/(?<=\d|m\.?)\s+(?:sharp|on the dot|local time)$/i, '')
    .replace(/(?<=\d\s?)([ap])\.?\s?m\.?$/i, '$1m')
    .replace(
      /^(\d{1,2})\s?[時点点시]\s?(?:(\d{1,2})\s?[分분])?$/u,
      (_all, hour: string, minute = '0') => `${pad(Number(hour))}:${pad(Number(minute))}`,
    )
    .trim()
  const german = /^(\d{1,2})\s?(?:uhr|heures|horas)(?:\s?(\d\d))?$/i.exec(text)
  if (german !== null) return `${pad(Number(german[1]))}:${german[2] ?? '00'}`
  const military = /^([01]\d|2[0-3])([0-5]\d)\s?(?:h|hrs|hours)$/i.exec(text)
  if (military !== null) return `${military[1]}:${military[2]}`
  const [, part = '', side = '', hour = '', half] =
    /^(half|(?:a )?quarter|\w+(?:-\w+)?(?: minutes)?) (past|to) (\w+) ?([ap]\.?m\.?|in the (?:morning|afternoon|evening))$/i.exec(text) ??
    []
  const minutes = minutesOf(
    part
      .toLowerCase()
      .replace(/^a /, '')
      .replace(/ minutes$/, ''),
  )
  const hours = /^\d{1,2}$/.test(hour) ? Number(hour) : numberWord(hour)
  if (half === undefined || minutes === undefined || hours === undefined || hours < 1 || hours > 12) return text
  const isBefore = side.toLowerCase() === 'to'
  const before = hours === 1 ? 12 : hours - 1
  // One hour before twelve is in the other half of the day.
  if (isBefore && hours === 12) return text
  return `${isBefore ? before : hours}:${pad(isBefore ? 60 - minutes : minutes)} ${/^a|morning/i.test(half) ? 'am' : 'pm'}`
}

function minutesOf(part: string): number | undefined {
  if (part === 'half') return 30
  if (part === 'quarter') return 15
  const count = /^\d{1,2}$/.test(part) ? Number(part) : numberWord(part)
  return count === undefined || count < 1 || count > 29 ? undefined : count
}
