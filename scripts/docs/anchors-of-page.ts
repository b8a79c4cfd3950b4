/** The anchor that code hosts give a heading, so that one link works there and on the site. */
function slug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}

/** Gives the anchors of the headings of one page. A heading that comes again gets a number. */
export function anchorsOfPage(): (heading: string) => string {
  const taken = new Map<string, number>()
  return (heading) => {
    const anchor = slug(heading)
    const before = taken.get(anchor)
    taken.set(anchor, (before ?? -1) + 1)
    return before === undefined ? anchor : `${anchor}-${before + 1}`
  }
}
