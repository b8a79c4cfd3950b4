import type { BenchOutput } from '../bench-output.ts'
import { plant, randomOf } from '../random.ts'
import type { Random } from '../random.ts'
import { all, count, highest, iso, nothing, number, person, question, rarePerson, sumOf, title } from './shared.ts'

interface Item {
  sku: string
  title: string
  quantity: number
  unit_cents: number
  discount_cents: number
  attributes: Record<string, string>
}

interface Order {
  id: string
  created_at: string
  status: string
  channel: string
  currency: string
  total_cents: number
  customer: { id: number; name: string; email: string | null; address: { street: string; city: string; country: string } }
  items: Item[]
  payments: { provider: string; state: string; amount_cents: number; reference: string }[]
  note?: string
}

const goods = ['walnut desk', 'linen curtain', 'brass lamp', 'oak shelf', 'wool blanket', 'ceramic vase', 'cork board']
const countries = ['DE', 'FR', 'NL', 'SE', 'PL', 'IT']

export function orderPages(seed: number): BenchOutput {
  const random = randomOf(seed)
  const orders = Array.from({ length: 2350 }, (_, at) => orderAt(random, at))
  const at = (low: number, high: number): Order => random.pick(orders.slice(low, high))
  const giftCode = `GIFT-${random.hex(6).toUpperCase()}`
  const gift = at(300, 600)
  gift.note = `leave the parcel at the side door, gift card ${giftCode} inside`
  const engraved = `for ${rarePerson(random)}`
  const engraving = at(700, 1000)
  engraving.items.push({
    sku: 'SKU-77100',
    title: 'Brass lamp',
    quantity: 1,
    unit_cents: 12_900,
    discount_cents: 0,
    attributes: { finish: 'matte', engraving: engraved },
  })
  const disputed = `dp_${random.hex(14)}`
  at(1100, 1400).payments.push({ provider: 'klarna', state: 'disputed', amount_cents: 4_400, reference: disputed })
  const asked = at(1500, 1800)
  const street = `${random.int(1000, 9999)} Quillon Mews`
  asked.customer.address.street = street
  const barcode = `40${random.int(10_000_000_000, 99_999_999_999)}`
  const bulk = at(1900, 2250)
  bulk.items.push({
    sku: 'SKU-90210',
    title: 'Cork board',
    quantity: random.int(1200, 4800),
    unit_cents: 310,
    discount_cents: 5_000,
    attributes: { size: 'XL', barcode },
  })
  for (const order of orders) order.total_cents = sumOf(order.items, (item) => item.quantity * item.unit_cents - item.discount_cents)
  const refunded = (country: string) =>
    sumOf(
      orders.filter((order) => order.status === 'refunded' && order.customer.address.country === country),
      (order) => order.total_cents,
    )
  const month = (start: string) =>
    sumOf(
      orders.filter((order) => order.created_at.startsWith(start)),
      (order) => order.total_cents,
    )
  const top = highest(orders, (order) => order.total_cents)
  const monthPath = (start: string) => `sum(data.orders[?starts_with(created_at, '${start}')].total_cents)`
  const questions = [
    question('needle', 'Which gift card is inside a parcel for the side door?', all(giftCode), [
      { query: 'gift card inside parcel side door' },
      { path: "data.orders[?note && contains(note, 'gift card')].note" },
    ]),
    question('needle', 'What is engraved on the lamp that has an engraving?', all(engraved), [
      { query: 'engraving lamp' },
      { path: 'data.orders[].items[].attributes.engraving' },
    ]),
    question('needle', 'What is the reference of the disputed payment?', all(disputed), [
      { query: 'payment disputed reference' },
      { path: "data.orders[].payments[?state=='disputed'][].reference" },
    ]),
    question('needle', `To which street does order ${asked.id} go?`, all(street), [
      { path: `data.orders[?id=='${asked.id}'].customer.address` },
      { query: asked.id },
    ]),
    question('needle', 'Which barcode has the item with the SKU-90210?', all(barcode), [
      { query: 'SKU-90210 barcode' },
      { path: "data.orders[].items[?sku=='SKU-90210'][]" },
    ]),
    question(
      'total',
      'What is the total of all orders, in cents?',
      [number(sumOf(orders, (order) => order.total_cents))],
      [{ path: 'sum(data.orders[].total_cents)' }, { aggregate: { table: 'data.orders', sum: 'total_cents' } }],
    ),
    question(
      'extreme',
      'Which order has the highest total, and what is it?',
      [[top.id], number(top.total_cents)],
      [
        { path: 'max_by(data.orders, &total_cents)' },
        { path: 'max_by(data.orders, &total_cents).[id, total_cents]' },
        { aggregate: { table: 'data.orders', top: 'total_cents' } },
      ],
    ),
    question(
      'group',
      'What was refunded to customers in SE, and what in PL, in cents?',
      [number(refunded('SE')), number(refunded('PL'))],
      [
        { aggregate: { table: 'data.orders', where: { status: 'refunded' }, groupBy: 'customer.address.country', sum: 'total_cents' } },
        {
          path: `[sum(data.orders[?status=='refunded' && customer.address.country=='SE'].total_cents), sum(data.orders[?status=='refunded' && customer.address.country=='PL'].total_cents)]`,
        },
      ],
    ),
    question(
      'absence',
      'Is any order of the channel telephone?',
      [nothing],
      [{ aggregate: { table: 'data.orders', where: { channel: 'telephone' }, count: true } }],
    ),
    question(
      'change',
      'What was ordered in January 2026 and what in March 2026, in cents?',
      [number(month('2026-01')), number(month('2026-03'))],
      [{ path: `[${monthPath('2026-01')}, ${monthPath('2026-03')}]` }],
    ),
  ]
  return {
    name: 'json-orders',
    task: 'Sum up what was ordered and refunded in the first quarter.',
    value: { object: 'list', request_id: `req_${random.hex(16)}`, has_more: false, data: { orders } },
    questions,
  }
}

