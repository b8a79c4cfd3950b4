/** Shorter texts in base64 or hexadecimal would be found in other texts by chance. */
const SHORTEST_ENCODED = 8

/**
 * The texts in which a secret may be written: as it is, in JSON, in an address or a form, and in two of these inside each other, as an address in
 * an address; in JSON inside JSON three times, as in a prompt; in base64 (also as a part of a longer text, as in `Basic`) and in hexadecimal, also
 * as JSON writes it.
 */
export function writtenForms(secret: string): ReadonlySet<string> {
  const forms = new Set([secret])
  const isWrittenAlike = /^[\w.~-]*$/.test(secret)
  if (!isWrittenAlike) addEscaped(secret, forms)
  if (secret.length < SHORTEST_ENCODED) return forms
  addEncoded(secret, forms)
  const json = isWrittenAlike ? secret : escaped(secret)
  if (json !== secret) addEncoded(json, forms)
  return forms
}

const WRITINGS: readonly ((text: string) => string)[] = [
  escaped,
  (text) => encodeURIComponent(text.toWellFormed()),
  (text) => encodeURI(text.toWellFormed()),
  (text) => new URLSearchParams([['', text]]).toString().slice(1),
]

/** Letters, digits and `_.~-` are the same in JSON and in addresses. */
function addEscaped(secret: string, forms: Set<string>): void {
  const once = new Set(WRITINGS.map((write) => write(secret)))
  const twice = new Set([...once].flatMap((each) => WRITINGS.map((write) => write(each))))
  for (const each of [...once, ...twice, escaped(escaped(escaped(secret)))]) {
    forms.add(each)
    forms.add(each.replaceAll(/%[\dA-F]{2}/g, (escape) => escape.toLowerCase()))
  }
}

/** As JSON writes it between quotes. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function addEncoded(secret: string, forms: Set<string>): void {
  const bytes = Buffer.from(`  ${secret}`)
  const hex = bytes.toString('hex', 2)
  forms.add(hex)
  forms.add(hex.toUpperCase())
  for (let before = 0; before <= 2; before++) {
    // Characters at both ends that also depend on the neighbours are left out.
    const start = before === 0 ? 0 : before + 1
    const length = bytes.length - 2 + before
    const inner = bytes.toString('base64', 2 - before).slice(start, Math.floor((length * 8) / 6))
    forms.add(inner)
    if (!/[+/]/.test(inner)) continue
    forms.add(inner.replaceAll('+', '-').replaceAll('/', '_'))
    forms.add(encodeURIComponent(inner))
  }
}
