import type { BenchOutput } from '../bench-output.ts'
import { plant, randomOf } from '../random.ts'
import type { Random } from '../random.ts'
import { all, highest, iso, nothing, number, person, question, rarePerson, sumOf } from './shared.ts'

interface Shipment {
  id: string
  week: string
  origin: string
  destination: string
  carrier: string
  weight: number
  cost: number | undefined
  status: string
  receivedBy: string
  remark: string
}

const cities = ['Rotterdam', 'Gdansk', 'Valencia', 'Trieste', 'Hamburg', 'Antwerp', 'Piraeus', 'Le Havre']
const carriers = ['Norvia Freight', 'Baltrans', 'Kestrel Lines', 'Omnicargo', 'Halden & Sons, Ltd']
const remarks = [
  'customs hold, awaiting form',
  'customs hold lifted',
  'pallet re-wrapped, temperature logger checked',
  'second inspection, no findings',
  'driver asked for dock 4, was given dock 7',
  'temperature logger replaced at the dock',
]

export function shipmentTable(seed: number): BenchOutput {
  const random = randomOf(seed)
  const rows = Array.from({ length: 5000 }, (_, at) => shipmentAt(random, at))
  const form = `T-${random.int(4000, 9999)}-Q`
  const logger = `TLX${random.int(100000, 999999)}`
  const receiver = rarePerson(random)
  const shipment = (low: number, high: number): Shipment => random.pick(rows.slice(low, high))
  shipment(600, 1500).remark = `customs hold lifted after form ${form}, second inspection at the quay`
  shipment(1600, 2800).remark = `pallet thawed, temperature logger ${logger} showed 11 degrees, claim filed`
  const signed = shipment(2900, 4700)
  Object.assign(signed, { status: 'delivered', receivedBy: receiver })
  random.pick(rows.slice(900, 4000)).weight = 48_000 + random.int(111, 999)
  const heaviest = highest(rows, (row) => row.weight)
  const costly = rows.filter((row) => row.destination === 'Trieste')
  random.pick(costly).cost = 9_400 + random.int(1, 99) / 100
  const dearest = highest(costly, (row) => row.cost ?? 0)
  const late = rows.filter((row) => row.carrier === 'Baltrans' && row.status === 'delayed')
  const byWeek = (week: string) =>
    sumOf(
      rows.filter((row) => row.week === week),
      (row) => row.weight,
    )
  const fromGdansk = (status: string) =>
    sumOf(
      rows.filter((row) => row.origin === 'Gdansk' && row.status === status),
      (row) => row.weight,
    )
  const questions = [
    question('needle', 'Which form led to the lifting of a customs hold at the quay?', all(form), [
      { query: 'customs hold lifted after form' },
      { aggregate: { where: { remark: { contains: 'lifted after form' } } } },
    ]),
    question('needle', `Who received shipment ${signed.id}?`, all(receiver), [
      { query: signed.id },
      { aggregate: { where: { shipment_id: signed.id } } },
    ]),
    question('needle', 'Which temperature logger recorded a thawed pallet?', all(logger), [
      { query: 'pallet thawed temperature logger' },
      { aggregate: { where: { remark: { contains: 'thawed' } } } },
    ]),
    question(
      'needle',
      `What did shipment ${dearest.id} cost?`,
      [number(dearest.cost ?? 0)],
      [{ query: dearest.id }, { aggregate: { where: { shipment_id: dearest.id } } }],
    ),
    question(
      'total',
      'What did the delayed shipments of Baltrans cost in all?',
      [number(sumOf(late, (row) => row.cost ?? 0))],
      [{ aggregate: { where: { carrier: 'Baltrans', status: 'delayed' }, sum: 'cost_eur' } }],
    ),
    question(
      'total',
      'How many kilograms were delivered in all?',
      [
        number(
          sumOf(
            rows.filter((row) => row.status === 'delivered'),
            (row) => row.weight,
          ),
        ),
      ],
      [{ aggregate: { where: { status: 'delivered' }, sum: 'weight_kg' } }, { aggregate: { groupBy: 'status', sum: 'weight_kg' } }],
    ),
    question(
      'extreme',
      'Which shipment is the heaviest, and how heavy is it?',
      [[heaviest.id], number(heaviest.weight)],
      [{ aggregate: { top: 'weight_kg' } }],
    ),
    question(
      'group',
      'How many kilograms left Gdansk as returned, and how many as delayed?',
      [number(fromGdansk('returned')), number(fromGdansk('delayed'))],
      [{ aggregate: { where: { origin: 'Gdansk' }, groupBy: 'status', sum: 'weight_kg' } }],
    ),
    question(
      'absence',
      'Is there any shipment with the status lost?',
      [nothing],
      [{ aggregate: { where: { status: 'lost' }, count: true } }],
    ),
    question(
      'change',
      'What weight was shipped in week 2025-W04 and what in 2025-W31?',
      [number(byWeek('2025-W04')), number(byWeek('2025-W31'))],
      [
        { aggregate: { groupBy: 'week', sum: 'weight_kg' } },
        { aggregate: { where: { week: { in: ['2025-W04', '2025-W31'] } }, groupBy: 'week', sum: 'weight_kg' } },
      ],
    ),
  ]
  const header = 'shipment_id,week,origin,destination,carrier,weight_kg,cost_eur,status,received_by,remark'
  return {
    name: 'csv-shipments',
    task: 'Tell me how much the delayed shipments cost us and how the weekly tonnage developed.',
    text: [header, ...rows.map(csvLine)].join('\n') + '\n',
    questions,
  }
}

