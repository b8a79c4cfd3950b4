/** A day of the calendar. */
export interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

const FIRST_YEAR = 1000
const LAST_YEAR = 9999

/** The day with this year, month and day; undefined if there is none. */
export function readDay([year = 0, month = 0, day = 0]: readonly number[]): Day | undefined {
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR && month >= 1 && month <= 12 && day >= 1)) return undefined
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate() ? { year, month, day } : undefined
}

export function dayText({ year, month, day }: Day): string {
  return `${year}-${pad(month)}-${pad(day)}`
}

export function pad(number: number): string {
  return String(number).padStart(2, '0')
}

export const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** Months that are written otherwise in German, French, Spanish, Italian, Portuguese, Dutch, in the languages of the north, in Polish, Russian, Turkish, Czech and Finnish. */
const ELSEWHERE: ReadonlyMap<string, number> = new Map(
  [
    'januar janvier enero gennaio janeiro januari jänner stycznia января ocak ledna tammikuuta',
    'februar février febrero febbraio fevereiro februari lutego февраля şubat února helmikuuta',
    'märz mars marzo março maart marts marca марта mart března maaliskuuta',
    'avril abril aprile kwietnia апреля nisan dubna huhtikuuta',
    'mai mayo maggio maio mei maj maja мая mayıs května toukokuuta',
    'juni juin junio giugno junho czerwca июня haziran června kesäkuuta',
    'juli juillet julio luglio julho lipca июля temmuz července heinäkuuta',
    'août agosto augustus augusti sierpnia августа ağustos srpna elokuuta',
    'septembre septiembre settembre setembro września сентября eylül září syyskuuta',
    'oktober octobre octubre ottobre outubro października октября ekim října lokakuuta',
    'novembre noviembre novembro listopada ноября kasım listopadu marraskuuta',
    'dezember décembre diciembre dicembre dezembro desember grudnia декабря aralık prosince joulukuuta',
  ].flatMap((names, index) => names.split(' ').flatMap((name) => [name, withoutMarks(name)].map((each) => [each, index + 1] as const))),
)

function withoutMarks(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '')
}

/** The number of a month by its name or its first letters (`sept`); undefined for another word. */
export function monthNamed(word: string): number | undefined {
  return numberNamed(MONTHS, word, 1) ?? ELSEWHERE.get(word.toLowerCase().replace(/\.$/, ''))
}

/** Weekdays in the same languages, beginning with Sunday. */
const WEEKDAYS_ELSEWHERE: ReadonlyMap<string, number> = new Map(
  [
    'sonntag dimanche domingo domenica zondag søndag söndag niedziela воскресенье',
    'montag lundi lunes lunedì maandag mandag måndag segunda-feira poniedziałek понедельник',
    'dienstag mardi martes martedì dinsdag tirsdag tisdag terça-feira wtorek вторник',
    'mittwoch mercredi miércoles mercoledì woensdag onsdag quarta-feira środa среда',
    'donnerstag jeudi jueves giovedì donderdag torsdag quinta-feira czwartek четверг',
    'freitag vendredi viernes venerdì vrijdag fredag sexta-feira piątek пятница',
    'samstag sonnabend samedi sábado sabato zaterdag lørdag lördag sobota суббота',
  ].flatMap((names, index) => names.split(' ').flatMap((name) => [name, withoutMarks(name)].map((each) => [each, index] as const))),
)

/** 0 for a Sunday. */
export function weekdayNamed(word: string): number | undefined {
  return numberNamed(WEEKDAYS, word, 0) ?? WEEKDAYS_ELSEWHERE.get(word.toLowerCase())
}

function numberNamed(names: readonly string[], word: string, first: number): number | undefined {
  const lower = word.toLowerCase().replace(/\.$/, '')
  if (lower.length < 3) return undefined
  const index = names.findIndex((name) => name === lower || (lower.length <= 5 && name.startsWith(lower)))
  return index === -1 ? undefined : index + first
}

export function weekdayOf({ year, month, day }: Day): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay()
}
