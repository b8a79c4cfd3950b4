import type { BenchOutput } from '../bench-output.ts'
import { all, highest, iso, number, person, question, sumOf } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { absent, coined, countBy, day, filler, inside, lowest, mostOf, round, skewed, sumBy, tally, times } from './shared.ts'

const START = Date.UTC(2026, 2, 3, 6)

/** A page of a tracker's REST list with nested objects. */
export function issueList(seed: number): BenchOutput {
  const random = randomOf(seed)
  const logins = times(18, () => coined(random, 3))
  const labels = ['bug', 'docs', 'performance', 'good first issue', 'needs triage', 'security', 'regression']
  const items = times(260, (at) => {
    const isOpen = random.chance(0.6)
    return {
      id: 880_000_000 + at * 7 + random.int(0, 5),
      number: 9120 - at * 3 - random.int(0, 2),
      title: `${random.pick(['Crash', 'Slow start', 'Wrong rounding', 'Memory leak', 'Broken link', 'Flaky check'])} in ${coined(random, 3)} when ${random.pick(['offline', 'resized', 'idle', 'upgraded', 'printing'])}`,
      state: isOpen ? 'open' : 'closed',
      state_reason: isOpen ? null : random.chance(0.7) ? 'completed' : 'not_planned',
      user: { login: random.pick(logins), id: random.int(1000, 99_999), type: random.chance(0.9) ? 'User' : 'Bot' },
      labels: times(random.int(0, 3), () => ({ name: random.pick(labels), color: random.hex(6) })),
      assignee: random.chance(0.4) ? { login: random.pick(logins.slice(0, 6)) } : null,
      milestone: random.chance(0.2) ? { title: 'v4.2', due_on: '2026-06-19T00:00:00Z' } : null,
      comments: skewed(random, 1, 40),
      locked: false,
      active_lock_reason: null as string | null,
      created_at: iso(START - at * 9_000_000 - random.int(0, 8_000_000)),
      reactions: { total_count: random.int(0, 30), '+1': random.int(0, 20), heart: random.int(0, 5) },
      body: filler(random, 30),
    }
  })
  const busiest = inside(random, items)
  busiest.comments = random.int(300, 900)
  const locked = inside(random, items)
  Object.assign(locked, { locked: true, active_lock_reason: 'too heated' })
  const asked = inside(random, items)
  const planted = inside(random, items)
  const version = `${random.int(11, 40)}.${random.int(0, 9)}.${random.int(10, 99)}-rc`
  planted.body = `Since the upgrade to ${version} the preview stays blank on tablets. ${filler(random, 20)}`
  const labelled = countBy(items.flatMap((item) => [...new Set(item.labels.map((label) => label.name))]), (name) => name)
  const assigned = countBy(items.flatMap((item) => (item.assignee === null ? [] : [item.assignee.login])), (login) => login)
  const [assignee, most] = mostOf(assigned)
  const oldest = lowest(items, (item) => Date.parse(item.created_at))
  const cursor = random.hex(24)
  const comments = sumOf(items, (item) => item.comments)
  const states = countBy(items, (item) => item.state)
  return {
    name: 'issue list',
    task: 'Look through the open issues of the repository and say what needs attention.',
    value: { total_count: 1893, incomplete_results: false, items, next: `https://tracker.example/api/issues?after=${cursor}&per_page=260` },
    questions: [
      question('needle', `What is the title of issue ${asked.number}?`, all(asked.title), [{ query: String(asked.number) }, { path: `items[?number==\`${asked.number}\`].title` }]),
      question('total', 'How many of the listed issues are open?', [tally('open', states['open'] ?? 0)], [{ aggregate: { where: { state: 'open' }, count: true } }]),
      question('extreme', 'Which issue has the most comments, and how many?', [[String(busiest.number), busiest.title], [String(busiest.comments)]], [{ aggregate: { top: 'comments' } }]),
      question('group', 'How many issues carry the label security?', [tally('security', labelled['security'] ?? 0)], [{ aggregate: { where: { 'labels.name': 'security' }, count: true } }, { path: "length(items[?labels[?name=='security']])" }, { query: '"security"' }]),
      question('group', 'Who is assigned to the most issues, and to how many?', [tally(assignee, most)], [{ aggregate: { groupBy: 'assignee.login', count: true } }]),
      question('extreme', 'When was the oldest issue of this page created?', all(oldest.created_at), [{ aggregate: { min: 'created_at' } }]),
      question('needle', 'When is the milestone v4.2 due?', [['2026-06-19']], [{ query: 'v4.2' }]),
      { ...question('absence', 'Is any issue in the state merged?', [], [{ aggregate: { where: { state: 'merged' }, count: true } }, { query: 'merged' }]), ...absent(states) },
      question('needle', 'What is the link to the next page?', all(cursor), [{ path: 'next' }, { query: 'next' }]),
      question('total', 'How many comments do these issues have together?', [number(comments)], [{ aggregate: { sum: 'comments' } }]),
      question('needle', 'Which issue was locked, and why?', [[String(locked.number), locked.title], ['too heated']], [{ aggregate: { where: { locked: true } } }, { query: 'too heated' }]),
      question('needle', 'Since which version does the preview stay blank on tablets?', all(version), [{ query: 'preview stays blank tablets' }]),
      question('total', 'How many issues are there in the tracker in total?', [['total_count 1893', 'total_count: 1893', 'total_count":1893', 'total_count=1893', '1,893', 'total_count | 1893', 'total_count 1,893']], [{ path: 'total_count' }]),
    ],
  }
}

