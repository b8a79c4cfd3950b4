const WORKING = 5
const WEEK = 7

/**
 * How many calendar days to move for so many business days, Monday to Friday, from a day with this number in the week.
 * From a weekend the first business day on the way counts as one; none leaves every day as it is.
 */
export function businessDayShift(weekday: number, count: number): number {
  if (count === 0) return 0
  if (count < 0) return -businessDayShift(mirrored(weekday), -count)
  const pastFriday = Math.max(0, weekday - WORKING)
  const fromMonday = weekday - pastFriday - 1
  const moved = fromMonday + count
  return Math.floor(moved / WORKING) * WEEK + (moved % WORKING) - fromMonday - pastFriday
}

/** How many business days lie after a day with this number in the week, up to and including the one so many days on. It undoes the shift. */
export function countBusinessDays(weekday: number, days: number): number {
  if (days === 0) return 0
  if (days < 0) return 0 - countBusinessDays(mirrored(weekday), -days)
  let count = Math.floor(days / WEEK) * WORKING
  for (let day = 1; day <= days % WEEK; day++) if ((weekday - 1 + day) % WEEK < WORKING) count++
  return count
}

/** The week read backwards: Friday becomes Monday, Saturday becomes Sunday. */
function mirrored(weekday: number): number {
  return weekday <= WORKING ? WORKING + 1 - weekday : WORKING + WEEK + 1 - weekday
}