function orderAt(random: Random, at: number): Order {
  const name = person(random)
  const items = Array.from({ length: random.int(1, 6) }, () => itemOf(random))
  const order: Order = {
    id: `ord_${100_000 + at * 7}${random.hex(4)}`,
    created_at: iso(Date.UTC(2026, 0, 1) + at * 3_290_000),
    status: random.pick(['paid', 'paid', 'paid', 'shipped', 'refunded', 'cancelled']),
    channel: random.pick(['web', 'web', 'app', 'marketplace']),
    currency: 'EUR',
    total_cents: 0,
    customer: {
      id: random.int(10_000, 99_999),
      name,
      email: random.chance(0.05) ? null : `${name.toLowerCase().replace(' ', '.')}@mail.example`,
      address: {
        street: `${random.int(1, 199)} ${random.pick(['Harbour', 'Mill', 'Station', 'Orchard'])} Street`,
        city: random.pick(['Lyon', 'Utrecht', 'Malmo', 'Lublin', 'Bremen', 'Parma']),
        country: random.pick(countries),
      },
    },
    items,
    payments: [
      {
        provider: random.pick(['card', 'klarna', 'sepa']),
        state: random.pick(['captured', 'captured', 'pending']),
        amount_cents: random.int(2_000, 90_000),
        reference: `pm_${random.hex(14)}`,
      },
    ],
  }
  if (random.chance(0.1))
    order.note = random.pick(['leave the parcel with the neighbour', 'gift wrapping, no invoice in the parcel', 'ring at the side door'])
  return order
}

function itemOf(random: Random): Item {
  const attributes: Record<string, string> = { finish: random.pick(['matte', 'gloss', 'raw']) }
  if (random.chance(0.4)) attributes['size'] = random.pick(['S', 'M', 'L'])
  return {
    sku: `SKU-${random.int(10_000, 60_000)}`,
    title: title(random.pick(goods)),
    quantity: random.int(1, 5),
    unit_cents: random.int(900, 48_000),
    discount_cents: random.chance(0.3) ? random.int(1, 8) * 100 : 0,
    attributes,
  }
}

interface Hit {
  rank: number
  title: string
  url: string
  site: string
  published: string
  words: number
  snippet: string
  sitelinks?: { title: string; url: string }[]
}

const sites = ['energyhub.example', 'heatforum.example', 'nordicbuild.example', 'gridnews.example', 'homeowner.example']
const claims: readonly ((random: Random) => string)[] = [
  (random) =>
    `A heat pump keeps a COP of ${random.int(2, 3)}.${random.int(1, 9)} at minus ${random.int(5, 15)} degrees according to the maker.`,
  (random) => `In cold climates the defrost cycle costs about ${random.int(5, 14)} percent of the seasonal output.`,
  () => 'The subsidy covers part of the installation when an accredited installer signs the form.',
  (random) => `Owners report noise of ${random.int(38, 56)} dB at the fence, which the installer can lower by moving the outdoor unit.`,
  () => 'The refrigerant R290 needs a distance to windows, and some units were recalled for a faulty valve.',
  (random) => `The field study followed ${random.int(12, 90)} houses over two winters and measured the seasonal performance.`,
]

