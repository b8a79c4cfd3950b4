import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LocalSite, localSite } from '../../../test/fixtures/web/local-site.ts'
import { guardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts'
import { httpTool } from './http-tool.ts'
import { webScrape } from './scrape/web-scrape.ts'

/** The service that every attack is after. It listens on loopback, and nobody may reach it. */
let secret: LocalSite
/** A site that may be read. It leads wherever its query says. */
let entry: LocalSite

beforeAll(async () => {
  secret = await localSite((_request, response) => response.end('the secret'))
  entry = await localSite(({ url }, response) => {
    const query = new URL(url, 'http://x').searchParams
    response.writeHead(Number(query.get('status') ?? 302), { location: query.get('to') ?? '/' }).end('moved')
  })
})
beforeEach(() => {
  secret.seen.length = 0
  entry.seen.length = 0
})
afterAll(async () => {
  await secret.close()
  await entry.close()
})

/** Names under the attacker's control. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'loopback.example': ['127.0.0.1'],
  'loopback6.example': ['::1'],
  'mixed.example': ['93.184.216.34', '127.0.0.1'],
  'mixed6.example': ['2606:2800:220:1::1', 'fe80::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'zoned.example': ['fe80::1%lo'],
  'metadata.example': ['169.254.169.254'],
  'metadata.google.internal': ['169.254.169.254'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'intranet.example': ['10.0.0.1'],
  'nothing.example': [],
  'words.example': ['localhost'],
  localhost: ['127.0.0.1', '::1'],
  'app.localhost': ['127.0.0.1'],
}

/** Everything is allowed that an attack does not need: the addresses alone must stop it. */
const open: GuardedFetchOptions = {
  ports: 'any',
  timeout: '5s',
  lookup: async (host) => NAMES[host.replace(/\.$/, '')] ?? [],
}

interface Attack {
  readonly name: string
  /** PORT stands for the port of the secret service. */
  readonly url: string
}

const asAttacks = (rows: readonly (readonly [name: string, url: string])[]): readonly Attack[] => rows.map(([name, url]) => ({ name, url }))

/** Forms of 127.0.0.1 that a client understands: without a check, each of them reaches the secret service. */
const loopback = asAttacks([
  ['as it is', 'http://127.0.0.1:PORT/'],
  ['decimal', 'http://2130706433:PORT/'],
  ['octal', 'http://0177.0.0.1:PORT/'],
  ['octal with many zeros', 'http://00000177.0.0.1:PORT/'],
  ['hexadecimal', 'http://0x7f000001:PORT/'],
  ['hexadecimal parts', 'http://0x7f.0x0.0x0.0x1:PORT/'],
  ['mixed parts', 'http://0x7f.0.1:PORT/'],
  ['two parts', 'http://127.1:PORT/'],
  ['three parts', 'http://127.0.1:PORT/'],
  ['a dot at the end', 'http://127.0.0.1.:PORT/'],
  ['fullwidth digits', 'http://１２７.０.０.１:PORT/'],
  ['circled digits', 'http://①②⑦.⓪.⓪.①:PORT/'],
  ['an ideographic full stop', 'http://127。0。0。1:PORT/'],
  ['an encoded digit', 'http://%31%32%37.0.0.1:PORT/'],
  ['capital letters of the scheme', 'HTTP://127.0.0.1:PORT/'],
  ['no slashes', 'http:127.0.0.1:PORT/'],
  ['one slash', 'http:/127.0.0.1:PORT/'],
  ['many slashes', 'http://///127.0.0.1:PORT/'],
  ['a path that looks like a host', 'http://127.0.0.1:PORT/@93.184.216.34/'],
])

/** Other addresses that are nobody's public host. */
const addresses = asAttacks([
  ['another address of loopback', 'http://127.8.8.8:PORT/'],
  ['unspecified', 'http://0.0.0.0:PORT/'],
  ['unspecified, short', 'http://0:PORT/'],
  ['this network', 'http://0.1.2.3:PORT/'],
  ['broadcast', 'http://255.255.255.255:PORT/'],
  ['multicast', 'http://224.0.0.1:PORT/'],
  ['reserved', 'http://240.0.0.1:PORT/'],
  ['private, ten', 'http://10.0.0.1:PORT/'],
  ['private, 172', 'http://172.16.0.1:PORT/'],
  ['private, 172 at its end', 'http://172.31.255.255:PORT/'],
  ['private, 192', 'http://192.168.1.1:PORT/'],
  ['carrier', 'http://100.64.0.1:PORT/'],
  ['link-local', 'http://169.254.1.1:PORT/'],
  ['metadata of a cloud', 'http://169.254.169.254/latest/meta-data/'],
  ['metadata in decimal', 'http://2852039166/latest/meta-data/'],
  ['metadata in octal', 'http://0251.0376.0251.0376/'],
  ['metadata of Azure', 'http://168.63.129.16/'],
  ['metadata of Alibaba', 'http://100.100.100.200/latest/'],
  ['metadata of Oracle', 'http://192.0.0.192/'],
  ['benchmarks', 'http://198.18.0.1:PORT/'],
  ['documentation', 'http://192.0.2.1:PORT/'],
  ['the relay of 6to4', 'http://192.88.99.1:PORT/'],
  ['loopback of IPv6', 'http://[::1]:PORT/'],
  ['loopback of IPv6, written out', 'http://[0:0:0:0:0:0:0:1]:PORT/'],
  ['unspecified of IPv6', 'http://[::]:PORT/'],
  ['mapped', 'http://[::ffff:127.0.0.1]:PORT/'],
  ['mapped, hexadecimal', 'http://[::ffff:7f00:1]:PORT/'],
  ['mapped metadata', 'http://[::ffff:169.254.169.254]/'],
  ['translated', 'http://[::ffff:0:127.0.0.1]:PORT/'],
  ['compatible', 'http://[::127.0.0.1]:PORT/'],
  ['NAT64', 'http://[64:ff9b::127.0.0.1]:PORT/'],
  ['NAT64 metadata', 'http://[64:ff9b::a9fe:a9fe]/'],
  ['NAT64 of a network of its own', 'http://[64:ff9b:1::7f00:1]:PORT/'],
  ['6to4', 'http://[2002:7f00:1::]:PORT/'],
  ['Teredo', 'http://[2001:0:4136:e378:8000:63bf:80ff:fffe]:PORT/'],
  ['ISATAP', 'http://[2606:4700::5efe:7f00:1]:PORT/'],
  ['link-local of IPv6', 'http://[fe80::1]:PORT/'],
  ['a zone id', 'http://[fe80::1%25lo]:PORT/'],
  ['a zone id, not encoded', 'http://[fe80::1%lo]:PORT/'],
  ['unique local', 'http://[fd00::1]:PORT/'],
  ['metadata of AWS over IPv6', 'http://[fd00:ec2::254]/latest/meta-data/'],
  ['site-local', 'http://[fec0::1]:PORT/'],
  ['multicast of IPv6', 'http://[ff02::1]:PORT/'],
  ['documentation of IPv6', 'http://[2001:db8::1]:PORT/'],
  ['segment routing', 'http://[5f00::1]:PORT/'],
])

const forms = asAttacks([
  ['a file', 'file:///etc/passwd'],
  ['gopher', 'gopher://127.0.0.1:PORT/_GET'],
  ['ftp', 'ftp://127.0.0.1:PORT/'],
  ['data', 'data:text/html,<b>x</b>'],
  ['javascript', 'javascript:alert(1)'],
  ['a socket of UNIX', 'http://unix:/var/run/docker.sock:/info'],
  ['a scheme around another', 'jar:http://127.0.0.1:PORT!/'],
  ['a blob', 'blob:http://127.0.0.1:PORT/x'],
  ['websocket', 'ws://127.0.0.1:PORT/'],
  ['a user', 'http://93.184.216.34@127.0.0.1:PORT/'],
  ['user and password', 'http://user:password@127.0.0.1:PORT/'],
  ['an empty user', 'http://:password@127.0.0.1:PORT/'],
  ['a backslash before the host', String.raw`http://93.184.216.34\@127.0.0.1:PORT/`],
  ['a backslash instead of a slash', String.raw`http:\\127.0.0.1:PORT/`],
  ['a tab in the host', 'http://127.0.\t0.1:PORT/'],
  ['a line break in the host', 'http://127.0.0.1\r\n:PORT/'],
  ['a line break in the path', 'http://127.0.0.1:PORT/\r\nX-Injected: yes'],
  ['a space before the scheme', ' http://127.0.0.1:PORT/'],
  ['a NUL', 'http://127.0.0.1:PORT\u0000.example/'],
  ['no host', 'http://'],
  ['no scheme', '127.0.0.1:PORT/'],
  ['a port that is too large', 'http://127.0.0.1:65536/'],
  ['an endless URL', `http://127.0.0.1:PORT/${'a'.repeat(10_000)}`],
])

const names = asAttacks([
  ['localhost', 'http://localhost:PORT/'],
  ['localhost with a dot', 'http://localhost.:PORT/'],
  ['localhost in capitals', 'http://LOCALHOST:PORT/'],
  ['localhost in circles', 'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT/'],
  ['a host below localhost', 'http://app.localhost:PORT/'],
  ['a name of loopback', 'http://loopback.example:PORT/'],
  ['a name of loopback of IPv6', 'http://loopback6.example:PORT/'],
  ['a name with a public and a private address', 'http://mixed.example:PORT/'],
  ['the same of IPv6', 'http://mixed6.example:PORT/'],
  ['a name of a mapped address', 'http://mapped.example:PORT/'],
  ['a name of an address with a zone', 'http://zoned.example:PORT/'],
  ['a name of NAT64', 'http://nat64.example:PORT/'],
  ['a name of the metadata', 'http://metadata.example/'],
  ['the name of the metadata of Google', 'http://metadata.google.internal/computeMetadata/v1/'],
  ['the intranet', 'http://intranet.example:PORT/'],
  ['a name without an address', 'http://nothing.example:PORT/'],
  ['a resolver that answers with a name', 'http://words.example:PORT/'],
])

const at = (url: string): string => url.replaceAll('PORT', String(secret.port))

describe('a URL that leads to this machine, its network or a cloud is refused before anything is sent [T17]', () => {
  test.for([...loopback, ...addresses, ...forms, ...names])('$name: $url', async ({ url }) => {
    const failure = await guardedFetch(open)(at(url)).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure).toMatchObject({ code: 'url_refused', outcome: 'not_started', retryable: false })
    expect(secret.seen).toEqual([])
  })

  test('the forms of 127.0.0.1 do reach the service where it is allowed, so that the attacks are real', async () => {
    const allowed = guardedFetch({ ...open, privateHosts: ['127.0.0.1:*'] })
    for (const { url } of loopback) expect((await allowed(at(url))).status).toBe(200)
    expect(secret.seen.length).toBe(loopback.length)
  })
})

