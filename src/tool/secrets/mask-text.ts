import { credentialSpans } from './credential-spans.ts'
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

/** The masks of a text without the number of characters that they hide: a person may type a mask without it. */
export function withoutCounts(text: string): string {
  return text.replaceAll(MASKS, MASK)
}

/** Whether a text is nothing but a mask. */
export function isWholeMask(text: string): boolean {
  return withoutCounts(text) === MASK
}
