import { credentialSpans } from './credential-spans.ts'
import { withoutNumber } from './distinct-names.ts'
import { indexOf } from './index-of.ts'
import type { KnownSecrets } from './known-secrets.ts'
import { mergedSpans, replaceSpans } from './spans.ts'

/** The text that replaces a secret. */
export const MASK = '••••••'

/** For logs: hides known secrets in every written form, and credentials that the text itself shows as such. */
export function maskText(text: string, secrets: KnownSecrets): string {
  const known = secrets.spansIn(text)
  const shown = credentialSpans(text)
  const spans = known.length === 0 ? mergedSpans(shown) : mergedSpans([...known, ...shown])
  return spans.length === 0 ? text : replaceSpans(text, spans, () => MASK)
}

/**
 * For a person who decides about a text: hides known secrets only. Each mask stays within one word of one line and says how many characters
 * it hides, so that no text can hide more than a secret.
 */
export function maskWords(text: string, secrets: KnownSecrets): string {
  const spans = secrets.spansIn(text)
  return spans.length === 0 ? text : replaceSpans(text, spans, (hidden) => hidden.replaceAll(/\S+/g, (word) => `${MASK}(${word.length})`))
}

/** A mask in a text, with the number of characters that it hides if the mask says so. */
const MASKS = /•{6}(?:\((\d+)\))?/g

/** Whether a text with masks in it is another with parts of it hidden. */
export function isMaskedForm(view: string, text: string): boolean {
  if (view === text || hides(view, text)) return true
  const name = withoutNumber(view)
  return name !== undefined && hides(name, text)
}

function hides(view: string, text: string): boolean {
  let at = 0
  let from = 0
  let isOpen = false
  const take = (part: string): boolean => {
    const found = isOpen ? indexOf(text, part, at + 1) : text.startsWith(part, at) ? at : -1
    at = found + part.length
    return found !== -1
  }
  const masks = [...view.matchAll(MASKS)]
  for (const { 0: mask, 1: count, index } of masks) {
    if (!take(view.slice(from, index))) return false
    from = index + mask.length
    isOpen = count === undefined
    at += isOpen ? 0 : Number(count)
  }
  const rest = view.slice(from)
  if (masks.length === 0 || !text.endsWith(rest)) return false
  return isOpen ? text.length - rest.length > at : text.length - rest.length === at
}