function shipmentAt(random: Random, at: number): Shipment {
  const status = random.pick(['delivered', 'delivered', 'delivered', 'delivered', 'in transit', 'delayed', 'returned'])
  return {
    id: `SH${25_000_000 + at * 37 + random.int(0, 36)}`,
    week: `2025-W${String(Math.min(52, 1 + Math.floor(at / 97))).padStart(2, '0')}`,
    origin: random.pick(cities),
    destination: random.pick(cities),
    carrier: random.pick(carriers),
    weight: random.int(40, 18_000),
    cost: random.chance(0.06) ? undefined : random.int(4_000, 880_000) / 100,
    status,
    receivedBy: status === 'delivered' && random.chance(0.85) ? person(random) : '',
    remark: random.chance(0.12) ? random.pick(remarks) : '',
  }
}

function csvLine(row: Shipment): string {
  const cells = [
    row.id,
    row.week,
    row.origin,
    row.destination,
    row.carrier,
    row.weight,
    row.cost?.toFixed(2) ?? '',
    row.status,
    row.receivedBy,
    row.remark,
  ]
  return cells.map((cell) => (/[",]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : cell)).join(',')
}

const minute = 60

export function timeSeries(seed: number): BenchOutput {
  const random = randomOf(seed)
  const start = Date.UTC(2026, 2, 9) / 1000
  const gapAt = random.int(1400, 1900)
  const gapMinutes = random.int(70, 190)
  const spikeAt = random.int(2600, 3300)
  const spike = random.int(91_000, 99_000)
  const points: [number, number][] = []
  for (let at = 0; at < 4320; at++) {
    if (at >= gapAt && at < gapAt + gapMinutes) continue
    const daily = 6400 + Math.round(2900 * Math.sin((at / 1440) * Math.PI * 2))
    const value = at === spikeAt ? spike : daily + random.int(-700, 700) + (at > 3500 ? 2100 : 0)
    points.push([start + at * minute, value])
  }
  const depth = points.map(([, value]) => Math.round(value / 90) + random.int(0, 25))
  const peakDepth = random.int(61_111, 89_999)
  const depthPeakAt = random.int(600, 1300)
  depth[depthPeakAt] = peakDepth
  const deploy = `rel-${random.int(2000, 9999)}.${random.int(10, 99)}`
  const ticket = `CHG-${random.int(10000, 99999)}`
  const annotations = Array.from({ length: 60 }, (_, at) => ({
    at: start + at * 71 * minute,
    text: random.pick([
      'deploy finished',
      'autoscaler added a node',
      'autoscaler removed a node',
      'scrape of the exporter was slow',
      'cache flushed',
    ]),
    author: random.pick(['ci', 'autoscaler', 'exporter']),
  }))
  plant(random, annotations, { at: start + 1999 * minute, text: `exporter moved to the new host under change ${ticket}`, author: 'ops' })
  plant(random, annotations, { at: start + 3500 * minute, text: `deploy of ${deploy} doubled the polling of the price feed`, author: 'ci' })
  const values = points.map(([, value]) => value)
  const peak = highest(points, (point) => point[1])
  const low = highest(points, (point) => -point[1])
  const before = points[gapAt - 1] ?? [0, 0]
  const after = points[gapAt] ?? [0, 0]
  const daySum = (day: number) =>
    sumOf(
      points.filter(([at]) => Math.floor((at - start) / 86_400) === day),
      ([, value]) => value,
    )
  const dayPath = (day: number) =>
    `sum(series[0].points[?[0] >= \`${start + day * 86_400}\` && [0] < \`${start + (day + 1) * 86_400}\`][1])`
  const path = (text: string) => ({ path: text })
  const questions = [
    question(
      'extreme',
      'What was the highest request rate, and when?',
      [number(peak[1]), instant(peak[0])],
      [path('max_by(series[0].points, &[1])')],
    ),
    question(
      'extreme',
      'What was the lowest request rate, and when?',
      [number(low[1]), instant(low[0])],
      [path('min_by(series[0].points, &[1])')],
    ),
    question(
      'needle',
      'What is the last sample before the gap in the request rate, and the first after it?',
      [instant(before[0]), instant(after[0])],
      [path(`series[0].points[${gapAt - 3}:${gapAt + 3}]`), { query: 'gap in the series points' }],
    ),
    question('needle', 'Under which change was the exporter moved to another host?', all(ticket), [
      path("annotations[?contains(text, 'moved')]"),
      { query: 'exporter moved to the new host' },
    ]),
    question('needle', 'Which deploy doubled the polling of the price feed?', all(deploy), [
      path("annotations[?contains(text, 'polling')]"),
      { query: 'deploy polling price feed' },
    ]),
    question(
      'total',
      'What do all samples of the queue depth add up to?',
      [number(sumOf(depth, (value) => value))],
      [path('sum(series[1].values)')],
    ),
    question(
      'total',
      'What do all samples of the request rate add up to?',
      [number(sumOf(values, (value) => value))],
      [path('sum(series[0].points[*][1])')],
    ),
    question('extreme', 'How deep did the queue get at most?', [number(peakDepth)], [path('max(series[1].values)')]),
    question(
      'absence',
      'Is there an annotation by the author security?',
      [nothing],
      [{ aggregate: { table: 'annotations', where: { author: 'security' }, count: true } }],
    ),
    question(
      'change',
      'What do the samples of the first day add up to, and those of the third?',
      [number(daySum(0)), number(daySum(2))],
      [path(`[${dayPath(0)}, ${dayPath(2)}]`)],
    ),
  ]
  const value = {
    status: 'success',
    resolution_seconds: minute,
    from: iso(start * 1000),
    series: [
      { metric: 'http_requests_per_minute', labels: { service: 'pricing', zone: 'eu-west-1b' }, points },
      {
        metric: 'work_queue_depth',
        labels: { service: 'pricing', zone: 'eu-west-1b' },
        timestamps: points.map(([at]) => at),
        values: depth,
      },
    ],
    annotations,
  }
  return {
    name: 'time-series',
    task: 'Look for anything unusual in the request rate of the pricing service over these three days.',
    value,
    questions,
  }
}

function instant(seconds: number): string[] {
  const text = iso(seconds * 1000)
  return [String(seconds), text.slice(0, 16), text.slice(0, 16).replace('T', ' ')]
}
