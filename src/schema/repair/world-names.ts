/** Names of countries and languages, as English writes them, with their codes. Made when the first one is asked for. */
const known = new Map<string, ReadonlyMap<string, string>>()

/** Other usual names of countries. */
const COUNTRIES: Readonly<Record<string, string>> = {
  ...{ usa: 'US', 'united states of america': 'US', uk: 'GB', 'great britain': 'GB', 'czech republic': 'CZ', turkey: 'TR', holland: 'NL' },
  ...{ 'the netherlands': 'NL', 'south korea': 'KR', 'ivory coast': 'CI', uae: 'AE' },
}

/** The code of a country by its name: `DE` for `Germany`. */
export function countryNamed(text: string): string | undefined {
  return COUNTRIES[text.toLowerCase()] ?? codesOf('region').get(text.toLowerCase())
}

/** The code of a language by its name: `de` for `German`. */
export function languageNamed(text: string): string | undefined {
  return codesOf('language').get(text.toLowerCase())
}

/** The codes of ISO 3166 that are in use, and those of the languages that most tools know. */
const CODES = {
  region:
    'AD AE AF AG AI AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU CV CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FO FR GA GB GD GE GH GL GM GN GQ GR GT GW GY HK HN HR HT HU ID IE IL IN IQ IR IS IT JM JO JP KE KG KH KI KM KR KW KZ LA LB LI LK LR LS LT LU LV LY MA MC MD ME MG MK ML MM MN MO MR MT MU MV MW MX MY MZ NA NE NG NI NL NO NP NZ OM PA PE PG PH PK PL PT PY QA RO RS RU RW SA SB SC SD SE SG SI SK SL SM SN SO SR ST SV SY SZ TD TG TH TJ TL TM TN TO TR TT TW TZ UA UG US UY UZ VA VE VN VU WS YE ZA ZM ZW',
  language:
    'af am ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko ky la lb lo lt lv mk ml mn mr ms mt my nb ne nl nn no pa pl ps pt ro ru si sk sl sq sr sv sw ta te th tr uk ur uz vi zh zu',
}

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