/** A GraphQL answer: edges, nodes, partial errors. */
export function graphqlAnswer(seed: number): BenchOutput {
  const random = randomOf(seed)
  const regions = ['EMEA', 'APAC', 'LATAM', 'NORAM']
  const plans = ['Free', 'Team', 'Scale', 'Enterprise']
  const nodes = times(180, (at) => ({
    id: `gid://crm/Account/${41_000 + at * 13}`,
    name: `${coined(random, 3)} ${random.pick(['GmbH', 'Ltd', 'SA', 'Inc', 'BV'])}`,
    plan: random.pick(plans),
    region: random.pick(regions),
    arr: { amount: skewed(random, 900, 60_000), currency: 'EUR' },
    owner: { name: person(random), team: random.pick(['Falcon', 'Heron', 'Osprey']) },
    healthScore: random.int(35, 99),
    renewsOn: day(START + random.int(20, 400) * 86_400_000),
    contacts: { totalCount: 2, edges: times(2, () => ({ node: { email: `${coined(random, 3)}@${coined(random, 2)}.example`, role: random.pick(['buyer', 'admin', 'finance']) } })) },
  }))
  const risky = inside(random, nodes)
  risky.healthScore = random.int(3, 9)
  const largest = inside(random, nodes)
  largest.arr.amount = random.int(310_000, 480_000)
  const asked = inside(random, nodes)
  const soonest = lowest(nodes, (node) => Date.parse(node.renewsOn))
  const byPlan = countBy(nodes, (node) => node.plan)
  const byRegion = sumBy(nodes, (node) => node.region, (node) => node.arr.amount)
  const [region, amount] = mostOf(byRegion)
  const cursor = `c_${random.hex(20)}`
  const broken = inside(random, nodes)
  const trace = random.hex(16)
  const teams = countBy(nodes, (node) => node.owner.team)
  const edges = nodes.map((node, at) => ({ cursor: `e_${at}${random.hex(6)}`, node }))
  return {
    name: 'graphql answer',
    task: 'Prepare a summary of our accounts for the quarterly review.',
    value: {
      data: { viewer: { login: 'svc-report' }, accounts: { totalCount: 2764, edges, pageInfo: { hasNextPage: true, endCursor: cursor } } },
      errors: [{ message: `Field usage of ${broken.id} timed out after 3000 ms`, path: ['data', 'accounts', 'edges', 77, 'node', 'usage'], extensions: { code: 'UPSTREAM_TIMEOUT', traceId: trace } }],
      extensions: { cost: { requested: 1882, remaining: 8118 } },
    },
    questions: [
      question('needle', `Which e-mail addresses belong to ${asked.name}?`, [[asked.contacts.edges[0]?.node.email ?? '']], [{ query: asked.name }]),
      question('total', 'How many accounts are on the plan Enterprise?', [tally('Enterprise', byPlan['Enterprise'] ?? 0)], [{ aggregate: { where: { plan: 'Enterprise' }, count: true } }]),
      question('extreme', 'Which account has the lowest health score?', [[risky.name, risky.id], [String(risky.healthScore)]], [{ aggregate: { min: 'healthScore' } }, { path: 'data.accounts.edges[].node | sort_by(@, &healthScore) | [0]' }]),
      question('extreme', 'What is the largest annual revenue of an account, and whose?', [[largest.name, largest.id], number(largest.arr.amount)], [{ aggregate: { top: 'arr.amount' } }]),
      question('group', 'Which region has the highest revenue in all?', [[region], number(amount)], [{ aggregate: { groupBy: 'region', sum: 'arr.amount' } }]),
      question('extreme', 'Which account renews first, and when?', [[soonest.name, soonest.id], [soonest.renewsOn]], [{ aggregate: { min: 'renewsOn' } }]),
      question('needle', 'What is the cursor of the next page?', all(cursor), [{ path: 'data.accounts.pageInfo' }, { query: 'endCursor' }]),
      question('needle', 'Did the answer report errors, and what is the trace id?', [['UPSTREAM_TIMEOUT'], [trace]], [{ path: 'errors' }, { query: 'errors' }]),
      question('total', 'How many accounts are there in all?', [['2764', '2,764']], [{ path: 'data.accounts.totalCount' }]),
      question('group', 'How many accounts does the team Heron own?', [tally('Heron', teams['Heron'] ?? 0)], [{ aggregate: { where: { 'node.owner.team': 'Heron' }, count: true } }]),
      { ...question('absence', 'Are there accounts in the region AFRICA?', [], [{ aggregate: { where: { region: 'AFRICA' }, count: true } }]), ...absent(countBy(nodes, (node) => node.region)) },
      question('needle', 'How much of the query cost remains?', [['8118', '8,118']], [{ path: 'extensions.cost' }]),
      question('total', 'What is the revenue of all listed accounts together?', [number(sumOf(nodes, (node) => node.arr.amount))], [{ aggregate: { sum: 'arr.amount' } }]),
    ],
  }
}

