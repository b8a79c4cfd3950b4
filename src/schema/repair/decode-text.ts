const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', '#39': "'" }

/** The bytes from 0x80 to 0x9f as Windows shows them. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const DECODERS: readonly ((text: string) => string)[] = [entities, percents, escapes, mojibake]

/**
 * The texts that a text stands for if it was encoded once too often: HTML entities, percent signs, escapes of JSON, UTF-8 that was read as
 * Latin-1. Never for paths: `%2e%2e` would become a way out of a folder.
 */
export function decodedTexts(text: string): readonly string[] {
  if (!/[&%\\\u00c2-\u00f4]/.test(text)) return []
  const decoded = new Set<string>()
  for (const decode of DECODERS) {
    const plain = decode(text)
    if (plain !== text) decoded.add(plain)
  }
  return [...decoded]
}

function entities(text: string): string {
  return text.replace(/&(#?\w{2,8});/g, (whole, name: string) => {
    const known = ENTITIES[name] ?? accented(name)
    if (known !== undefined) return known
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : name.startsWith('#') ? Number(name.slice(1)) : Number.NaN
    return code > 31 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

const ACCENTS: Readonly<Record<string, string>> = {
  grave: '\u0300',
  acute: '\u0301',
  circ: '\u0302',
  tilde: '\u0303',
  uml: '\u0308',
  ring: '\u030a',
  cedil: '\u0327',
}
const LETTERS: Readonly<Record<string, string>> = {
  szlig: 'ß',
  oslash: 'ø',
  Oslash: 'Ø',
  aelig: 'æ',
  AElig: 'Æ',
  euro: '€',
  pound: '£',
  ndash: '–',
  mdash: '—',
}

/** `eacute` is a letter and the name of its accent. */
function accented(name: string): string | undefined {
  const mark = ACCENTS[name.slice(1)]
  return mark === undefined ? LETTERS[name] : `${name.charAt(0)}${mark}`.normalize('NFC')
}

function percents(text: string): string {
  if (!/%[0-9a-f]{2}/i.test(text)) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function escapes(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})/gi, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\(["'/])/g, '$1')
    .replace(/\\[nt]/g, ' ')
}

function mojibake(text: string): string {
  if (!/[\u00c2-\u00f4]/.test(text)) return text
  const bytes = Array.from(text, byteOf)
  if (bytes.includes(-1)) return text
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes))
  } catch {
    return text
  }
}

function byteOf(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code < 256) return code
  const windows = WINDOWS.indexOf(character)
  return windows === -1 ? -1 : 0x80 + windows
}
