import type { BenchOutput } from '../bench-output.ts'
import { all, number, person, question, sumOf } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { absent, coined, countBy, day, inside, lowest, mostOf, skewed, sumBy, tally, times } from './shared.ts'

const START = Date.UTC(2026, 2, 3, 6)

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
    contacts: {
      totalCount: 2,
      edges: times(2, () => ({
        node: { email: `${coined(random, 3)}@${coined(random, 2)}.example`, role: random.pick(['buyer', 'admin', 'finance']) },
      })),
    },
  }))
  const risky = inside(random, nodes)
  risky.healthScore = random.int(3, 9)
  const largest = inside(random, nodes)
  largest.arr.amount = random.int(310_000, 480_000)
  const asked = inside(random, nodes)
  const soonest = lowest(nodes, (node) => Date.parse(node.renewsOn))
  const byPlan = countBy(nodes, (node) => node.plan)
  const byRegion = sumBy(
    nodes,
    (node) => node.region,
    (node) => node.arr.amount,
  )
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
      errors: [
        {
          message: `Field usage of ${broken.id} timed out after 3000 ms`,
          path: ['data', 'accounts', 'edges', 77, 'node', 'usage'],
          extensions: { code: 'UPSTREAM_TIMEOUT', traceId: trace },
        },
      ],
      extensions: { cost: { requested: 1882, remaining: 8118 } },
    },
    questions: [
      question(
        'needle',
        `Which e-mail addresses belong to ${asked.name}?`,
        [[asked.contacts.edges[0]?.node.email ?? '']],
        [{ query: asked.name }],
      ),
      question(
        'total',
        'How many accounts are on the plan Enterprise?',
        [tally('Enterprise', byPlan['Enterprise'] ?? 0)],
        [{ aggregate: { where: { plan: 'Enterprise' }, count: true } }],
      ),
      question(
        'extreme',
        'Which account has the lowest health score?',
        [[risky.name, risky.id], [String(risky.healthScore)]],
        [{ aggregate: { min: 'healthScore' } }, { path: 'data.accounts.edges[].node | sort_by(@, &healthScore) | [0]' }],
      ),
      question(
        'extreme',
        'What is the largest annual revenue of an account, and whose?',
        [[largest.name, largest.id], number(largest.arr.amount)],
        [{ aggregate: { top: 'arr.amount' } }],
      ),
      question(
        'group',
        'Which region has the highest revenue in all?',
        [[region], number(amount)],
        [{ aggregate: { groupBy: 'region', sum: 'arr.amount' } }],
      ),
      question(
        'extreme',
        'Which account renews first, and when?',
        [[soonest.name, soonest.id], [soonest.renewsOn]],
        [{ aggregate: { min: 'renewsOn' } }],
      ),
      question('needle', 'What is the cursor of the next page?', all(cursor), [{ path: 'data.accounts.pageInfo' }, { query: 'endCursor' }]),
      question(
        'needle',
        'Did the answer report errors, and what is the trace id?',
        [['UPSTREAM_TIMEOUT'], [trace]],
        [{ path: 'errors' }, { query: 'errors' }],
      ),
      question('total', 'How many accounts are there in all?', [['2764', '2,764']], [{ path: 'data.accounts.totalCount' }]),
      question(
        'group',
        'How many accounts does the team Heron own?',
        [tally('Heron', teams['Heron'] ?? 0)],
        [{ aggregate: { where: { 'node.owner.team': 'Heron' }, count: true } }],
      ),
      {
        ...question(
          'absence',
          'Are there accounts in the region AFRICA?',
          [],
          [{ aggregate: { where: { region: 'AFRICA' }, count: true } }],
        ),
        ...absent(countBy(nodes, (node) => node.region)),
      },
      question('needle', 'How much of the query cost remains?', [['8118', '8,118']], [{ path: 'extensions.cost' }]),
      question(
        'total',
        'What is the revenue of all listed accounts together?',
        [number(sumOf(nodes, (node) => node.arr.amount))],
        [{ aggregate: { sum: 'arr.amount' } }],
      ),
    ],
  }
}
