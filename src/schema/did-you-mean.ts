/** The nearest names as a question, or the other text if none is near. */
export function didYouMean(near: readonly string[], otherwise: string): string {
  return near.length === 0 ? otherwise : `Did you mean ${near.map((each) => `'${each}'`).join(' or ')}?`
}
