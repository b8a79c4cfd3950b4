import type { BenchOutput } from '../bench-output.ts'
import { all, number, question, sumOf } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { absent, coined, countBy, day, inside, lowest, mostOf, round, skewed, sumBy, tally, times } from './shared.ts'

const START = Date.UTC(2026, 5, 1)

/** A wide result of a database in a terminal, with its footer. */
export function wideResult(seed: number): BenchOutput {
  const random = randomOf(seed)
  const names = [
    'id',
    'tenant',
    'plan',
    'seats',
    'mrr_cents',
    'trial_ends',
    'cc_last4',
    'country',
    'vat_rate',
    'channel',
    'csm',
    'nps',
    'tickets_open',
    'tickets_total',
    'sso',
    'region',
    'storage_mb',
    'api_calls_30d',
    'last_login',
    'churn_risk',
  ]
  const rows = times(420, (at) => ({
    id: 3100 + at,
    tenant: coined(random, 3),
    plan: random.pick(['solo', 'team', 'plus']),
    seats: skewed(random, 1, 80),
    mrr_cents: random.int(900, 90_000),
    trial_ends: random.chance(0.2) ? day(START + random.int(1, 30) * 86_400_000) : '',
    cc_last4: String(random.int(1000, 9999)),
    country: random.pick(['DE', 'FR', 'NL', 'PL', 'SE', 'IT']),
    vat_rate: random.pick([19, 20, 21, 23, 25]),
    channel: random.pick(['ads', 'referral', 'organic', 'partner']),
    csm: random.pick(['ilse', 'marek', 'joana']),
    nps: random.int(0, 10),
    tickets_open: random.int(0, 6),
    tickets_total: random.int(6, 90),
    sso: random.chance(0.3) ? 't' : 'f',
    region: random.pick(['eu-1', 'eu-2']),
    storage_mb: skewed(random, 10, 9000),
    api_calls_30d: skewed(random, 10, 200_000),
    last_login: day(START - random.int(0, 60) * 86_400_000),
    churn_risk: round(random.next() * 0.6, 3),
  }))
  const heavy = inside(random, rows)
  heavy.api_calls_30d = random.int(4_000_000, 9_000_000)
  const risky = inside(random, rows)
  risky.churn_risk = round(0.9 + random.next() * 0.09, 3)
  const moved = inside(random, rows)
  moved.region = 'us-9'
  const asked = inside(random, rows)
  const cells = rows.map((row) => Object.values(row).map(String))
  const widths = names.map((name, at) => Math.max(name.length, ...cells.map((row) => row[at]?.length ?? 0)))
  const draw = (row: readonly string[]): string => ` ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} `
  const byPlan = sumBy(
    rows,
    (row) => row.plan,
    (row) => row.mrr_cents,
  )
  const countries = countBy(rows, (row) => row.country)
  const [country] = mostOf(countries)
  const oldest = lowest(rows, (row) => Date.parse(row.last_login))
  const channels = countBy(rows, (row) => row.channel)
  return {
    name: 'wide result',
    task: 'Which tenants need a call from customer success?',
    text: [
      draw(names),
      widths.map((width) => '-'.repeat(width + 2)).join('+'),
      ...cells.map(draw),
      `(${rows.length} rows)`,
      '',
      'Time: 214.882 ms',
    ].join('\n'),
    questions: [
      question(
        'extreme',
        'Which tenant makes the most API calls?',
        [[heavy.tenant, String(heavy.id)], [String(heavy.api_calls_30d)]],
        [{ aggregate: { top: 'api_calls_30d' } }],
      ),
      question(
        'extreme',
        'Which tenant has the highest churn risk?',
        [[risky.tenant, String(risky.id)], [String(risky.churn_risk)]],
        [{ aggregate: { top: 'churn_risk' } }],
      ),
      question(
        'needle',
        'Which tenant is not in an EU region?',
        [[moved.tenant, String(moved.id)], ['us-9']],
        [{ aggregate: { where: { region: 'us-9' } } }, { query: 'us-9' }],
      ),
      question(
        'needle',
        `What is the plan and storage of the tenant ${asked.tenant}?`,
        [[asked.tenant], [String(asked.storage_mb)]],
        [{ query: asked.tenant }],
      ),
      question(
        'group',
        'What is the monthly revenue of the plan team, in cents?',
        [number(byPlan['team'] ?? 0)],
        [{ aggregate: { groupBy: 'plan', sum: 'mrr_cents' } }],
      ),
      question(
        'group',
        'Which country has the most tenants?',
        [tally(country, countries[country] ?? 0)],
        [{ aggregate: { groupBy: 'country', count: true } }],
      ),
      question('total', 'How many seats are there in all?', [number(sumOf(rows, (row) => row.seats))], [{ aggregate: { sum: 'seats' } }]),
      question(
        'total',
        'How many tenants have single sign-on?',
        [tally('t', rows.filter((row) => row.sso === 't').length)],
        [{ aggregate: { where: { sso: 't' }, count: true } }],
      ),
      question('extreme', 'What is the earliest last login?', all(oldest.last_login), [{ aggregate: { min: 'last_login' } }]),
      question('needle', 'How long did the query take?', all('214.882 ms'), [{ query: 'Time:' }]),
      question('total', 'How many rows came back?', [['420 rows', 'rows 420', 'rows: 420', 'count 420']], [{ aggregate: { count: true } }]),
      {
        ...question(
          'absence',
          'Is there a tenant from the channel events?',
          [],
          [{ aggregate: { where: { channel: 'events' }, count: true } }],
        ),
        ...absent(channels),
      },
    ],
  }
}
