const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const UNITS = new Map(SMALL.split(' ').map((word, index) => [word, index]))
const TENS = new Map('twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').map((word, index) => [word, 20 + 10 * index]))
const HUNDRED = /^(?:(\w+)|a) hundred(?: (?:and )?(\w[\w -]*))?$/
const THOUSAND = /^(\w[\w -]*) thousand(?:,? (?:and )?(\w[\w -]*))?$/

/** The numbers from one to twenty in German, French, Spanish and Italian, where no English word is written so. */
const ELSEWHERE: ReadonlyMap<string, number> = new Map(
  [
    'eins ein eine un une uno una 一',
    'zwei deux dos due 二 两',
    'drei trois tres tre 三',
    'vier quatre cuatro quattro 四',
    'fünf cinq cinco cinque 五',
    'sechs seis sei 六',
    'sieben sept siete sette 七',
    'acht huit ocho otto 八',
    'neun neuf nueve nove 九',
    'zehn dix diez dieci 十',
    'elf onze once undici 十一',
    'zwölf douze doce dodici 十二',
    'dreizehn treize trece tredici 十三',
    'vierzehn quatorze catorce quattordici 十四',
    'fünfzehn quinze quince quindici 十五',
    'sechzehn seize dieciséis sedici 十六',
    'siebzehn dix-sept diecisiete diciassette 十七',
    'achtzehn dix-huit dieciocho diciotto 十八',
    'neunzehn dix-neuf diecinueve diciannove 十九',
    'zwanzig vingt veinte venti 二十',
  ].flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)),
)

/** `three`, `twenty-five`, `two hundred`, `minus five`, `a dozen`, `zwei`; undefined for other words. */
export function numberWord(text: string): number | undefined {
  const lower = text.toLowerCase().trim()
  const elsewhere = ELSEWHERE.get(lower)
  if (elsewhere !== undefined) return elsewhere
  if (!/^[a-z][a-z ,-]+$/.test(lower)) return undefined
  const less = /^(?:minus|negative) (.+)$/.exec(lower)?.[1]
  const [, dozens] = /^(\w+) dozen$/.exec(lower) ?? []
  if (less !== undefined) return signed(-1, wholeNumber(less))
  if (dozens !== undefined) return signed(12, dozens === 'a' ? 1 : UNITS.get(dozens))
  return wholeNumber(lower)
}

function signed(factor: number, number: number | undefined): number | undefined {
  return number === undefined || number === 0 ? undefined : factor * number
}

function wholeNumber(lower: string): number | undefined {
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
