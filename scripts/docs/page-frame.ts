import { escapeHtml } from './escape-html.ts'
import type { Heading } from './render-markdown.ts'
import { relativeLink } from './site-path.ts'

/** A page of the site, before it has its frame. */
export interface SitePage {
  /** Its place on the site. */
  readonly path: string
  readonly title: string
  readonly html: string
  readonly headings: readonly Heading[]
  readonly hasDiagram: boolean
}

/** A link of the navigation. */
interface MenuLink {
  readonly title: string
  readonly path: string
}

export interface MenuSection {
  readonly title: string
  readonly links: readonly MenuLink[]
}

export interface PageSurroundings {
  readonly menu: readonly MenuSection[]
  /** The page of the menu to which this one belongs: itself, or the one from which it is reached. */
  readonly place: string | undefined
}

/** Chosen before anything is painted. The page works without it. */
const THEME = `try{const t=localStorage.getItem('theme');if(t)document.documentElement.dataset.theme=t}catch{}`

/** The whole HTML of a page. Every link and file in it is relative. */
export function pageFrame(page: SitePage, { menu, place }: PageSurroundings): string {
  const to = (path: string): string => escapeHtml(relativeLink(page.path, path))
  const isHome = page.path === 'index.html'
  const section = menu.find(({ links }) => links.some(({ path }) => path === place))
  const scripts = [...(page.hasDiagram ? ['assets/mermaid.js'] : []), 'assets/site.js']
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(isHome ? 'Toolwright' : `${page.title} · Toolwright`)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${to('assets/site.css')}">
<script>${THEME}</script>
${scripts.map((script) => `<script src="${to(script)}" defer></script>`).join('\n')}
</head>
<body data-root="${to('index.html').replace(/index\.html$/, '')}">
<a class="skip" href="#content">Skip to the text</a>
<header class="bar">
<button class="menu" type="button" aria-expanded="false" aria-controls="menu">Menu</button>
<a class="brand" href="${to('index.html')}">Toolwright</a>
<div class="search" role="search">
<input type="search" role="combobox" aria-label="Search" aria-expanded="false" aria-controls="found" aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="Search">
<kbd aria-hidden="true">/</kbd>
<div id="found" role="listbox" aria-label="Found pages" hidden></div>
</div>
<button class="theme" type="button" aria-label="Change between light and dark">◐</button>
</header>
<div class="columns">
<nav id="menu" aria-label="All pages">
${menu.map((each) => sectionHtml(each, each === section || (isHome && !['Reference', 'Project'].includes(each.title)), { place, to })).join('\n')}
</nav>
<main id="content" tabindex="-1">
${section === undefined || isHome ? '' : `<p class="section">${escapeHtml(section.title)}</p>`}
<article>
${page.html}
</article>
${stepsHtml(page, menu, to)}
</main>
${contentsHtml(page)}
</div>
</body>
</html>
`
}

interface Linking {
  readonly place: string | undefined
  readonly to: (path: string) => string
}

function sectionHtml({ title, links }: MenuSection, isOpen: boolean, { place, to }: Linking): string {
  const items = links.map(
    (link) => `<li><a href="${to(link.path)}"${link.path === place ? ' aria-current="page"' : ''}>${escapeHtml(link.title)}</a></li>`,
  )
  return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(title)}</summary><ul>\n${items.join('\n')}\n</ul></details>`
}

function stepsHtml({ path }: SitePage, menu: readonly MenuSection[], to: Linking['to']): string {
  const links = menu.flatMap((section) => section.links)
  const place = links.findIndex((link) => link.path === path)
  if (place < 0) return ''
  const step = (link: MenuLink | undefined, relation: 'prev' | 'next', word: string): string =>
    link === undefined
      ? '<span></span>'
      : `<a rel="${relation}" href="${to(link.path)}"><small>${word}</small>${escapeHtml(link.title)}</a>`
  return `<nav class="steps" aria-label="Previous and next page">${step(links[place - 1], 'prev', 'Previous')}${step(links[place + 1], 'next', 'Next')}</nav>`
}

function contentsHtml({ headings }: SitePage): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3)
  if (shown.length < 2) return '<aside class="contents"></aside>'
  const items = shown.map(
    ({ level, text, anchor }) => `<li class="level-${level}"><a href="#${escapeHtml(anchor)}">${escapeHtml(text)}</a></li>`,
  )
  return `<aside class="contents"><nav aria-label="On this page"><p>On this page</p><ul>\n${items.join('\n')}\n</ul></nav></aside>`
}