describe('a redirect is checked like the first URL [T17]', () => {
  // A header holds Latin characters only.
  const targets = [...loopback.slice(0, 8), ...addresses.slice(0, 3), ...forms.slice(0, 5), ...names.slice(0, 3), ...names.slice(4, 12)]
  test.for([...targets, { name: 'without a scheme', url: '//127.1:PORT/' }, { name: 'with a user', url: 'http://a@127.0.0.1:PORT/' }])(
    '$name: $url',
    async ({ url }) => {
      const visit = guardedFetch({ ...open, privateHosts: [`127.0.0.1:${entry.port}`] })
      const from = `${entry.url}/?to=${encodeURIComponent(at(url))}`
      await expect(visit(from)).rejects.toMatchObject({ code: 'url_refused', outcome: 'not_started' })
      expect([entry.seen.length, secret.seen.length]).toEqual([1, 0])
    },
  )

  test('after several allowed hops', async () => {
    const hop = (to: string): string => `${entry.url}/?to=${encodeURIComponent(to)}`
    const visit = guardedFetch({ ...open, privateHosts: [`127.0.0.1:${entry.port}`] })
    await expect(visit(hop(hop(hop(`http://2130706433:${secret.port}/`))))).rejects.toMatchObject({ code: 'url_refused' })
    expect([entry.seen.length, secret.seen.length]).toEqual([3, 0])
  })
})

