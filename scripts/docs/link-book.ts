import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { root } from '../run-program.ts'
import { relativeLink, sitePath } from './site-path.ts'

interface Pointing {
  readonly from: string
  readonly href: string
  readonly file: string
  readonly anchor: string | undefined
}

/** All links between files of the repository: which files have to be on the site, and which links lead nowhere. */
export interface LinkBook {
  /** Notes a link of a page, and gives it as it is on the site. A folder ends in a slash: its links begin in it. */
  readonly linkOf: (from: string, href: string) => string
  /** The files and folders that pages point to. It grows while pages are rendered. */
  readonly files: ReadonlySet<string>
  /** Says which links lead to a file or an anchor that does not exist. */
  readonly deadLinks: (anchorsOf: (file: string) => ReadonlySet<string> | undefined) => readonly string[]
}

/** A link with a scheme leads out of the repository. */
const OUTSIDE = /^[a-z][a-z+.-]*:/i

export function linkBook(): LinkBook {
  const files = new Set<string>()
  const pointings: Pointing[] = []
  const problems: string[] = []
  return {
    files,
    linkOf(from, href) {
      if (OUTSIDE.test(href)) return href
      const [path, anchor] = decoded(href).split('#')
      const folder = from.endsWith('/') ? from : posix.dirname(from)
      const file = path === '' ? from : fileAt(posix.join(folder, path ?? ''))
      if (file === undefined) {
        problems.push(`${from}: the link '${href}' leads to no file.`)
        return '#'
      }
      files.add(file)
      pointings.push({ from, href, file, anchor })
      return relativeLink(sitePath(from.replace(/\/$/, '')), anchor === undefined ? sitePath(file) : `${sitePath(file)}#${anchor}`)
    },
    deadLinks: (anchorsOf) => [
      ...problems,
      ...pointings.flatMap(({ from, href, file, anchor }) =>
        anchor === undefined || hasAnchor(file, anchor, anchorsOf(file))
          ? []
          : [`${from}: the link '${href}' leads to no heading of ${file}.`],
      ),
    ],
  }
}

/** A link with a stray percent sign is read as it is, and then leads to no file. */
function decoded(href: string): string {
  try {
    return decodeURI(href)
  } catch {
    return href
  }
}

/** The file behind a path: a folder with a page of its own stands for that page. */
function fileAt(path: string): string | undefined {
  const clean = path.replace(/\/$/, '')
  if (clean.startsWith('..') || !existsSync(join(root, clean))) return undefined
  if (!statSync(join(root, clean)).isDirectory()) return clean
  const page = posix.join(clean, 'README.md')
  return existsSync(join(root, page)) ? page : clean
}

function hasAnchor(file: string, anchor: string, anchors: ReadonlySet<string> | undefined): boolean {
  if (anchors !== undefined) return anchors.has(anchor)
  const line = /^L(\d+)$/.exec(anchor)?.[1]
  return line !== undefined && Number(line) <= readFileSync(join(root, file), 'utf8').split('\n').length
}