export function searchResults(seed: number): BenchOutput {
  const random = randomOf(seed)
  const results = Array.from({ length: 140 }, () => hitOf(random))
  const cop = `1.${random.int(61, 89)}${random.int(1, 9)}`
  const lab = `Nordvik${random.pick(['berg', 'sund', 'haugen'])} test rig`
  const recall = `HPX-${random.int(2000, 8999)}-V`
  const form = `EN-${random.int(1000, 9999)}/HP`
  const author = rarePerson(random)
  const [oldNoise, newNoise] = [random.int(31, 36) + 0.25, random.int(57, 62) + 0.75]
  const say = (snippet: string) =>
    plant(random, results, { ...hitOf(random), snippet: `${random.pick(claims)(random)} ${snippet} ${random.pick(claims)(random)}` })
  say(`At minus 27 degrees the ${lab} measured a COP of ${cop} with the defrost cycle running.`)
  say(`The recall of the faulty valve concerns the unit ${recall} and its outdoor fan.`)
  say(`The subsidy is paid only with form ${form} signed by the installer before the first winter.`)
  say(`The field study of 2011 in Kiruna was led by ${author} and followed houses over nine winters.`)
  say(`A correction of the noise table: the night limit was raised from ${oldNoise} dB to ${newNoise} dB in 2025.`)
  results.forEach((hit, at) => (hit.rank = at + 1))
  const newest = random.pick(results.slice(60, 120))
  newest.published = '2026-11-02'
  newest.title = `Heat pump field notes no. ${random.int(1000, 9999)}`
  const longest = random.pick(results.slice(20, 60))
  longest.words = random.int(31_000, 39_000)
  const words = (site: string) =>
    sumOf(
      results.filter((hit) => hit.site === site),
      (hit) => hit.words,
    )
  const path = (text: string) => ({ path: text })
  const questions = [
    question('needle', 'Which COP was measured at minus 27 degrees, and on which test rig?', all(cop, lab), [
      { query: 'COP measured at minus 27 degrees test rig' },
    ]),
    question('needle', 'Which unit does the recall of the faulty valve concern?', all(recall), [
      { query: 'recall of the faulty valve concerns the unit' },
      path("results[?contains(snippet, 'The recall')].snippet"),
    ]),
    question('needle', 'Which form must the installer sign for the subsidy?', all(form), [
      { query: 'subsidy paid only with form signed by the installer' },
    ]),
    question('needle', 'Who led the field study in Kiruna?', all(author), [
      { query: 'field study Kiruna led by' },
      path("results[?contains(snippet, 'Kiruna')].snippet"),
    ]),
    question('change', 'How did the night limit for noise change?', all(`${oldNoise} dB`, `${newNoise} dB`), [
      { query: 'correction noise night limit raised' },
    ]),
    question('extreme', 'Which result was published last?', all(newest.title), [
      path('max_by(results, &published)'),
      path('max_by(results, &published).title'),
      { aggregate: { table: 'results', top: 'published' } },
    ]),
    question(
      'extreme',
      'How many words has the longest result, and what is its address?',
      [number(longest.words), [longest.url]],
      [path('max_by(results, &words)'), { aggregate: { table: 'results', top: 'words' } }],
    ),
    question(
      'group',
      'How many words do the results of gridnews.example and of heatforum.example have, each?',
      [number(words('gridnews.example')), number(words('heatforum.example'))],
      [{ aggregate: { table: 'results', groupBy: 'site', sum: 'words' } }],
    ),
    question(
      'total',
      'How many words do all results have together?',
      [count(sumOf(results, (hit) => hit.words))],
      [path('sum(results[].words)'), { aggregate: { table: 'results', sum: 'words' } }],
    ),
    question(
      'absence',
      'Is there any result of the site consumerlab.example?',
      [nothing],
      [{ aggregate: { table: 'results', where: { site: 'consumerlab.example' }, count: true } }],
    ),
  ]
  const related = ['heat pump cold climate noise', 'heat pump subsidy form', 'heat pump recall valve', 'ground source against air source']
  return {
    name: 'search-results',
    task: 'Find out how well air-source heat pumps do at very low temperatures.',
    value: { query: 'air source heat pump cold climate efficiency', took_ms: 412, results, related_searches: related },
    questions,
  }
}

function hitOf(random: Random): Hit {
  const site = random.pick(sites)
  const slug = `${random.pick(['heat-pump', 'cold-climate', 'defrost', 'installer-guide', 'field-study'])}-${random.hex(6)}`
  const hit: Hit = {
    rank: 0,
    title: title(
      `${random.pick(['heat pump', 'air source unit', 'cold climate heating', 'defrost cycle'])} ${random.pick(['explained', 'tested', 'in winter', 'for owners', 'field study'])}`,
    ),
    url: `https://www.${site}/${random.pick(['guides', 'news', 'forum'])}/${slug}`,
    site,
    published: `20${random.int(18, 25)}-${String(random.int(1, 12)).padStart(2, '0')}-${String(random.int(1, 28)).padStart(2, '0')}`,
    words: random.int(300, 6_000),
    snippet: Array.from({ length: random.int(2, 4) }, () => random.pick(claims)(random)).join(' '),
  }
  if (random.chance(0.1))
    hit.sitelinks = [
      { title: 'Comments', url: `${hit.url}#comments` },
      { title: 'Installer map', url: `https://www.${site}/map` },
    ]
  return hit
}
