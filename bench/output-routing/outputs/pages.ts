import type { BenchOutput } from '../bench-output.ts'
import { plant, randomOf } from '../random.ts'
import type { Random } from '../random.ts'
import { all, highest, nothing, number, question, rarePerson, sumOf, title } from './shared.ts'

interface Pump {
  model: string
  series: string
  flow: number
  head: number
  price: number
}

const parts = ['impeller', 'shaft seal', 'inlet strainer', 'volute', 'coupling', 'bearing housing', 'drain plug']
const deeds = ['Inspect', 'Lubricate', 'Replace', 'Align', 'Torque', 'Flush']
const advice: readonly ((random: Random) => string)[] = [
  (random) => `${random.pick(deeds)} the ${random.pick(parts)} every ${random.int(3, 24)} months, or after a dry run.`,
  (random) => `The ${random.pick(parts)} must be dry before the ${random.pick(parts)} is fitted.`,
  (random) => `Tighten the bolts of the ${random.pick(parts)} to ${random.int(18, 90)} Nm in a cross pattern.`,
  (random) => `A noise from the ${random.pick(parts)} points at cavitation; lower the speed and check the inlet pressure.`,
  () => 'The warranty does not cover damage by a dry run or by a foreign body.',
]

export function productPage(seed: number): BenchOutput {
  const random = randomOf(seed)
  const pumps = Array.from({ length: 150 }, (_, at): Pump => ({
    model: `VX-${300 + at}${random.pick(['A', 'B', 'C'])}`,
    series: random.pick(['Marine', 'Process', 'Drainage', 'Boiler feed']),
    flow: random.int(100, 980),
    head: random.int(8, 95),
    price: random.int(1200, 9800),
  }))
  const strongest = random.pick(pumps.slice(40, 110))
  strongest.flow = random.int(1500, 2400)
  const seal = `SSK-${random.int(1000, 9999)}-EPDM`
  const grease = `Polyurea ${random.int(1000, 9999)} HT`
  const hotline = `+31 20 ${random.int(100, 999)} ${random.int(1000, 9999)}`
  const serial = `VX7${random.int(10000, 99999)}`
  const engineer = rarePerson(random)
  const [oldTorque, newTorque] = [random.int(101, 140), random.int(150, 190)]
  const paragraphs = Array.from({ length: 110 }, () =>
    Array.from({ length: random.int(2, 4) }, () => random.pick(advice)(random)).join(' '),
  )
  const say = (sentence: string) => plant(random, paragraphs, `${random.pick(advice)(random)} ${sentence} ${random.pick(advice)(random)}`)
  say(`For hot brine use the shaft seal ${seal} in place of the standard one.`)
  say(`The bearing housing of the Boiler feed series takes only the grease ${grease}.`)
  say(`After a dry run at sea call the duty engineer at ${hotline} before the volute is opened.`)
  say(`Pumps up to serial number ${serial} have a left-hand thread on the impeller.`)
  say(`The cavitation chart of this page was drawn by ${engineer}.`)
  say(`Since revision 4 the bolts of the coupling are tightened to ${newTorque} Nm instead of ${oldTorque} Nm.`)
  const prices = (series: string) =>
    sumOf(
      pumps.filter((pump) => pump.series === series),
      (pump) => pump.price,
    )
  const best = highest(pumps, (pump) => pump.flow)
  const questions = [
    question('needle', 'Which shaft seal is for hot brine?', all(seal), [{ query: 'shaft seal for hot brine' }]),
    question('needle', 'Which grease does the bearing housing of the Boiler feed series take?', all(grease), [
      { query: 'Boiler feed bearing housing grease' },
    ]),
    question('needle', 'At which number is the duty engineer called?', all(hotline), [{ query: 'call the duty engineer after a dry run' }]),
    question('needle', 'Up to which serial number do the impellers have a left-hand thread?', all(serial), [
      { query: 'left-hand thread impeller serial number' },
    ]),
    question('needle', 'Who drew the cavitation chart?', all(engineer), [{ query: 'cavitation chart drawn by' }]),
    question(
      'change',
      'How did the torque of the bolts of the coupling change with revision 4?',
      all(`${newTorque} Nm`, `${oldTorque} Nm`),
      [{ query: 'revision 4 coupling bolts Nm instead of' }],
    ),
    question(
      'extreme',
      'Which model has the highest flow, and how much?',
      [[best.model], number(best.flow)],
      [{ aggregate: { top: 'Flow (l/min)' } }, { query: 'model highest flow l/min' }],
    ),
    question(
      'group',
      'What do all models of the Marine series cost together, and those of the Drainage series?',
      [number(prices('Marine')), number(prices('Drainage'))],
      [{ aggregate: { groupBy: 'Series', sum: 'Price (EUR)' } }],
    ),
    question(
      'total',
      'What do all models cost together?',
      [number(sumOf(pumps, (pump) => pump.price))],
      [{ aggregate: { sum: 'Price (EUR)' } }],
    ),
    question(
      'absence',
      'Is there any model of the series Mining?',
      [nothing],
      [{ aggregate: { where: { Series: 'Mining' }, count: true } }],
    ),
  ]
  return {
    name: 'html-product-page',
    task: 'Tell me how to maintain the shaft seal and the bearings of a VX pump.',
    text: htmlOf(random, pumps, paragraphs),
    questions,
  }
}

