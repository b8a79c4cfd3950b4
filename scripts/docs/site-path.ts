import { posix } from 'node:path'

/** Where a file or folder of the repository is on the site. Pages keep their place below docs; everything else that a page points to is shown as source. */
export function sitePath(file: string): string {
  if (file === 'README.md') return 'index.html'
  if (/^[^/]+\.md$/.test(file)) return file.toLowerCase().replace(/\.md$/, '.html')
  if (file.startsWith('docs/') && file.endsWith('.md'))
    return file.slice('docs/'.length).replace(/(README)?\.md$/, (_, index) => `${index ? 'index' : ''}.html`)
  return `source/${file}.html`
}

/** Where the names of a subpath of the package are on the site. */
export function apiPath(module: string): string {
  return `api/${module.replaceAll('/', '-')}.html`
}

/** A link from one page of the site to another: always relative, so that the site works in any folder and from the disk. */
export function relativeLink(from: string, to: string): string {
  const [path = '', anchor] = to.split('#')
  const relative = path === from && anchor !== undefined ? '' : posix.relative(posix.dirname(from), path)
  return anchor === undefined ? relative : `${relative}#${anchor}`
}
