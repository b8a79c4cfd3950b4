/** Shorter texts in base64 or hexadecimal would be found in other texts by chance. */
const SHORTEST_ENCODED = 8

/**
 * The texts in which a secret may be written: as it is, in JSON (also inside a JSON string, and that in another, as in a prompt), in an address or a form, in base64 (also as a
 * part of a longer text, as in `Basic`), in hexadecimal.
 */
export function writtenForms(secret: string): ReadonlySet<string> {
  const forms = new Set([secret])
  if (!/^[\w.~-]*$/.test(secret)) addEscaped(secret, forms)
  if (secret.length >= SHORTEST_ENCODED) addEncoded(secret, forms)
  return forms
}

/** Letters, digits and `_.~-` are the same in JSON and in addresses. */
function addEscaped(secret: string, forms: Set<string>): void {
  const json = escaped(secret)
  const nested = escaped(json)
  const address = encodeURIComponent(secret.toWellFormed())
  const form = new URLSearchParams([['', secret]]).toString().slice(1)
  const component = encodeURI(secret.toWellFormed())
  for (const each of [json, nested, escaped(nested), address, form, component]) {
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
    if (/[+/]/.test(inner)) forms.add(inner.replaceAll('+', '-').replaceAll('/', '_'))
  }
}