function htmlOf(random: Random, pumps: readonly Pump[], paragraphs: readonly string[]): string {
  const links = Array.from(
    { length: 60 },
    (_, at) =>
      `<li class="nav__item"><a class="nav__link" href="/products/${at}">${title(random.pick(parts))} ${random.pick(['kits', 'manuals', 'prices', 'drawings'])}</a></li>`,
  )
  const rows = pumps.map(
    (pump) =>
      `<tr><td>${pump.model}</td><td>${pump.series}</td><td class="num">${pump.flow}</td><td class="num">${pump.head}</td><td class="num">${pump.price}</td></tr>`,
  )
  const tracking = Array.from({ length: 90 }, () => `"${random.hex(8)}":{"v":${random.int(1, 99)},"k":"${random.hex(20)}"}`).join(',')
  const sections = paragraphs.map(
    (text, at) => (at % 10 === 0 ? `<h2 id="s${at}">${random.pick(deeds)} the ${random.pick(parts)}</h2>\n` : '') + `<p>${text}</p>`,
  )
  const half = Math.floor(sections.length / 2)
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>VX centrifugal pumps - Velmora Pumps</title>
<link rel="stylesheet" href="/static/site.${random.hex(8)}.css"><style>.nav{display:flex}.num{text-align:right}.hero{background:#123}</style>
<script>window.__STATE__={${tracking}};</script></head>
<body><header class="site"><nav class="nav"><ul>
${links.join('\n')}
</ul></nav></header>
<main><h1>VX centrifugal pumps</h1>
${sections.slice(0, half).join('\n')}
<table class="spec"><caption>Models</caption><thead><tr><th>Model</th><th>Series</th><th>Flow (l/min)</th><th>Head (m)</th><th>Price (EUR)</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>
${sections.slice(half).join('\n')}
</main><footer><ul>${links.slice(0, 20).join('')}</ul><p>&copy; 2026 Velmora Pumps B.V. &middot; <a href="/cookies">Cookies</a></p></footer>
<script src="/static/app.${random.hex(8)}.js" defer></script></body></html>
`
}

interface InvoiceLine {
  id: string
  text: string
  quantity: number
  net: number
  rate: number
  centre: string
  note?: string
}

const services = ['Crane hire', 'Scaffold rental', 'Concrete C30/37', 'Formwork panels', 'Site electrician', 'Rebar B500B', 'Waste skip']

export function invoiceFeed(seed: number): BenchOutput {
  const random = randomOf(seed)
  const lines = Array.from({ length: 900 }, (_, at) => invoiceLineAt(random, at))
  const pick = (low: number, high: number): InvoiceLine => random.pick(lines.slice(low, high))
  const permit = `PRM-${random.int(10000, 99999)}`
  const skip = `WS-${random.hex(7).toUpperCase()}`
  const heat = `H${random.int(100000, 999999)}K`
  const foreman = rarePerson(random)
  const [oldRate, newRate] = [random.int(1010, 1890), random.int(2010, 2890)]
  pick(100, 200).note = `Crane hire on a Sunday under permit ${permit}`
  pick(250, 350).note = `Waste skip ${skip} contained asbestos, disposed apart`
  pick(400, 500).note = `Accepted on site by the foreman ${foreman}`
  pick(550, 650).note = `Day rate of the site electrician raised from ${oldRate} to ${newRate} from calendar week 31`
  pick(655, 695).note = `Rebar of heat number ${heat} failed the bend test, credited`
  const asked = pick(700, 760)
  asked.net = random.int(100_000, 199_999)
  const dear = pick(770, 850)
  dear.net = random.int(210_000, 290_000)
  const net = (centre: string) =>
    sumOf(
      lines.filter((line) => line.centre === centre && line.rate === 7),
      (line) => line.net,
    )
  const most = highest(lines, (line) => line.net)
  const xmlLine = (line: InvoiceLine): string =>
    `    <cac:InvoiceLine>\n      <cbc:ID>${line.id}</cbc:ID>\n      <cbc:InvoicedQuantity unitCode="DAY">${line.quantity}</cbc:InvoicedQuantity>\n      <cbc:LineExtensionAmount currencyID="EUR">${line.net}</cbc:LineExtensionAmount>\n      <cbc:AccountingCost>${line.centre}</cbc:AccountingCost>\n      <cac:Item>\n        <cbc:Name>${line.text}</cbc:Name>\n        <cbc:Percent>${line.rate}</cbc:Percent>\n      </cac:Item>${line.note === undefined ? '' : `\n      <cbc:Note>${line.note}</cbc:Note>`}\n    </cac:InvoiceLine>`
  const questions = [
    question('needle', 'Under which permit was the crane hired on a Sunday?', all(permit), [
      { query: 'Crane hire on a Sunday under permit' },
    ]),
    question('needle', 'Which waste skip contained asbestos?', all(skip), [{ query: 'waste skip asbestos' }]),
    question('needle', 'Which foreman accepted something on site?', all(foreman), [{ query: 'Accepted on site by the foreman' }]),
    question(
      'needle',
      `What is the amount of invoice line ${asked.id}?`,
      [number(asked.net)],
      [{ query: asked.id }, { aggregate: { where: { ID: asked.id } } }],
    ),
    question('needle', 'Which heat number had the rebar that failed the bend test?', all(heat), [
      { query: 'rebar failed the bend test heat number' },
    ]),
    question('change', 'How was the day rate of the site electrician changed?', all(`from ${oldRate} to ${newRate}`), [
      { query: 'Day rate of the site electrician raised' },
    ]),
    question(
      'extreme',
      'What is the highest amount of a line, and which line is it?',
      [number(most.net), [most.id]],
      [{ aggregate: { top: 'LineExtensionAmount' } }],
    ),
    question(
      'total',
      'What do the amounts of all invoice lines add up to?',
      [number(sumOf(lines, (line) => line.net))],
      [{ aggregate: { sum: 'LineExtensionAmount' } }],
    ),
    question(
      'group',
      'What was booked at 7 percent to the cost centres BRIDGE-N and TUNNEL-2, each?',
      [number(net('BRIDGE-N')), number(net('TUNNEL-2'))],
      [
        { aggregate: { where: { 'Item.Percent': 7 }, groupBy: 'AccountingCost', sum: 'LineExtensionAmount' } },
        { aggregate: { where: { Percent: 7 }, groupBy: 'AccountingCost', sum: 'LineExtensionAmount' } },
      ],
    ),
    question(
      'absence',
      'Is any line booked to the cost centre HARBOUR-9?',
      [nothing],
      [{ aggregate: { where: { AccountingCost: 'HARBOUR-9' }, count: true } }, { query: 'HARBOUR-9' }],
    ),
  ]
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:cac" xmlns:cbc="urn:cbc">\n  <cbc:ID>INV-2026-118</cbc:ID>\n  <cbc:IssueDate>2026-09-30</cbc:IssueDate>\n  <cac:AccountingSupplierParty><cbc:Name>Brecon Site Services Ltd</cbc:Name></cac:AccountingSupplierParty>\n  <cac:Lines>\n${lines.map(xmlLine).join('\n')}\n  </cac:Lines>\n</Invoice>\n`
  return { name: 'xml-invoice', task: 'Check the invoice of the site services and what each cost centre pays.', text, questions }
}

function invoiceLineAt(random: Random, at: number): InvoiceLine {
  const line: InvoiceLine = {
    id: `L${10_000 + at * 3}`,
    text: random.pick(services),
    quantity: random.int(1, 30),
    net: random.int(100, 19_999),
    rate: random.pick([19, 19, 7]),
    centre: random.pick(['BRIDGE-N', 'BRIDGE-S', 'TUNNEL-1', 'TUNNEL-2', 'DEPOT']),
  }
  if (random.chance(0.15))
    line.note = random.pick([
      'Accepted on site',
      'Day rate as agreed',
      'Waste skip exchanged',
      'Crane hire without operator',
      'Permit to follow',
    ])
  return line
}
