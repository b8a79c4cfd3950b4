import { posix } from 'node:path'

/** The links of finished pages that lead to no file of the site, or to no element of it, whoever made them. Every link has to be relative. */
export function brokenLinks(files: ReadonlyMap<string, string>): readonly string[] {
  const ids = new Map<string, ReadonlySet<string>>()
  const idsOf = (path: string): ReadonlySet<string> => {
    const known = ids.get(path) ?? new Set(Array.from((files.get(path) ?? '').matchAll(/ id="([^"]+)"/g), ([, id = '']) => unescaped(id)))
    ids.set(path, known)
    return known
  }
  return [...files].flatMap(([page, html]) => {
    if (!page.endsWith('.html')) return []
    const links = new Set(Array.from(html.matchAll(/ (?:href|src)="([^"]*)"/g), ([, link = '']) => unescaped(link)))
    return [...links].flatMap((link) => {
      if (/^(https?|mailto|data):/.test(link)) return []
      const [path = '', anchor] = decodeURI(link).split('#')
      const target = path === '' ? page : posix.join(posix.dirname(page), path)
      if (path.startsWith('/') || !files.has(target)) return [`${page}: the link '${link}' leads to no file of the site.`]
      return anchor === undefined || idsOf(target).has(anchor) ? [] : [`${page}: the link '${link}' leads to no place of ${target}.`]
    })
  })
}

function unescaped(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
