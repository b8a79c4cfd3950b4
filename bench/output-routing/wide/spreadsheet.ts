import type { BenchOutput } from '../bench-output.ts'
import { all, number, person, question, sumOf } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { absent, coined, countBy, inside, mostOf, round, sumBy, tally, times } from './shared.ts'

/** An export of a spreadsheet: lines before the header, odd names of columns, decimal commas, a line of totals. */
export function spreadsheet(seed: number): BenchOutput {
  const random = randomOf(seed)
  const groups = ['Werkzeug', 'Farben', 'Sanitär', 'Garten']
  const rows = times(1100, (at) => ({
    nr: `${4000 + at}-${random.pick(['A', 'B'])}`,
    name: `${coined(random, 2)} ${random.pick(['klein', 'groß', 'XL'])}`,
    group: random.pick(groups),
    store: random.pick(['Nord', 'Süd', 'West']),
    pieces: random.int(0, 80),
    price: round(1 + random.next() * 90),
    note: '',
  }))
  const many = inside(random, rows)
  many.pieces = random.int(7000, 9900)
  const dear = inside(random, rows)
  dear.price = round(4100 + random.next() * 900)
  const noted = inside(random, rows)
  const reason = coined(random, 3)
  noted.note = `Rückruf wegen ${reason}`
  const asked = inside(random, rows)
  const comma = (value: number): string => value.toFixed(2).replace('.', ',')
  const total = round(sumOf(rows, (row) => row.pieces * row.price))
  const byGroup = countBy(rows, (row) => row.group)
  const pieces = sumBy(
    rows,
    (row) => row.store,
    (row) => row.pieces,
  )
  const [store, most] = mostOf(pieces)
  const clerk = person(random)
  return {
    name: 'spreadsheet',
    task: 'Check the stocktaking of our shops.',
    text: [
      `Inventur;;;;;;;`,
      `Stand:;31.12.2025;Erfasst von:;${clerk};;;;`,
      ';;;;;;;',
      'Art.-Nr.;Bezeichnung;Warengruppe;Filiale;Bestand (Stk.);EK netto €;Wert €;Bemerkung',
      ...rows.map((row) =>
        [row.nr, row.name, row.group, row.store, row.pieces, comma(row.price), comma(row.pieces * row.price), row.note].join(';'),
      ),
      `Summe;;;;${sumOf(rows, (row) => row.pieces)};;${comma(total)};`,
    ].join('\n'),
    questions: [
      question(
        'extreme',
        'Of which article is the most in stock?',
        [[many.nr, many.name], [String(many.pieces)]],
        [{ aggregate: { top: 'Bestand (Stk.)' } }],
      ),
      question(
        'extreme',
        'Which article is the most expensive to buy?',
        [
          [dear.nr, dear.name],
          [comma(dear.price), String(dear.price), dear.price.toFixed(2)],
        ],
        [{ aggregate: { top: 'EK netto €' } }],
      ),
      question('needle', 'Which article was called back, and why?', [[reason]], [{ query: 'Rückruf' }]),
      question(
        'needle',
        `What is the price of ${asked.nr}?`,
        [[asked.nr], [comma(asked.price), String(asked.price), asked.price.toFixed(2)]],
        [{ query: asked.nr }],
      ),
      question('total', 'What is the whole stock worth?', [[comma(total), ...number(total)]], [{ query: 'Summe' }]),
      question('total', 'How many pieces are there in all?', [number(sumOf(rows, (row) => row.pieces))], [{ query: 'Summe' }]),
      question(
        'group',
        'How many articles belong to Garten?',
        [tally('Garten', byGroup['Garten'] ?? 0)],
        [{ aggregate: { where: { Warengruppe: 'Garten' }, count: true } }],
      ),
      question(
        'group',
        'Which shop has the most pieces?',
        [[store], number(most)],
        [{ aggregate: { groupBy: 'Filiale', sum: 'Bestand (Stk.)' } }],
      ),
      question('needle', 'Who took the stock?', all(clerk), [{ query: 'Erfasst von' }]),
      question('needle', 'Of which day is it?', all('31.12.2025'), [{ query: 'Stand' }]),
      {
        ...question(
          'absence',
          'Is there a group Elektro?',
          [],
          [{ query: 'Elektro' }, { aggregate: { where: { Warengruppe: 'Elektro' }, count: true } }],
        ),
        ...absent(byGroup),
      },
      question(
        'total',
        'How many articles have no stock?',
        [tally('0', rows.filter((row) => row.pieces === 0).length)],
        [{ aggregate: { where: { 'Bestand (Stk.)': 0 }, count: true } }],
      ),
    ],
  }
}