/** An answer of a search engine: hits with scores and highlights, buckets, a scroll id. */
export function searchAnswer(seed: number): BenchOutput {
  const random = randomOf(seed)
  const sources = ['wiki', 'tickets', 'mail', 'drive']
  const hits = times(120, (at) => ({
    _index: `kb-${2023 + (at % 4)}`,
    _id: random.hex(12),
    _score: round(18 - at * 0.11 - random.next() * 0.05, 3),
    _source: {
      title: `${random.pick(['How to', 'Notes on', 'Review of', 'Plan for'])} ${coined(random, 3)} ${random.pick(['migration', 'backup', 'billing', 'onboarding'])}`,
      author: person(random),
      source: random.pick(sources),
      updated: day(START - random.int(1, 900) * 86_400_000),
      words: skewed(random, 80, 4000),
      body: times(5, () => filler(random, 18)).join(' '),
    },
    highlight: { body: [filler(random, 12).replace(/ (\w+)\./, ' <em>$1</em>.')] },
  }))
  const planted = inside(random, hits)
  const port = random.int(21_000, 64_000)
  planted._source.body = `${filler(random)} The failover listener answers on port ${port} only inside the vault network. ${filler(random)}`
  const rare = inside(random, hits)
  const retention = random.int(401, 990)
  rare._source.body = `${filler(random)} Legal asked us to keep cashier recordings for ${retention} days. ${filler(random)}`
  const asked = inside(random, hits)
  const longest = inside(random, hits)
  longest._source.words = random.int(22_000, 38_000)
  const newest = highest(hits, (hit) => Date.parse(hit._source.updated) + hit._score)
  const bySource = countBy(hits, (hit) => hit._source.source)
  const scroll = random.hex(40)
  const authors = countBy(hits, (hit) => hit._source.author)
  const [author, most] = mostOf(authors)
  const buckets = sources.map((key) => ({ key, doc_count: random.int(1100, 9000) }))
  const best = buckets.toSorted((a, b) => b.doc_count - a.doc_count)[0]
  return {
    name: 'search answer',
    task: 'Find out how backups and migrations are done here.',
    value: {
      took: 87,
      timed_out: false,
      _shards: { total: 24, successful: 23, skipped: 0, failed: 1, failures: [{ shard: 17, node: 'n-4', reason: { type: 'circuit_breaking_exception', reason: 'Data too large' } }] },
      _scroll_id: scroll,
      hits: { total: { value: 18_422, relation: 'eq' }, max_score: hits[0]?._score, hits },
      aggregations: { by_source: { buckets } },
    },
    questions: [
      question('needle', 'On which port does the failover listener answer?', all(String(port)), [{ query: 'failover listener port' }]),
      question('needle', 'How long must cashier recordings be kept?', all(String(retention)), [{ query: 'cashier recordings' }]),
      question('needle', `Who wrote the document ${asked._id}?`, [[asked._source.author], [asked._id]], [{ query: asked._id }]),
      question('extreme', 'Which document is the longest, in words?', [[longest._id, longest._source.title], [String(longest._source.words)]], [{ aggregate: { top: '_source.words' } }]),
      question('extreme', 'When was the most recently updated hit updated?', all(newest._source.updated), [{ aggregate: { max: '_source.updated' } }]),
      question('group', 'How many of these hits come from tickets?', [tally('tickets', bySource['tickets'] ?? 0)], [{ aggregate: { where: { '_source.source': 'tickets' }, count: true } }]),
      question('needle', 'Which scroll id continues this search?', all(scroll), [{ path: '_scroll_id' }, { query: '_scroll_id' }]),
      question('total', 'How many documents match in all?', [['18422', '18,422']], [{ path: 'hits.total' }]),
      question('needle', 'Did a shard fail, and why?', [['circuit_breaking_exception', 'Data too large']], [{ path: '_shards' }, { query: 'failures' }]),
      question('group', 'Which source has the most documents in the buckets?', [[best?.key ?? ''], [String(best?.doc_count)]], [{ path: 'aggregations' }]),
      question('group', 'Which author appears most often among the hits?', [tally(author, most)], [{ aggregate: { groupBy: '_source.author', count: true } }]),
      { ...question('absence', 'Is any hit from the source chat?', [], [{ aggregate: { where: { '_source.source': 'chat' }, count: true } }]), ...absent(bySource) },
    ],
  }
}

