import { globSync, readFileSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readApi } from '../../scripts/docs/api/read-api.ts'
import { brokenLinks } from '../../scripts/docs/broken-links.ts'
import { buildSite } from '../../scripts/docs/build-site.ts'
import { highlight } from '../../scripts/docs/highlight.ts'
import { linkBook } from '../../scripts/docs/link-book.ts'
import { nameProblems } from '../../scripts/docs/name-links.ts'
import { navigationProblems, readNavigation } from '../../scripts/docs/navigation.ts'
import { renderMarkdown } from '../../scripts/docs/render-markdown.ts'
import { relativeLink, sitePath } from '../../scripts/docs/site-path.ts'
import { root } from '../../scripts/run-program.ts'

const api = readApi()
const site = await buildSite()

describe('the site', () => {
  test('has no link, name or page that leads nowhere', () => {
    expect(site.problems).toEqual([])
  })

  test('begins with the six parts in the order for learning', () => {
    expect(
      readNavigation()
        .map(({ title }) => title)
        .slice(0, 6),
    ).toEqual(['Start', 'Compose', 'Trust', 'Run for days', 'Connect', 'Operate'])
  })

  test('every guide is linked from the README, where a new user looks for it', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const guides = globSync('docs/guides/*.md', { cwd: root })
    expect(guides.length).toBeGreaterThan(30)
    expect(guides.filter((page) => !readme.includes(`](${page}`))).toEqual([])
  })

  test('has every guide in its order, and says which one is missing', () => {
    const sections = readNavigation()
    const without = sections.map((section) => ({ ...section, pages: section.pages.filter(({ page }) => page !== 'docs/guides/sagas.md') }))
    expect(navigationProblems(sections)).toEqual([])
    expect(navigationProblems(without)).toEqual(['docs/guides/sagas.md: it is not in docs/navigation.json. Say there when it is read.'])
    expect(
      navigationProblems([...without, { title: 'More', pages: [{ page: 'docs/guides/sagas.md' }, { page: 'docs/gone.md' }] }]),
    ).toEqual(["docs/navigation.json: there is no 'docs/gone.md'."])
  })

  test('leads from the first page to the last by "Next", and back by "Previous", in that order', () => {
    const follow = (path: string, relation: 'next' | 'prev'): string[] => {
      const link = new RegExp(`<a rel="${relation}" href="([^"]+)"`).exec(site.files.get(path) ?? '')?.[1]
      return link === undefined ? [path] : [path, ...follow(posix.join(posix.dirname(path), link), relation)]
    }
    const listed = readNavigation().flatMap(({ pages }) => pages.map(({ page }) => page))
    const there = follow('index.html', 'next')
    expect(there.filter((path) => !path.startsWith('api/'))).toEqual(listed.filter((page) => page !== 'api').map(sitePath))
    expect(follow(there.at(-1) ?? '', 'prev')).toEqual(there.toReversed())
  })

  test('asks nothing of the network: scripts, styles and pictures are files of the site', () => {
    const loaded = [...site.files].flatMap(([path, html]) =>
      path.endsWith('.html')
        ? Array.from(html.matchAll(/<(?:script|link|img|iframe)[^>]*? (?:src|href)="([^"]*)"/g), ([, link = '']) => link)
        : [],
    )
    expect(loaded.length).toBeGreaterThan(site.pages.length)
    expect([...new Set(loaded)].filter((link) => /^(?!data:)([a-z]+:|\/)/i.test(link))).toEqual([])
    expect(site.files.get('assets/site.css')).not.toMatch(/url\(|@import/)
  })

  test('gives every page one main heading, and a title', () => {
    const wrong = site.pages.filter(({ html, title }) => title === '' || html.match(/<h1[ >]/g)?.length !== 1)
    expect(wrong.map(({ path }) => path)).toEqual([])
  })
})

