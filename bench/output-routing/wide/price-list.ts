import type { BenchOutput } from '../bench-output.ts'
import { all, highest, nothing, question } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { coined, day, inside, round, tally, times } from './shared.ts'

const START = Date.UTC(2026, 0, 5)

/** A printed price list: dots up to the price, headings, notes. */
export function priceList(seed: number): BenchOutput {
  const random = randomOf(seed)
  const groups = times(64, () => ({
    name: coined(random, 3).toUpperCase(),
    items: times(random.int(14, 30), () => ({
      name: `${coined(random, 3)} ${random.int(2, 60)} ${random.pick(['cm', 'kg', 'l'])}`,
      price: round(2 + random.next() * 180),
    })),
  }))
  const items = groups.flatMap((group) => group.items.map((item) => ({ item, group })))
  const dear = inside(random, items)
  dear.item.price = round(2900 + random.next() * 900)
  const cheap = inside(random, items)
  cheap.item.price = 0.35
  const asked = inside(random, items)
  const hotline = `0800 ${random.int(100, 999)} ${random.int(100, 999)}`
  const discount = `${random.int(11, 19)} %`
  const until = day(START + random.int(100, 300) * 86_400_000)
  const fullest = highest(groups, (group) => group.items.length)
  const money = (value: number): string => value.toFixed(2)
  return {
    name: 'price list',
    task: 'Compare the prices of this supplier with ours.',
    text: [
      'PRICE LIST 2026',
      `Valid until ${until}. All prices in EUR without tax.`,
      '',
      ...groups.flatMap((group) => [
        group.name,
        '-'.repeat(group.name.length),
        ...group.items.map(
          ({ name, price }) => `${name} ${'.'.repeat(Math.max(3, 52 - name.length - money(price).length))} ${money(price)}`,
        ),
        '',
      ]),
      `Orders over 1,000 EUR: ${discount} off.`,
      `Questions: ${hotline}`,
    ].join('\n'),
    questions: [
      question(
        'extreme',
        'What is the dearest article?',
        [[dear.item.name], [money(dear.item.price)]],
        [{ aggregate: { top: 'price' } }, { aggregate: { top: 'value' } }],
      ),
      question(
        'extreme',
        'What is the cheapest article?',
        [[cheap.item.name], ['0.35']],
        [{ aggregate: { min: 'price' } }, { aggregate: { min: 'value' } }],
      ),
      question('needle', `What does ${asked.item.name} cost?`, all(asked.item.name, money(asked.item.price)), [{ query: asked.item.name }]),
      question('needle', `Under which heading is ${asked.item.name}?`, all(asked.item.name, asked.group.name), [
        { query: asked.item.name },
      ]),
      question(
        'total',
        'How many articles are listed?',
        [[...tally('rows', items.length), `${items.length} articles`, `${items.length} items`]],
        [{ aggregate: { count: true } }, { query: '...' }],
      ),
      question(
        'total',
        'How many groups are there?',
        [[...tally('groups', groups.length), `${groups.length} headings`, `${groups.length} sections`, `${groups.length} values`]],
        [{ query: '---' }],
      ),
      question('needle', 'What discount do large orders get?', all(discount), [{ query: 'off' }, { query: 'Orders over' }]),
      question('needle', 'Until when are the prices valid?', all(until), [{ query: 'Valid until' }]),
      question('needle', 'Whom can one call?', all(hotline), [{ query: 'Questions' }]),
      question(
        'group',
        'Which group has the most articles?',
        [[fullest.name], [String(fullest.items.length)]],
        [{ aggregate: { groupBy: 'section', count: true } }, { aggregate: { groupBy: 'heading', count: true } }],
      ),
      question('absence', 'Do they sell ladders?', [nothing], [{ query: 'ladder' }]),
    ],
  }
}
