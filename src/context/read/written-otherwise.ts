const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december']
const MONTH = `(${MONTHS.map((month) => `${month.slice(0, 3)}(?:${month.slice(3)})?`).join('|')})`.replaceAll('(?:)?', '')
const ISO = /\b(\d{4})[-/.](\d\d?)[-/.](\d\d?)\b/
const DAY_FIRST = /\b(\d\d?)[./](\d\d?)[./](\d{4})\b/
const COMPACT = /\b(20\d\d|19\d\d)(\d\d)(\d\d)\b/
const DAY_MONTH = new RegExp(`\\b(\\d\\d?)(?:st|nd|rd|th)?\\.?[ /-](?:of )?${MONTH}\\.?(?:[ ,/-]+(\\d{4}))?\\b`, 'i')
const MONTH_DAY = new RegExp(`\\b${MONTH}\\.? (\\d\\d?)(?:st|nd|rd|th)?(?:,? (\\d{4}))?\\b`, 'i')

/** A text with its letters, marks and numbers as they are usually typed: without case, accents, curly quotes, separators of thousands. */
export function plainly(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[‘’‚′]/g, "'")
    .replace(/[“”„″]/g, '"')
    .replace(/[‐-―−]/g, '-')
    .replace(/\s+/g, ' ')
    .replace(/(?<![\d.,'])\d{1,3}(?:([.,' ])\d{3})(?:\1\d{3})*(?![\d'])/g, (number) => number.replace(/[.,' ]/g, ''))
}

interface Day {
  readonly year: string | undefined
  readonly month: number
  readonly day: number
  /** What was written. */
  readonly text: string
}

/** Other ways to write the day that a text names; none if it names no day. */
export function otherDates(text: string): readonly string[] {
  const found = dayOf(text)
  if (found === undefined) return []
  const { year, month, day, text: written } = found
  const name = MONTHS[month - 1] ?? ''
  const short = name.slice(0, 3)
  const [m, d] = [String(month).padStart(2, '0'), String(day).padStart(2, '0')]
  const spoken = [name, short].flatMap((each) => [
    `${day} ${each}`,
    `${d} ${each}`,
    `${d}/${each}`,
    `${each} ${day}`,
    `${each} ${d}`,
    `${each}  ${day}`,
  ])
  const forms =
    year === undefined
      ? [...spoken, `-${m}-${d}`, `${d}.${m}.`]
      : [
          `${year}-${m}-${d}`,
          `${year}/${m}/${d}`,
          `${year}.${m}.${d}`,
          `${year}${m}${d}`,
          `${d}.${m}.${year}`,
          `${day}.${month}.${year}`,
          `${d}/${m}/${year}`,
          `${m}/${d}/${year}`,
          `${d}-${m}-${year}`,
          ...spoken.flatMap((each) => [`${each} ${year}`, `${each}, ${year}`, `${each}/${year}`]),
          ...spoken,
        ]
  return [...new Set(forms)]
    .filter((form) => form !== written.toLowerCase())
    .map((form) => text.toLowerCase().replace(written.toLowerCase(), form))
}

function dayOf(text: string): Day | undefined {
  const iso = ISO.exec(text) ?? COMPACT.exec(text)
  if (iso !== null) return dayIf({ year: iso[1], month: Number(iso[2]), day: Number(iso[3]), text: iso[0] })
  const first = DAY_FIRST.exec(text)
  if (first !== null) return dayIf({ year: first[3], month: Number(first[2]), day: Number(first[1]), text: first[0] })
  const spoken = DAY_MONTH.exec(text)
  if (spoken !== null) return dayIf({ year: spoken[3], month: monthOf(spoken[2]), day: Number(spoken[1]), text: spoken[0] })
  const american = MONTH_DAY.exec(text)
  if (american !== null) return dayIf({ year: american[3], month: monthOf(american[1]), day: Number(american[2]), text: american[0] })
  return undefined
}

function dayIf(day: Day): Day | undefined {
  return day.month >= 1 && day.month <= 12 && day.day >= 1 && day.day <= 31 ? day : undefined
}

function monthOf(name = ''): number {
  return MONTHS.findIndex((month) => month.startsWith(name.slice(0, 3).toLowerCase())) + 1
}