describe('a name whose addresses change [T17]', () => {
  test('is looked up once for a connection: the checked address is the one that is connected to', async () => {
    const answers = [['127.0.0.1'], ['169.254.169.254']]
    let asked = 0
    const visit = guardedFetch({ ...open, privateHosts: ['rebind.example:*'], lookup: async () => answers[asked++] ?? [] })
    expect((await visit(`http://rebind.example:${secret.port}/`)).status).toBe(200)
    expect([asked, secret.seen.length]).toEqual([1, 1])
  })

  test('is checked again for the next connection', async () => {
    const answers = [['127.0.0.1'], ['169.254.169.254']]
    const lookup = async (): Promise<readonly string[]> => answers.shift() ?? []
    const visit = guardedFetch({ ...open, privateHosts: ['rebind.example:*'], lookup })
    await visit(`http://rebind.example:${entry.port}/?status=200`)
    await expect(visit(`http://rebind.example:${secret.port}/`)).rejects.toMatchObject({ code: 'url_refused' })
    expect(secret.seen).toEqual([])
  })

  test('a name that is allowed in private networks is not allowed at the address of the metadata', async () => {
    const visit = guardedFetch({ ...open, privateHosts: ['metadata.example'] })
    await expect(visit('http://metadata.example/')).rejects.toMatchObject({ code: 'url_refused' })
  })
})

