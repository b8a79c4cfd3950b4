/** Monday is 1, as in ISO 8601. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

export type Weekday = (typeof WEEKDAYS)[number]

export function weekdayNamed(number: number): Weekday {
  return WEEKDAYS[number - 1] ?? 'Monday'
}
