import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildSite, type Site, writeSite } from '../../scripts/docs/build-site.ts'
import { readNavigation } from '../../scripts/docs/navigation.ts'
import { launchBrowser } from './launch-browser.ts'

let folder: string
let site: Site
let home: string
let browser: Browser
let context: BrowserContext
let page: Page
/** What the pages of a test asked for, and what they complained of. */
let requests: string[]
let complaints: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tw-site-'))
  // A base path that nobody has planned for.
  const place = join(folder, 'some where', 'ünder')
  await mkdir(place, { recursive: true })
  const launched = launchBrowser(folder)
  site = await buildSite()
  await writeSite(site, place)
  home = pathToFileURL(place).href
  browser = await launched
}, 60_000)

afterAll(async () => {
  await browser?.close()
  await rm(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  requests = []
  complaints = []
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' })
  page = await context.newPage()
  page.on('request', (request) => requests.push(request.url()))
  page.on('requestfailed', (request) => {
    // A reader who goes on before everything is read is no failure.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()}`)
  })
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
})

afterEach(async () => {
  await context.close()
  const strange = requests.filter((url) => !url.startsWith(`${home}/`) && !url.startsWith('data:'))
  if (complaints.length + strange.length > 0) throw new Error([...complaints, ...strange].join('\n'))
})

function open(path: string): Promise<unknown> {
  return page.goto(`${home}/${path}`)
}

test('a reader opens each part of the menu, a page in it, and the next one', async () => {
  await open('index.html')
  for (const { title } of readNavigation().slice(1)) {
    const part = page.locator('#menu details', { has: page.locator('summary', { hasText: new RegExp(`^${title}$`) }) })
    if ((await part.getAttribute('open')) === null) await part.locator('summary').click()
    const link = part.getByRole('link').first()
    const name = await link.innerText()
    await link.click()
    await page.locator('#menu [aria-current=page]', { hasText: name }).waitFor()
    expect(await page.locator('p.section').innerText()).toBe(title)
  }
  const next = page.locator('a[rel=next]')
  const path = (await next.getAttribute('href')) ?? ''
  await Promise.all([page.waitForURL(`**/${path}`), next.click()])
  expect(await page.locator('h1').count()).toBe(1)
})

test('the diagrams of a page are drawn, and those of all other pages can be', async () => {
  await open('index.html')
  await page.locator('figure.diagram svg').nth(1).waitFor()
  expect(await page.locator('figure.diagram pre').count()).toBe(0)
  const diagrams = site.pages.flatMap(({ path, html }) =>
    Array.from(html.matchAll(/<pre class="mermaid">([\s\S]*?)<\/pre>/g), ([, text = '']) => ({ path, text })),
  )
  expect(diagrams.length).toBeGreaterThan(10)
  // The text as a browser reads it from the page.
  const read = `each => { const text = document.createElement('textarea'); text.innerHTML = each.text; return text.value }`
  const refused = await page.evaluate(`(async () => {
    const refused = []
    for (const each of ${JSON.stringify(diagrams)}) await mermaid.parse((${read})(each)).catch((error) => refused.push(each.path + ': ' + error.message))
    return refused
  })()`)
  expect(refused).toEqual([])
})

test('the search finds a heading and a name, by keyboard alone', async () => {
  await open('guides/pipelines.html')
  await page.keyboard.press('/')
  await page.keyboard.type('idempotency key')
  await page.locator('#found [role=option]').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await Promise.all([page.waitForURL(/idempoten|key/), page.keyboard.press('Enter')])

  await page.keyboard.press('/')
  await page.keyboard.type('createRunt')
  const first = page.locator('#found [role=option]').first()
  await first.waitFor()
  expect(await first.innerText()).toMatch(/^createRuntime/)
  await Promise.all([page.waitForURL(/api\/toolwright\.html#createRuntime$/), page.keyboard.press('Enter')])
  expect(await page.locator('#createRuntime').isVisible()).toBe(true)

  await page.keyboard.press('/')
  await page.keyboard.type('xyzzyplugh')
  await page.getByText('Nothing found.').waitFor()
  await page.keyboard.press('Escape')
  expect(await page.locator('#found').isVisible()).toBe(false)
})

test('dark and light: as the system says, until the reader chooses; diagrams follow', async () => {
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  await page.emulateMedia({ colorScheme: 'dark' })
  await open('index.html')
  const dark = await background()
  await page.getByRole('button', { name: 'light and dark' }).click()
  expect(await background()).not.toBe(dark)
  await page.reload()
  expect(await background()).toBe('rgb(255, 255, 255)')
  await page.locator('figure.diagram svg').first().waitFor()
})

test('on a phone no page is wider than the screen, and the menu opens and closes', async () => {
  await page.setViewportSize({ width: 360, height: 740 })
  for (const path of [
    'index.html',
    'guides/reviews.html',
    'api/toolwright.html',
    'errors/index.html',
    'benchmarks.html',
    'source/src/combinators/gate/gate.ts.html',
  ]) {
    await open(path)
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), path).toBeLessThanOrEqual(0)
  }
  await open('index.html')
  const menu = page.getByRole('button', { name: 'Menu' })
  expect(await page.locator('#menu').isVisible()).toBe(false)
  await menu.click()
  await page.getByRole('link', { name: 'Tools', exact: true }).click()
  await page.waitForURL(/guides\/tools\.html$/)
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.keyboard.press('Escape')
  expect(await page.locator('#menu').isVisible()).toBe(false)
})

test('the first key press leads a keyboard to the text', async () => {
  await open('guides/tools.html')
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the text')
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.activeElement.id')).toBe('content')
})