describe('ports, schemes and lists [T17]', () => {
  const closed: GuardedFetchOptions = { ...open, ports: undefined, privateHosts: ['127.0.0.1', '[::1]:8080'] }
  test.for([22, 25, 6379, 5432, 11_211, 8080])('port %i is refused by default', async (port) => {
    await expect(guardedFetch(closed)(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'url_refused' })
  })

  test('http is refused where only https is allowed', async () => {
    await expect(guardedFetch({ ...closed, schemes: ['https'] })('http://127.0.0.1/')).rejects.toMatchObject({ code: 'url_refused' })
  })

  test.for([
    ['another host', 'http://example.org/'],
    ['a host that ends in the same letters', 'http://badexample.com/'],
    ['the name as a part of another', 'http://example.com.evil.org/'],
    ['a look-alike', 'http://exаmple.com/'],
    ['the domain itself, where only hosts below it are allowed', 'http://example.net/'],
  ])('%s is not on the list', async ([, url = '']) => {
    const visit = guardedFetch({ ...open, allowHosts: ['example.com', '*.example.net'] })
    await expect(visit(url)).rejects.toMatchObject({ code: 'url_refused', message: expect.stringContaining('not on the list') })
  })

  test('a denied host stays denied with a dot, in capitals and below', async () => {
    const visit = guardedFetch({ ...open, privateHosts: ['localhost:*', '*.localhost:*'], denyHosts: ['localhost', '*.localhost'] })
    for (const host of ['localhost', 'LOCALHOST.', 'app.localhost'])
      await expect(visit(`http://${host}:${secret.port}/`)).rejects.toMatchObject({ code: 'url_refused' })
    expect(secret.seen).toEqual([])
  })
})

test('the tools refuse in the same way, and the refusal names no address of the network [T17]', async () => {
  const scraped = await webScrape({ access: open }).call({ url: 'http://intranet.example/' })
  expect(scraped).toMatchObject({ ok: false, error: { code: 'url_refused', outcome: 'not_started' } })
  expect(scraped.text).not.toContain('10.0.0.1')
  const tool = httpTool({
    name: 'inside',
    description: 'Asks a service.',
    url: `http://loopback.example:${secret.port}/{input}`,
    access: open,
  })
  expect(await tool.call('x')).toMatchObject({ ok: false, error: { code: 'url_refused', outcome: 'not_started' } })
  expect(secret.seen).toEqual([])
})
