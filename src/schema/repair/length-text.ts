import type { Place } from './place.ts'

const LENGTHS: ReadonlySet<string> = new Set(['duration', 'length', 'runtime', 'elapsed'])

const SPELLED = ['days', 'hours', 'minutes', 'seconds'] as const

/** `PT1H30M` as `1h 30m`, and the `1:30:00` of a length of time likewise. */
export function spelledOut(text: string, { words: names }: Place, isSeconds: boolean): string {
  const [, ...lengths] = /^P(?:(\d+)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i.exec(text) ?? []
  const clock = isSeconds || names.some((word) => LENGTHS.has(word)) ? /^(\d{1,3}):([0-5]\d):([0-5]\d)$/.exec(text) : null
  const counts = clock === null ? lengths : [undefined, ...clock.slice(1).map((count) => String(Number(count)))]
  const parts = counts.flatMap((count, index) =>
    count === undefined || (clock !== null && count === '0') ? [] : [`${count} ${SPELLED[index]}`],
  )
  return parts.length === 0 ? text : parts.join(' ')
}

const REPEATED: ReadonlySet<string> = new Set(['every', 'frequency', 'interval', 'polling', 'repeat'])

/** `every 15 minutes` for an interval. */
export function withoutEvery(text: string, { words: names }: Place): string {
  return names.some((word) => REPEATED.has(word)) ? text.replace(/^every\s+(?=\d)/i, '') : text
}
