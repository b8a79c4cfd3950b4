/** Names of countries and languages, as English writes them, with their codes. Made when the first one is asked for. */
const known = new Map<string, ReadonlyMap<string, string>>()

/** Other usual names of countries. */
const COUNTRIES: Readonly<Record<string, string>> = {
  ...{ usa: 'US', 'united states of america': 'US', uk: 'GB', 'great britain': 'GB', 'czech republic': 'CZ', turkey: 'TR', holland: 'NL' },
  ...{ 'the netherlands': 'NL', 'south korea': 'KR', 'ivory coast': 'CI', uae: 'AE' },
}

/** The code of a country by its name: `DE` for `Germany`. */
export function countryNamed(text: string): string | undefined {
  const lower = text.toLowerCase().replace(/^the\s/, '')
  return COUNTRIES[lower] ?? codesOf('region').get(lower) ?? flagged(text) ?? countryOfThree(text) ?? nativeCountry(lower)
}

/** The country of `🇩🇪`, which is two letters of its own kind. */
function flagged(text: string): string | undefined {
  const letters = /^[\u{1f1e6}-\u{1f1ff}]{2}$/u.test(text) ? [...text] : []
  const code = letters.map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) - FLAG_A + LETTER_A)).join('')
  return REGIONS.has(code) ? code : undefined
}

const FLAG_A = 0x1f1e6
const LETTER_A = 65

/** The code of two letters for one of three, by ISO 3166: `DE` for `DEU`. */
function countryOfThree(text: string): string | undefined {
  return [...THREE_LETTERS].find(([, three]) => three === text)?.[0]
}

/** The code of three letters: `DEU` for `Germany` and for `DE`. */
export function threeLettersOf(text: string): string | undefined {
  const two = /^[A-Z]{2}$/.test(text) ? text : countryNamed(text)
  return two === undefined ? undefined : THREE_LETTERS.get(two)
}

/** How countries are called in the languages of which the calendar knows the months. */
function nativeCountry(lower: string): string | undefined {
  let codes = known.get('native')
  if (codes === undefined) {
    const names = ['de', 'fr', 'es', 'it', 'pt', 'nl'].map((language) => new Intl.DisplayNames([language], { type: 'region' }))
    // Two countries are called Congo.
    const certain = [...REGIONS].filter((code) => code !== 'CG' && code !== 'CD')
    codes = new Map(names.flatMap((each) => certain.map((code) => [each.of(code)?.toLowerCase() ?? code, code] as const)))
    known.set('native', codes)
  }
  return codes.get(lower)
}

/** The code of a language by its name: `de` for `German`. */
export function languageNamed(text: string): string | undefined {
  return codesOf('language').get(text.toLowerCase()) ?? nativeLanguage(text.toLowerCase()) ?? languageOfThree(text)
}

/** The code of two letters for one of three, by ISO 639: `en` for `eng`, `de` for `deu` and `ger`. */
function languageOfThree(text: string): string | undefined {
  const [code = ''] = /^[a-z]{3}$/i.test(text) ? Intl.getCanonicalLocales(text) : []
  return code.length === 2 ? code : undefined
}

/** How a language calls itself: `Deutsch`. */
function nativeLanguage(lower: string): string | undefined {
  let codes = known.get('self')
  if (codes === undefined) {
    const own = 'de fr es it pt nl sv da fi pl cs ru uk tr ja zh ko ar hi el'.split(' ')
    codes = new Map(own.map((code) => [new Intl.DisplayNames([code], { type: 'language' }).of(code)?.toLowerCase() ?? code, code]))
    known.set('self', codes)
  }
  return codes.get(lower)
}

