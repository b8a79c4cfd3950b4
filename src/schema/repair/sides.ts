const LONGEST = 60

/** The sides of `30 x 20 x 15 cm`, each with the unit that stands behind the last one. Empty for another text. */
export function sidesIn(given: string): readonly string[] {
  const text = given.trim()
  if (
    text.length > LONGEST ||
    !/^\d[\d.]*(?:\s?[a-z]{2})?(?:\s*[x×]\s*\d[\d.]*(?:\s?[a-z]{2})?)+$|^\d[\d.]*(?:\s*[x×]\s*\d[\d.]*)+\s?m$/i.test(text)
  )
    return []
  const sides = text.split(/\s*[x×]\s*/i)
  const unit = /[a-z]+$/i.exec(text)?.[0] ?? ''
  const isOnce = sides.filter((side) => /[a-z]$/i.test(side)).length === 1
  return isOnce ? sides.map((side) => `${side.replace(/\s?[a-z]+$/i, '')} ${unit}`) : sides
}
