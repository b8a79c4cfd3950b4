import MiniSearch, { type SearchResult } from 'minisearch'
import { SEARCH_OPTIONS, type SearchEntry } from '../search-options.ts'

declare global {
  var toolwrightSearchIndex: Parameters<typeof MiniSearch.loadJS<SearchEntry>>[0] | undefined
  var mermaid: Mermaid | undefined
}

interface Mermaid {
  readonly initialize: (options: Readonly<Record<string, unknown>>) => void
  readonly render: (id: string, text: string) => Promise<{ readonly svg: string }>
}

const MOST_FOUND = 12
const siteRoot = document.body.dataset['root'] ?? ''

function element<Found extends Element = HTMLElement>(selector: string): Found {
  const found = document.querySelector<Found>(selector)
  if (found === null) throw new Error(`The page has no ${selector}.`)
  return found
}

/** The menu of a narrow screen. */
function startMenu(): void {
  const button = element('button.menu')
  const show = (isOpen: boolean): void => {
    document.body.classList.toggle('menu-open', isOpen)
    button.setAttribute('aria-expanded', String(isOpen))
  }
  button.addEventListener('click', () => show(button.getAttribute('aria-expanded') !== 'true'))
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !document.body.classList.contains('menu-open')) return
    show(false)
    button.focus()
  })
  // `scrollIntoView` would also move the place from which the next Tab goes on.
  const current = document.querySelector<HTMLElement>('#menu [aria-current]')
  const menu = element('#menu')
  if (current !== null) menu.scrollTop = current.offsetTop - menu.offsetTop - menu.clientHeight / 2
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
}

function startTheme(): void {
  element('button.theme').addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark'
    document.documentElement.dataset['theme'] = theme
    try {
      localStorage.setItem('theme', theme)
    } catch {
      // The choice holds for this page.
    }
    void drawDiagrams()
  })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => void drawDiagrams())
}

async function drawDiagrams(): Promise<void> {
  if (globalThis.mermaid === undefined) return
  const { mermaid } = globalThis
  mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', theme: isDark() ? 'dark' : 'neutral', fontFamily: 'inherit' })
  for (const [index, figure] of document.querySelectorAll<HTMLElement>('figure.diagram').entries()) {
    const text = figure.dataset['text'] ?? figure.textContent.trim()
    figure.dataset['text'] = text
    try {
      const { svg } = await mermaid.render(`diagram-${index}`, text)
      figure.innerHTML = svg
      keepReadable(figure)
    } catch (error) {
      // Its text stays.
      console.error(error)
    }
  }
}

/** On a narrow screen a wide diagram is scrolled, instead of being made too small to read. */
function keepReadable(figure: HTMLElement): void {
  const drawing = figure.querySelector('svg')
  if (drawing !== null) drawing.style.minWidth = `${Math.min(drawing.viewBox.baseVal.width, 560)}px`
}

/** The index is read when somebody begins to search. */
function loadIndex(): Promise<MiniSearch<SearchEntry>> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = `${siteRoot}assets/search-index.js`
    script.addEventListener('load', () => {
      const { toolwrightSearchIndex } = globalThis
      if (toolwrightSearchIndex === undefined) reject(new Error('The search index is empty.'))
      else resolve(MiniSearch.loadJS<SearchEntry>(toolwrightSearchIndex, SEARCH_OPTIONS))
    })
    script.addEventListener('error', () => reject(new Error('The search index could not be read.')))
    document.head.append(script)
  })
}

function startSearch(): void {
  const input = element<HTMLInputElement>('.search input')
  const list = element('#found')
  let index: Promise<MiniSearch<SearchEntry>> | undefined
  let chosen = -1
  const choose = (place: number): void => {
    const options = [...list.querySelectorAll('[role=option]')]
    chosen = options.length === 0 ? -1 : (place + options.length) % options.length
    for (const [each, option] of options.entries()) option.setAttribute('aria-selected', String(each === chosen))
    const current = options[chosen]
    if (current === undefined) input.removeAttribute('aria-activedescendant')
    else {
      input.setAttribute('aria-activedescendant', current.id)
      current.scrollIntoView({ block: 'nearest' })
    }
  }
  const show = (isOpen: boolean): void => {
    list.hidden = !isOpen
    input.setAttribute('aria-expanded', String(isOpen))
  }
  const search = async (): Promise<void> => {
    const query = input.value.trim()
    if (query === '') return show(false)
    const found = (await (index ??= loadIndex())).search(query)
    // Something else was typed in the meantime.
    if (query !== input.value.trim()) return
    list.replaceChildren(...found.slice(0, MOST_FOUND).map(optionOf))
    if (found.length === 0) list.append(Object.assign(document.createElement('p'), { textContent: 'Nothing found.' }))
    show(true)
    choose(0)
  }
  input.addEventListener('focus', () => void (index ??= loadIndex()))
  input.addEventListener('input', () => void search())
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(chosen + 1)
    else if (event.key === 'ArrowUp') choose(chosen - 1)
    else if (event.key === 'Enter') list.querySelector<HTMLElement>('[aria-selected=true]')?.click()
    else if (event.key === 'Escape') show(false)
    else return
    event.preventDefault()
  })
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Node) || !element('.search').contains(target)) show(false)
  })
  list.addEventListener('click', () => show(false))
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)
    if ((event.key !== '/' || isTyping) && !(event.key === 'k' && (event.ctrlKey || event.metaKey))) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}

function optionOf(found: SearchResult, index: number): HTMLElement {
  const link = document.createElement('a')
  link.href = `${siteRoot}${String(found['link'])}`
  link.id = `found-${index}`
  link.setAttribute('role', 'option')
  link.tabIndex = -1
  const page = Object.assign(document.createElement('small'), { textContent: String(found['page']) })
  link.append(String(found['heading']), page)
  return link
}

/** A button that copies a block of code, where the browser allows it. */
function startCopying(): void {
  if (navigator.clipboard === undefined) return
  for (const figure of document.querySelectorAll<HTMLElement>('figure.code')) {
    const button = Object.assign(document.createElement('button'), { type: 'button', className: 'copy', textContent: 'Copy' })
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(figure.querySelector('code')?.textContent ?? '')
      button.textContent = 'Copied'
      setTimeout(() => (button.textContent = 'Copy'), 1500)
    })
    figure.append(button)
  }
}

startMenu()
startTheme()
startSearch()
startCopying()
void drawDiagrams()