/** The codes of ISO 3166 that are in use, and those of the languages that most tools know. */
const CODES = {
  region:
    'AD AE AF AG AI AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU CV CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FO FR GA GB GD GE GH GL GM GN GQ GR GT GW GY HK HN HR HT HU ID IE IL IN IQ IR IS IT JM JO JP KE KG KH KI KM KR KW KZ LA LB LI LK LR LS LT LU LV LY MA MC MD ME MG MK ML MM MN MO MR MT MU MV MW MX MY MZ NA NE NG NI NL NO NP NZ OM PA PE PG PH PK PL PT PY QA RO RS RU RW SA SB SC SD SE SG SI SK SL SM SN SO SR ST SV SY SZ TD TG TH TJ TL TM TN TO TR TT TW TZ UA UG US UY UZ VA VE VN VU WS YE ZA ZM ZW',
  language:
    'af am ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko ky la lb lo lt lv mk ml mn mr ms mt my nb ne nl nn no pa pl ps pt ro ru si sk sl sq sr sv sw ta te th tr uk ur uz vi zh zu',
}

const REGIONS: ReadonlySet<string> = new Set(CODES.region.split(' '))

/** ISO 3166: two letters, then three. */
const THREE_LETTERS: ReadonlyMap<string, string> = new Map(
  (
    'AE ARE AR ARG AT AUT AU AUS BD BGD BE BEL BG BGR BO BOL BR BRA CA CAN CH CHE CL CHL CN CHN CO COL CR CRI CU CUB CY CYP CZ CZE DE DEU DK DNK DO DOM ' +
    'DZ DZA EC ECU EE EST EG EGY ES ESP ET ETH FI FIN FR FRA GB GBR GE GEO GH GHA GR GRC GT GTM HK HKG HN HND HR HRV HU HUN ID IDN IE IRL IL ISR IN IND ' +
    'IQ IRQ IR IRN IS ISL IT ITA JM JAM JO JOR JP JPN KE KEN KR KOR KW KWT KZ KAZ LB LBN LK LKA LT LTU LU LUX LV LVA MA MAR MT MLT MX MEX MY MYS NG NGA ' +
    'NL NLD NO NOR NP NPL NZ NZL OM OMN PA PAN PE PER PH PHL PK PAK PL POL PT PRT PY PRY QA QAT RO ROU RS SRB RU RUS SA SAU SE SWE SG SGP SI SVN SK SVK ' +
    'SN SEN TH THA TN TUN TR TUR TW TWN TZ TZA UA UKR UG UGA US USA UY URY VE VEN VN VNM ZA ZAF ZM ZMB ZW ZWE'
  )
    .match(/[A-Z]{2} [A-Z]{3}/g)
    ?.map((pair) => [pair.slice(0, 2), pair.slice(3)] as const),
)

function codesOf(type: 'language' | 'region'): ReadonlyMap<string, string> {
  let codes = known.get(type)
  if (codes === undefined) {
    const names = new Intl.DisplayNames(['en'], { type })
    codes = new Map(CODES[type].split(' ').map((code) => [names.of(code)?.toLowerCase() ?? code, code]))
    known.set(type, codes)
  }
  return codes
}

const STATES =
  'Alabama AL Alaska AK Arizona AZ Arkansas AR California CA Colorado CO Connecticut CT Delaware DE Florida FL Georgia GA Hawaii HI Idaho ID Illinois IL Indiana IN Iowa IA Kansas KS Kentucky KY Louisiana LA Maine ME Maryland MD Massachusetts MA Michigan MI Minnesota MN Mississippi MS Missouri MO Montana MT Nebraska NE Nevada NV New_Hampshire NH New_Jersey NJ New_Mexico NM New_York NY North_Carolina NC North_Dakota ND Ohio OH Oklahoma OK Oregon OR Pennsylvania PA Rhode_Island RI South_Carolina SC South_Dakota SD Tennessee TN Texas TX Utah UT Vermont VT Virginia VA Washington WA West_Virginia WV Wisconsin WI Wyoming WY'

/** The code of a state of the USA by its name. */
export function stateNamed(text: string): string | undefined {
  const words = STATES.split(' ')
  const at = words.findIndex((word, index) => index % 2 === 0 && word.replace('_', ' ').toLowerCase() === text.toLowerCase())
  return at === -1 ? undefined : words[at + 1]
}
