import type { BenchOutput } from '../bench-output.ts'
import { all, number, question, sumOf } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { absent, coined, countBy, day, inside, tally, times } from './shared.ts'

const START = Date.UTC(2026, 0, 5)

/** Invoices printed one after the other, each with positions and a sum. */
export function invoicePrint(seed: number): BenchOutput {
  const random = randomOf(seed)
  const invoices = times(160, (at) => {
    const lines = times(random.int(3, 9), () => ({
      what: `${coined(random, 2)} ${random.pick(['service', 'license', 'hardware'])}`,
      hours: random.int(1, 40),
      rate: random.pick([80, 95, 120]),
    }))
    return {
      number: `RE-2026-${String(310 + at)}`,
      customer: `${coined(random, 3)} ${random.pick(['AG', 'KG'])}`,
      date: day(START + at * 86_400_000),
      lines,
      due: day(START + (at + 30) * 86_400_000),
      status: random.pick(['paid', 'paid', 'open']),
    }
  })
  const big = inside(random, invoices)
  big.lines = [{ what: 'datacenter move', hours: random.int(700, 990), rate: 120 }]
  const sum = (invoice: (typeof invoices)[number]): number => sumOf(invoice.lines, (line) => line.hours * line.rate)
  const overdue = inside(
    random,
    invoices.filter((each) => each !== big),
  )
  overdue.status = 'second reminder'
  const asked = inside(random, invoices)
  const total = sumOf(invoices, sum)
  const open = invoices.filter((each) => each.status === 'open').length
  const statuses = countBy(invoices, (each) => each.status)
  const iban = `CH${random.int(10, 99)} ${random.int(1000, 9999)} ${random.int(1000, 9999)}`
  return {
    name: 'invoice print',
    task: 'Which customers still owe us money?',
    text: [
      ...invoices.flatMap((each) => [
        `INVOICE ${each.number}`,
        `Customer: ${each.customer}`,
        `Date: ${each.date}     Due: ${each.due}     Status: ${each.status}`,
        '',
        `${'Position'.padEnd(32)}${'Hours'.padStart(8)}${'Rate'.padStart(8)}${'Amount'.padStart(12)}`,
        ...each.lines.map(
          (line) =>
            `${line.what.padEnd(32)}${String(line.hours).padStart(8)}${String(line.rate).padStart(8)}${(line.hours * line.rate).toFixed(2).padStart(12)}`,
        ),
        `${'Net sum'.padEnd(48)}${sum(each).toFixed(2).padStart(12)}`,
        '',
        `Pay to ${iban}, ref ${random.hex(6)}`,
        '='.repeat(60),
      ]),
      `GRAND TOTAL ${invoices.length} invoices: ${total.toFixed(2)} CHF`,
    ].join('\n'),
    questions: [
      question('total', 'What is the grand total?', [number(total).concat(total.toFixed(2))], [{ query: 'GRAND TOTAL' }]),
      question(
        'extreme',
        'Which invoice has the highest sum?',
        [
          [big.number, big.customer],
          [sum(big).toFixed(2), String(sum(big))],
        ],
        [{ aggregate: { top: 'Net sum' } }, { aggregate: { top: 'Amount' } }],
      ),
      question(
        'needle',
        'Which customer got a second reminder?',
        [[overdue.customer, overdue.number], ['second reminder']],
        [{ query: 'second reminder' }],
      ),
      question(
        'total',
        'How many invoices are open?',
        [tally('open', open)],
        [{ query: 'Status: open' }, { aggregate: { where: { Status: 'open' }, count: true } }],
      ),
      question('needle', `Who is the customer of ${asked.number}?`, all(asked.number, asked.customer), [{ query: asked.number }]),
      question('needle', `When is ${asked.number} due?`, all(asked.number, asked.due), [{ query: asked.number }]),
      question('needle', `What is the net sum of ${asked.number}?`, [[asked.number], [sum(asked).toFixed(2)]], [{ query: asked.number }]),
      question(
        'needle',
        'For what was the datacenter customer charged?',
        [['datacenter move'], [`${big.lines[0]?.hours}`]],
        [{ query: 'datacenter' }],
      ),
      question('needle', 'To which account should be paid?', all(iban), [{ query: 'Pay to' }]),
      question(
        'total',
        'How many invoices are there?',
        [[...tally('rows', invoices.length), `${invoices.length} invoices`, `${invoices.length} records`]],
        [{ query: 'INVOICE' }],
      ),
      { ...question('absence', 'Was an invoice cancelled?', [], [{ query: 'cancelled' }]), ...absent(statuses) },
      question('extreme', 'Which is the latest due date?', all(invoices.at(-1)?.due ?? ''), [{ aggregate: { max: 'Due' } }]),
    ],
  }
}