describe('the reference', () => {
  const lists = globSync('test/package/exports/*.txt', { cwd: root }).toSorted()

  test.each(lists)('%s: every name has an entry with a sentence and a declaration', (list) => {
    const names = readFileSync(join(root, list), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.replace(/^type /, ''))
    const module = api.find(({ name }) => name.replaceAll('/', '-') === basename(list, '.txt'))
    const entries = new Map(module?.entries.map((entry) => [entry.name, entry]))
    const page = site.files.get(`api/${basename(list, '.txt')}.html`) ?? ''
    const poor = [...new Set([...names, ...entries.keys()])].filter((name) => {
      const entry = entries.get(name)
      return entry === undefined || !/[.:]$/m.test(entry.description) || entry.signature === '' || !page.includes(`<h3 id="${name}">`)
    })
    expect(poor, 'Write one sentence as JSDoc above each of these exports.').toEqual([])
  })

  test('shows overloads without the body, and a class without what is private', () => {
    const entryOf = (name: string) => api.flatMap(({ entries }) => entries).find((entry) => entry.name === name)
    expect(entryOf('success')?.signature).not.toMatch(/return /)
    expect(entryOf('ToolError')?.signature).toMatch(
      /^class ToolError extends Error \{[\s\S]*constructor\(message: string, options: ToolErrorOptions = \{\}\)\n\}$/,
    )
    expect(api.flatMap(({ entries }) => entries).filter(({ signature }) => /#\w+[:;(]|^\s*private /m.test(signature))).toEqual([])
  })

  test('is linked from the guides, and links back to them', () => {
    expect(site.files.get('guides/reviews.html')).toContain('href="../api/toolwright.html#gate"')
    expect(site.files.get('api/toolwright.html')).toContain('href="../guides/reviews.html">Reviews</a>')
  })
})

describe('a link that leads nowhere is a problem', () => {
  test.each([
    { href: 'nowhere.md', problem: /leads to no file/ },
    { href: '../../../outside.md', problem: /leads to no file/ },
    { href: '100%.md', problem: /leads to no file/ },
    { href: 'reviews.md#nowhere', problem: /leads to no heading of docs\/guides\/reviews\.md/ },
    { href: '#nowhere', problem: /leads to no heading of docs\/guides\/tools\.md/ },
    { href: '../../README.md#nowhere', problem: /leads to no heading of README\.md/ },
    { href: '../../scripts/check.ts#L9999', problem: /leads to no heading of scripts\/check\.ts/ },
  ])('$href', ({ href, problem }) => {
    const book = linkBook()
    book.linkOf('docs/guides/tools.md', href)
    const dead = book.deadLinks((file) => (file.endsWith('.md') ? new Set(['a-heading']) : undefined))
    expect(dead).toHaveLength(1)
    expect(dead[0]).toMatch(problem)
  })

  test('a good one is not: a page, a heading, a line, a folder, an address', () => {
    const book = linkBook()
    const links = [
      'reviews.md',
      'reviews.md#a-heading',
      '#a-heading',
      '../../scripts/check.ts#L1',
      '../errors/',
      '../../examples/order-desk',
      'https://example.com/x',
    ]
    expect(links.map((href) => book.linkOf('docs/guides/tools.md', href))).toEqual([
      'reviews.html',
      'reviews.html#a-heading',
      '#a-heading',
      '../source/scripts/check.ts.html#L1',
      '../errors/index.html',
      '../source/examples/order-desk.html',
      'https://example.com/x',
    ])
    expect(book.deadLinks((file) => (file.endsWith('.md') ? new Set(['a-heading']) : undefined))).toEqual([])
  })

  test('in a finished page too: a file, a place, an absolute path', () => {
    const pages = new Map([
      [
        'index.html',
        '<p id="here"></p><a href="a/b.html#there">x</a><a href="a/b.html#gone">x</a><a href="gone.html">x</a><a href="/a/b.html">x</a>',
      ],
      ['a/b.html', '<p id="there"></p><a href="../index.html#here">x</a><a href="#there">x</a>'],
    ])
    expect(brokenLinks(pages)).toEqual([
      "index.html: the link 'a/b.html#gone' leads to no place of a/b.html.",
      "index.html: the link 'gone.html' leads to no file of the site.",
      "index.html: the link '/a/b.html' leads to no file of the site.",
    ])
  })

  test('a name that the package does not export, and a subpath that it does not have', () => {
    const page =
      "Use `toolwright/nothing`.\n\n```ts\nimport { gate, type GateOptions, nothing } from 'toolwright'\nimport { a } from 'toolwright/gone'\n```\n"
    expect(nameProblems('docs/guides/x.md', page, api)).toEqual([
      "docs/guides/x.md: 'toolwright' does not export 'nothing'.",
      "docs/guides/x.md: 'toolwright/gone' does not export 'a'.",
      "docs/guides/x.md: package.json exports no 'toolwright/nothing'.",
    ])
  })
})

describe('a page', () => {
  const plain = { linkOf: (href: string) => href, nameLink: () => undefined }

  test('has the anchors that code hosts make of its headings', () => {
    const page = "# A & B: `code`, *and* more?\n## Same\n## Same\n## Retry, `breaker`, limit\n## toolwright.config.ts — it's here\n"
    expect(renderMarkdown(page, plain).headings.map(({ anchor }) => anchor)).toEqual([
      'a--b-code-and-more',
      'same',
      'same-1',
      'retry-breaker-limit',
      'toolwrightconfigts--its-here',
    ])
  })

  test('shows HTML in Markdown and in code as text', () => {
    const { html } = renderMarkdown('<script>alert(1)</script>\n\n`<b>`\n\n```ts\nconst a = "<img src=x>" // <i>\n```\n', plain)
    expect(html).not.toMatch(/<(script|b|img|i)[ >]/)
    expect(html).toContain('&lt;script&gt;')
  })

  test('keeps the text of code to the letter, whatever is marked in it', () => {
    const code = "const a: string = `x ${b} y` // 'not a text'\nlet $c = 1.5e3, d = 'it\\'s' /* & < > \" */\n"
    for (const language of ['ts', 'sh', 'json', 'java', 'unknown']) {
      const text = highlight(code, language, (name) => (name === 'a' ? 'x.html' : undefined)).replaceAll(/<[^>]+>/g, '')
      expect(text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')).toBe(code)
    }
  })

  test('links a name where it is meant, and not a field of the same name', () => {
    const html = highlight('gate(limit, { gate: 1, x: y.gate })', 'ts', (name) => (name === 'gate' ? 'g.html' : undefined))
    expect(html.match(/<a /g)).toHaveLength(1)
  })

  test('reaches every other one by a relative path', () => {
    expect(relativeLink('guides/a.html', 'api/b.html#c')).toBe('../api/b.html#c')
    expect(relativeLink('index.html', 'guides/a.html')).toBe('guides/a.html')
    expect(relativeLink('guides/a.html', 'guides/a.html#b')).toBe('#b')
  })
})