/** The description of a web API, as JSON. */
export function apiDescription(seed: number): BenchOutput {
  const random = randomOf(seed)
  const resources = [...new Set(times(60, () => `${coined(random, 2)}s`))]
  const scopes = ['read', 'write', 'admin']
  const paths: Record<string, Record<string, unknown>> = {}
  const operations: { id: string; path: string; method: string; scope: string; limit: number; isDeprecated: boolean }[] = []
  const add = (path: string, method: string, id: string): void => {
    const each = { id, path, method, scope: random.pick(scopes), limit: random.int(20, 100), isDeprecated: false }
    operations.push(each)
    paths[path] ??= {}
    paths[path][method] = {
      operationId: id,
      summary: filler(random, 8),
      parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: each.limit, default: 20 } }, { name: 'X-Request-Id', in: 'header', schema: { type: 'string', format: 'uuid' } }],
      security: [{ oauth: [each.scope] }],
      responses: { 200: { description: 'OK' }, 404: { description: 'Not found' }, 429: { description: 'Too many requests' } },
    }
  }
  for (const name of resources) {
    const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
    add(`/v2/${name}`, 'get', `list${title}`)
    add(`/v2/${name}`, 'post', `create${title}`)
    add(`/v2/${name}/{id}`, 'get', `get${title}`)
    if (random.chance(0.5)) add(`/v2/${name}/{id}`, 'delete', `delete${title}`)
  }
  const old = inside(random, operations)
  old.isDeprecated = true
  Object.assign(paths[old.path]?.[old.method] ?? {}, { deprecated: true, 'x-sunset': '2026-12-05' })
  const wide = inside(random, operations)
  wide.limit = random.int(1200, 5000)
  Object.assign(paths[wide.path]?.[wide.method] ?? {}, { parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: wide.limit } }] })
  const asked = inside(random, operations)
  const schemas = Object.fromEntries(
    resources.map((name) => [name, { type: 'object', required: ['id', 'createdAt'], properties: { id: { type: 'string' }, createdAt: { type: 'string', format: 'date-time' }, [coined(random, 3)]: { type: 'number' }, state: { type: 'string', enum: ['draft', 'live', 'gone'] } } }]),
  )
  const owner = random.pick(resources)
  const property = Object.keys(schemas[owner]?.properties ?? {})[2] ?? ''
  const methods = countBy(operations, (each) => each.method)
  const tokenUrl = `https://login.example/${random.hex(8)}/token`
  const mail = `api-${random.hex(4)}@maker.example`
  return {
    name: 'api description',
    task: 'Work out how to call this API.',
    value: {
      openapi: '3.1.0',
      info: { title: 'Depot API', version: '2.19.4', contact: { email: mail } },
      servers: [{ url: 'https://eu.depot.example/api' }, { url: 'https://sandbox.depot.example/api', description: 'Sandbox' }],
      paths,
      components: { schemas, securitySchemes: { oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes: { read: 'Read', write: 'Write', admin: 'All' } } } } } },
    },
    questions: [
      question('needle', 'Which version of the API is this?', all('2.19.4'), [{ path: 'info' }, { query: 'version' }]),
      question('needle', 'Where does one get a token?', all(tokenUrl), [{ query: 'tokenUrl' }]),
      question('needle', 'What is the address of the sandbox?', all('https://sandbox.depot.example/api'), [{ query: 'sandbox' }, { path: 'servers' }]),
      question('needle', 'Which operation is deprecated, and when does it go?', [[old.id, old.path], ['2026-12-05']], [{ query: 'deprecated' }]),
      question('extreme', 'Which operation allows the largest limit?', [[wide.id, wide.path], [String(wide.limit)]], [{ query: String(wide.limit) }, { aggregate: { top: 'maximum' } }, { aggregate: { top: 'schema.maximum' } }]),
      question('needle', `Which scope does ${asked.id} need?`, [[asked.id], [`"${asked.scope}"`, `oauth ${asked.scope}`, `oauth: ${asked.scope}`]], [{ query: asked.id }]),
      question('total', 'How many paths does the API have?', [[...tally('paths', Object.keys(paths).length), `${Object.keys(paths).length} paths`, `${Object.keys(paths).length} keys`, `${Object.keys(paths).length} entries`, `${Object.keys(paths).length} items`, String(Object.keys(paths).length) + ' values']], [{ path: 'length(keys(paths))' }, { aggregate: { table: 'paths', count: true } }]),
      question('group', 'How many delete operations are there?', [tally('delete', methods['delete'] ?? 0)], [{ query: '"delete"' }, { query: 'delete' }]),
      question('needle', `Which property besides id, createdAt and state has the schema ${owner}?`, all(property), [{ path: `components.schemas.${owner}` }]),
      question('needle', 'Which states can a resource have?', all('draft', 'live', 'gone'), [{ query: 'enum' }, { query: 'state' }]),
      question('needle', 'Whom can one write to about the API?', all(mail), [{ path: 'info' }, { query: 'contact' }]),
      { ...question('absence', 'Is there a patch operation?', [], [{ query: '"patch"' }, { query: 'patch' }]), ...absent(methods) },
    ],
  }
}
