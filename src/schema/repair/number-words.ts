const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const UNITS = new Map(SMALL.split(' ').map((word, index) => [word, index]))
const TENS = new Map('twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').map((word, index) => [word, 20 + 10 * index]))
const HUNDRED = /^(?:(\w+)|a) hundred(?: (?:and )?(\w[\w -]*))?$/
const THOUSAND = /^(\w[\w -]*) thousand(?:,? (?:and )?(\w[\w -]*))?$/

/** `three`, `twenty-five`, `two hundred`, `one thousand five hundred`; undefined for other words. */
export function numberWord(text: string): number | undefined {
  const lower = text.toLowerCase().trim()
  if (!/^[a-z][a-z ,-]+$/.test(lower)) return undefined
  const thousands = THOUSAND.exec(lower)
  if (thousands === null) return belowThousand(lower)
  const count = thousands[1] === 'a' ? 1 : belowThousand(thousands[1] ?? '')
  const rest = thousands[2] === undefined ? 0 : belowThousand(thousands[2])
  return count === undefined || count === 0 || rest === undefined ? undefined : count * 1000 + rest
}

function belowThousand(lower: string): number | undefined {
  const hundreds = HUNDRED.exec(lower)
  if (hundreds !== null) {
    const rest = hundreds[2] === undefined ? 0 : belowHundred(hundreds[2])
    const count = hundreds[1] === undefined || hundreds[1] === 'a' ? 1 : UNITS.get(hundreds[1])
    return rest === undefined || count === undefined || count === 0 || count > 9 ? undefined : count * 100 + rest
  }
  return belowHundred(lower)
}

function belowHundred(text: string): number | undefined {
  const [first = '', second, ...more] = text.split(/[ -]/)
  const tens = TENS.get(first)
  if (more.length > 0 || (second !== undefined && tens === undefined)) return undefined
  if (tens === undefined) return UNITS.get(first)
  const unit = second === undefined ? 0 : UNITS.get(second)
  return unit === undefined || unit > 9 ? undefined : tens + unit
}
