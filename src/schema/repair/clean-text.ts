/** Characters that show nothing: zero-width characters, soft hyphens, marks of direction, byte order marks. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g
const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '“': '”', '‘': '’', '«': '»', '„': '“', '”': '”' }

/** A text without spaces and quotes around it. */
export function bareText(text: string): string {
  let bare = text.trim()
  for (let layer = 0; layer < 3; layer++) {
    const end = QUOTES[bare.charAt(0)]
    if (bare.length < 2 || end === undefined || !bare.endsWith(end)) break
    const inside = bare.slice(1, -1)
    if (inside.includes(end)) break
    bare = inside.trim()
  }
  return bare
}

export function visibleText(text: string): string {
  return text.replace(INVISIBLE, '')
}

/** The same without invisible characters and marks of bold text too. */
export function cleanText(text: string): string {
  const visible = bareText(visibleText(text))
  const isBold = visible.length > 4 && visible.startsWith('**') && visible.endsWith('**')
  return isBold ? bareText(visible.slice(2, -2)) : visible
}

/** A small digit behind a digit is a power or an index: `10⁵` is not 105. */
const POWER = /\p{Nd}[\u00b2\u00b3\u00b9\u2070-\u209f]/u

/** Digits, letters and signs of compatible forms in their usual form: full-width letters, ligatures, digits of other scripts, minus signs. */
export function plainForm(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text) || POWER.test(text)) return text
  return (
    text
      // The fraction of `1½` is no further digit.
      .replace(/(?<=\d)(?=[\u00bc-\u00be\u2150-\u215e])/g, ' ')
      .normalize('NFKC')
      .replace(/(?<=\d)\ufe0f?\u20e3/g, '')
      .replace(/\p{Nd}/gu, digitOf)
      .replace(/[\u2010-\u2015\u2212]/g, '-')
      .replace(/[\u2018\u2019]/g, "'")
      // The signs for decimals and thousands that go with Arabic digits.
      .replace(/(?<=\d)\u066b(?=\d)/g, '.')
      .replace(/(?<=\d)\u066c(?=\d)/g, ',')
  )
}

/** Decimal digits of a script stand in a row of ten that begins with its zero. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  if (code < 128) return digit
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String(code - zero)
}

const CYRILLIC_AND_GREEK = 'аaвbеeкkмmнhоoрpсcтtуyхxіiјjѕsαaοoνvιiκkρpτtυu'
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  [...CYRILLIC_AND_GREEK].flatMap((letter, index, all) => {
    const latin = all[index + 1]
    if (index % 2 === 1 || latin === undefined) return []
    return [[letter, latin] as const, [letter.toUpperCase(), latin.toUpperCase()] as const]
  }),
)

/** Letters of other scripts that look like Latin ones, as Latin ones, where the rest of the text is Latin. */
export function latinLetters(text: string): string {
  if (!/[a-z]/i.test(text)) return text
  return text.replace(/[\u0370-\u04ff]/g, (letter) => LOOK_ALIKES.get(letter) ?? letter)
}
