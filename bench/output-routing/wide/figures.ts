import type { BenchOutput } from '../bench-output.ts'
import { all, highest, nothing, number, person, question, sumOf } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { absent, coined, countBy, day, inside, lowest, mostOf, round, skewed, sumBy, tally, times } from './shared.ts'

const START = Date.UTC(2026, 0, 5)

/** An export of a spreadsheet: lines before the header, odd names of columns, decimal commas, a line of totals. */
export function spreadsheet(seed: number): BenchOutput {
  const random = randomOf(seed)
  const groups = ['Werkzeug', 'Farben', 'Sanitär', 'Garten']
  const rows = times(1100, (at) => ({ nr: `${4000 + at}-${random.pick(['A', 'B'])}`, name: `${coined(random, 2)} ${random.pick(['klein', 'groß', 'XL'])}`, group: random.pick(groups), store: random.pick(['Nord', 'Süd', 'West']), pieces: random.int(0, 80), price: round(1 + random.next() * 90), note: '' }))
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
  const pieces = sumBy(rows, (row) => row.store, (row) => row.pieces)
  const [store, most] = mostOf(pieces)
  const clerk = person(random)
  return {
    name: 'spreadsheet',
    task: 'Check the stocktaking of our shops.',
    text: [`Inventur;;;;;;;`, `Stand:;31.12.2025;Erfasst von:;${clerk};;;;`, ';;;;;;;', 'Art.-Nr.;Bezeichnung;Warengruppe;Filiale;Bestand (Stk.);EK netto €;Wert €;Bemerkung', ...rows.map((row) => [row.nr, row.name, row.group, row.store, row.pieces, comma(row.price), comma(row.pieces * row.price), row.note].join(';')), `Summe;;;;${sumOf(rows, (row) => row.pieces)};;${comma(total)};`].join('\n'),
    questions: [
      question('extreme', 'Of which article is the most in stock?', [[many.nr, many.name], [String(many.pieces)]], [{ aggregate: { top: 'Bestand (Stk.)' } }]),
      question('extreme', 'Which article is the most expensive to buy?', [[dear.nr, dear.name], [comma(dear.price), String(dear.price), dear.price.toFixed(2)]], [{ aggregate: { top: 'EK netto €' } }]),
      question('needle', 'Which article was called back, and why?', [[reason]], [{ query: 'Rückruf' }]),
      question('needle', `What is the price of ${asked.nr}?`, [[asked.nr], [comma(asked.price), String(asked.price), asked.price.toFixed(2)]], [{ query: asked.nr }]),
      question('total', 'What is the whole stock worth?', [[comma(total), ...number(total)]], [{ query: 'Summe' }]),
      question('total', 'How many pieces are there in all?', [number(sumOf(rows, (row) => row.pieces))], [{ query: 'Summe' }]),
      question('group', 'How many articles belong to Garten?', [tally('Garten', byGroup['Garten'] ?? 0)], [{ aggregate: { where: { Warengruppe: 'Garten' }, count: true } }]),
      question('group', 'Which shop has the most pieces?', [[store], number(most)], [{ aggregate: { groupBy: 'Filiale', sum: 'Bestand (Stk.)' } }]),
      question('needle', 'Who took the stock?', all(clerk), [{ query: 'Erfasst von' }]),
      question('needle', 'Of which day is it?', all('31.12.2025'), [{ query: 'Stand' }]),
      { ...question('absence', 'Is there a group Elektro?', [], [{ query: 'Elektro' }, { aggregate: { where: { Warengruppe: 'Elektro' }, count: true } }]), ...absent(byGroup) },
      question('total', 'How many articles have no stock?', [tally('0', rows.filter((row) => row.pieces === 0).length)], [{ aggregate: { where: { 'Bestand (Stk.)': 0 }, count: true } }]),
    ],
  }
}

/** Hours of weather as lists beside each other. */
export function weatherSeries(seed: number): BenchOutput {
  const random = randomOf(seed)
  const hours = times(1100, (at) => ({ time: new Date(START + at * 3_600_000).toISOString().slice(0, 16), temperature: round(4 + 7 * Math.sin(at / 24) + random.next() * 3, 1), wind: round(2 + random.next() * 9, 1), rain: random.chance(0.15) ? round(random.next() * 4, 1) : 0, code: random.pick([0, 1, 2, 3, 61]) }))
  const hot = inside(random, hours)
  hot.temperature = round(38 + random.next() * 3, 1)
  const storm = inside(random, hours)
  storm.wind = round(31 + random.next() * 9, 1)
  const thunder = inside(random, hours)
  thunder.code = 95
  const asked = inside(random, hours)
  const coldest = lowest(hours, (hour) => hour.temperature)
  const rain = round(sumOf(hours, (hour) => Math.round(hour.rain * 10)) / 10, 1)
  const codes = countBy(hours, (hour) => String(hour.code))
  const elevation = random.int(301, 1900)
  const station = coined(random, 3)
  return {
    name: 'weather series',
    task: 'Was the weather of the last weeks unusual?',
    value: { latitude: 47.1, longitude: 8.3, elevation, station, timezone: 'Europe/Zurich', hourly_units: { time: 'iso8601', temperature_2m: '°C', wind_speed: 'm/s', rain: 'mm' }, hourly: { time: hours.map((hour) => hour.time), temperature_2m: hours.map((hour) => hour.temperature), wind_speed: hours.map((hour) => hour.wind), rain: hours.map((hour) => hour.rain), weather_code: hours.map((hour) => hour.code) } },
    questions: [
      question('extreme', 'What was the highest temperature, and when?', [[String(hot.temperature)], [hot.time]], [{ aggregate: { top: 'temperature_2m' } }]),
      question('extreme', 'When did the wind blow hardest?', [[storm.time], [String(storm.wind)]], [{ aggregate: { top: 'wind_speed' } }]),
      question('extreme', 'What was the lowest temperature?', [[`min ${coldest.temperature}`, `"temperature_2m":${coldest.temperature}`, `${coldest.temperature} (`, `temperature_2m ${coldest.temperature}`]], [{ aggregate: { min: 'temperature_2m' } }]),
      question('needle', 'When was there a thunderstorm (code 95)?', all(thunder.time), [{ aggregate: { where: { weather_code: 95 } } }]),
      question('needle', `What was the temperature at ${asked.time}?`, [[asked.time], [String(asked.temperature)]], [{ query: asked.time }, { aggregate: { where: { time: asked.time } } }]),
      question('total', 'How much rain fell in all?', [number(rain)], [{ aggregate: { sum: 'rain' } }]),
      question('group', 'How many hours had the code 61?', [tally('61', codes['61'] ?? 0)], [{ aggregate: { where: { weather_code: 61 }, count: true } }]),
      question('total', 'How many hours are there?', [[...tally('rows', hours.length), ...number(hours.length)]], [{ path: 'length(hourly.time)' }, { aggregate: { count: true } }]),
      question('needle', 'How high is the station?', [[`elevation ${elevation}`, `elevation: ${elevation}`, `"elevation":${elevation}`, String(elevation)]], [{ path: 'elevation' }]),
      question('needle', 'What is the station called?', all(station), [{ path: 'station' }]),
      question('needle', 'In which unit is the wind measured?', all('m/s'), [{ path: 'hourly_units' }]),
      question('extreme', 'What is the last hour of the series?', all(hours.at(-1)?.time ?? ''), [{ aggregate: { max: 'time' } }]),
      { ...question('absence', 'Did it snow (code 71)?', [], [{ aggregate: { where: { weather_code: 71 }, count: true } }]), ...absent(codes) },
    ],
  }
}

/** A printed price list: dots up to the price, headings, notes. */
export function priceList(seed: number): BenchOutput {
  const random = randomOf(seed)
  const groups = times(64, () => ({ name: coined(random, 3).toUpperCase(), items: times(random.int(14, 30), () => ({ name: `${coined(random, 3)} ${random.int(2, 60)} ${random.pick(['cm', 'kg', 'l'])}`, price: round(2 + random.next() * 180) })) }))
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
    text: ['PRICE LIST 2026', `Valid until ${until}. All prices in EUR without tax.`, '', ...groups.flatMap((group) => [group.name, '-'.repeat(group.name.length), ...group.items.map(({ name, price }) => `${name} ${'.'.repeat(Math.max(3, 52 - name.length - money(price).length))} ${money(price)}`), '']), `Orders over 1,000 EUR: ${discount} off.`, `Questions: ${hotline}`].join('\n'),
    questions: [
      question('extreme', 'What is the dearest article?', [[dear.item.name], [money(dear.item.price)]], [{ aggregate: { top: 'price' } }, { aggregate: { top: 'value' } }]),
      question('extreme', 'What is the cheapest article?', [[cheap.item.name], ['0.35']], [{ aggregate: { min: 'price' } }, { aggregate: { min: 'value' } }]),
      question('needle', `What does ${asked.item.name} cost?`, all(asked.item.name, money(asked.item.price)), [{ query: asked.item.name }]),
      question('needle', `Under which heading is ${asked.item.name}?`, all(asked.item.name, asked.group.name), [{ query: asked.item.name }]),
      question('total', 'How many articles are listed?', [[...tally('rows', items.length), `${items.length} articles`, `${items.length} items`]], [{ aggregate: { count: true } }, { query: '...' }]),
      question('total', 'How many groups are there?', [[...tally('groups', groups.length), `${groups.length} headings`, `${groups.length} sections`, `${groups.length} values`]], [{ query: '---' }]),
      question('needle', 'What discount do large orders get?', all(discount), [{ query: 'off' }, { query: 'Orders over' }]),
      question('needle', 'Until when are the prices valid?', all(until), [{ query: 'Valid until' }]),
      question('needle', 'Whom can one call?', all(hotline), [{ query: 'Questions' }]),
      question('group', 'Which group has the most articles?', [[fullest.name], [String(fullest.items.length)]], [{ aggregate: { groupBy: 'section', count: true } }, { aggregate: { groupBy: 'heading', count: true } }]),
      question('absence', 'Do they sell ladders?', [nothing], [{ query: 'ladder' }]),
    ],
  }
}

/** Invoices printed one after the other, each with positions and a sum. */
export function invoicePrint(seed: number): BenchOutput {
  const random = randomOf(seed)
  const invoices = times(160, (at) => {
    const lines = times(random.int(3, 9), () => ({ what: `${coined(random, 2)} ${random.pick(['service', 'license', 'hardware'])}`, hours: random.int(1, 40), rate: random.pick([80, 95, 120]) }))
    return { number: `RE-2026-${String(310 + at)}`, customer: `${coined(random, 3)} ${random.pick(['AG', 'KG'])}`, date: day(START + at * 86_400_000), lines, due: day(START + (at + 30) * 86_400_000), status: random.pick(['paid', 'paid', 'open']) }
  })
  const big = inside(random, invoices)
  big.lines = [{ what: 'datacenter move', hours: random.int(700, 990), rate: 120 }]
  const sum = (invoice: (typeof invoices)[number]): number => sumOf(invoice.lines, (line) => line.hours * line.rate)
  const overdue = inside(random, invoices.filter((each) => each !== big))
  overdue.status = 'second reminder'
  const asked = inside(random, invoices)
  const total = sumOf(invoices, sum)
  const open = invoices.filter((each) => each.status === 'open').length
  const statuses = countBy(invoices, (each) => each.status)
  const iban = `CH${random.int(10, 99)} ${random.int(1000, 9999)} ${random.int(1000, 9999)}`
  return {
    name: 'invoice print',
    task: 'Which customers still owe us money?',
    text: [...invoices.flatMap((each) => [`INVOICE ${each.number}`, `Customer: ${each.customer}`, `Date: ${each.date}     Due: ${each.due}     Status: ${each.status}`, '', `${'Position'.padEnd(32)}${'Hours'.padStart(8)}${'Rate'.padStart(8)}${'Amount'.padStart(12)}`, ...each.lines.map((line) => `${line.what.padEnd(32)}${String(line.hours).padStart(8)}${String(line.rate).padStart(8)}${(line.hours * line.rate).toFixed(2).padStart(12)}`), `${'Net sum'.padEnd(48)}${sum(each).toFixed(2).padStart(12)}`, '', `Pay to ${iban}, ref ${random.hex(6)}`, '='.repeat(60)]), `GRAND TOTAL ${invoices.length} invoices: ${total.toFixed(2)} CHF`].join('\n'),
    questions: [
      question('total', 'What is the grand total?', [number(total).concat(total.toFixed(2))], [{ query: 'GRAND TOTAL' }]),
      question('extreme', 'Which invoice has the highest sum?', [[big.number, big.customer], [sum(big).toFixed(2), String(sum(big))]], [{ aggregate: { top: 'Net sum' } }, { aggregate: { top: 'Amount' } }]),
      question('needle', 'Which customer got a second reminder?', [[overdue.customer, overdue.number], ['second reminder']], [{ query: 'second reminder' }]),
      question('total', 'How many invoices are open?', [tally('open', open)], [{ query: 'Status: open' }, { aggregate: { where: { Status: 'open' }, count: true } }]),
      question('needle', `Who is the customer of ${asked.number}?`, all(asked.number, asked.customer), [{ query: asked.number }]),
      question('needle', `When is ${asked.number} due?`, all(asked.number, asked.due), [{ query: asked.number }]),
      question('needle', `What is the net sum of ${asked.number}?`, [[asked.number], [sum(asked).toFixed(2)]], [{ query: asked.number }]),
      question('needle', 'For what was the datacenter customer charged?', [['datacenter move'], [`${big.lines[0]?.hours}`]], [{ query: 'datacenter' }]),
      question('needle', 'To which account should be paid?', all(iban), [{ query: 'Pay to' }]),
      question('total', 'How many invoices are there?', [[...tally('rows', invoices.length), `${invoices.length} invoices`, `${invoices.length} records`]], [{ query: 'INVOICE' }]),
      { ...question('absence', 'Was an invoice cancelled?', [], [{ query: 'cancelled' }]), ...absent(statuses) },
      question('extreme', 'Which is the latest due date?', all(invoices.at(-1)?.due ?? ''), [{ aggregate: { max: 'Due' } }]),
    ],
  }
}

/** Places on a map with their properties. */
export function mapFeatures(seed: number): BenchOutput {
  const random = randomOf(seed)
  const features = times(260, (at) => ({
    type: 'Feature',
    id: `way/${880_000 + at * 11}`,
    geometry: random.chance(0.7) ? { type: 'Point', coordinates: [round(8 + random.next(), 5), round(47 + random.next(), 5)] } : { type: 'LineString', coordinates: times(random.int(3, 9), () => [round(8 + random.next(), 5), round(47 + random.next(), 5)]) },
    properties: { name: `${coined(random, 2)} ${random.pick(['pass', 'lake', 'hut', 'spring'])}`, kind: random.pick(['hut', 'viewpoint', 'trail', 'spring']), ele: random.int(400, 2600), access: random.pick(['yes', 'yes', 'private']), capacity: random.chance(0.3) ? random.int(4, 60) : undefined as number | undefined, phone: undefined as string | undefined },
  }))
  const high = inside(random, features)
  high.properties.ele = random.int(4010, 4600)
  const large = inside(random, features)
  large.properties.capacity = random.int(190, 400)
  const reached = inside(random, features)
  reached.properties.phone = `+41 81 ${random.int(100, 999)} ${random.int(10, 99)}`
  const shut = inside(random, features)
  shut.properties.access = 'military'
  const asked = inside(random, features)
  const kinds = countBy(features, (each) => each.properties.kind)
  const [kind, most] = mostOf(kinds)
  const shapes = countBy(features, (each) => each.geometry.type)
  const stamp = `2026-07-${random.int(10, 28)}T04:00:00Z`
  return {
    name: 'map features',
    task: 'Plan a hike of three days.',
    value: { type: 'FeatureCollection', generator: 'export 0.9', timestamp: stamp, bbox: [8, 47, 9, 48], features },
    questions: [
      question('extreme', 'Which place is the highest?', [[high.properties.name, high.id], [String(high.properties.ele)]], [{ aggregate: { top: 'properties.ele' } }]),
      question('extreme', 'Which place has the largest capacity?', [[large.properties.name, large.id], [String(large.properties.capacity)]], [{ aggregate: { top: 'properties.capacity' } }]),
      question('needle', 'Which place has a phone, and what is the number?', [[reached.properties.name, reached.id], [reached.properties.phone]], [{ query: 'phone' }]),
      question('needle', 'Is a place used by the military?', [[shut.properties.name, shut.id], ['military']], [{ query: 'military' }]),
      question('needle', `What are the coordinates of ${asked.id}?`, [[asked.id], [String(asked.geometry.coordinates.flat()[0])]], [{ query: asked.id }]),
      question('group', 'Of which kind are most places?', [tally(kind, most)], [{ aggregate: { groupBy: 'properties.kind', count: true } }]),
      question('group', 'How many features are lines?', [tally('LineString', shapes['LineString'] ?? 0)], [{ aggregate: { where: { 'geometry.type': 'LineString' }, count: true } }, { query: 'LineString' }]),
      question('total', 'How many features are there?', [[...tally('rows', features.length), ...tally('features', features.length)]], [{ path: 'length(features)' }]),
      question('needle', 'When was the export made?', all(stamp), [{ path: 'timestamp' }]),
      question('group', 'How many places are private?', [tally('private', countBy(features, (each) => each.properties.access)['private'] ?? 0)], [{ aggregate: { where: { 'properties.access': 'private' }, count: true } }]),
      { ...question('absence', 'Is there a campsite?', [], [{ query: 'campsite' }, { aggregate: { where: { 'properties.kind': 'campsite' }, count: true } }]), ...absent(kinds) },
      question('extreme', 'Which is the lowest elevation?', [[`min ${lowest(features, (each) => each.properties.ele).properties.ele}`, `"ele":${lowest(features, (each) => each.properties.ele).properties.ele}`, `ele ${lowest(features, (each) => each.properties.ele).properties.ele}`]], [{ aggregate: { min: 'properties.ele' } }]),
    ],
  }
}

/** A calendar with events, some of them repeated. */
export function calendar(seed: number): BenchOutput {
  const random = randomOf(seed)
  const rooms = ['Oak', 'Elm', 'Ash', 'remote']
  const stamp = (ms: number): string => new Date(ms).toISOString().replace(/[-:]/g, '').slice(0, 15) + 'Z'
  const events = times(330, (at) => ({ uid: `${random.hex(10)}@cal.example`, start: START + at * 21_600_000 + random.int(0, 6) * 1_800_000, minutes: random.pick([30, 30, 60]), summary: `${random.pick(['Review', 'Sync', 'Interview', 'Planning'])} ${coined(random, 2)}`, place: random.pick(rooms), organizer: coined(random, 2), status: random.chance(0.9) ? 'CONFIRMED' : 'TENTATIVE', rule: '', note: '' }))
  const long = inside(random, events)
  long.minutes = 60 * random.int(9, 14)
  const weekly = inside(random, events)
  weekly.rule = `FREQ=WEEKLY;BYDAY=TU;UNTIL=${stamp(START + 2e10)}`
  const gone = inside(random, events)
  gone.status = 'CANCELLED'
  const pin = random.int(100_000, 999_999)
  const call = inside(random, events)
  call.note = `Dial in with PIN ${pin}`
  const asked = inside(random, events)
  const statuses = countBy(events, (event) => event.status)
  const byRoom = countBy(events, (event) => event.place)
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//maker//cal 3//EN', 'X-WR-TIMEZONE:Europe/Oslo', ...events.flatMap((event) => ['BEGIN:VEVENT', `UID:${event.uid}`, `DTSTART:${stamp(event.start)}`, `DTEND:${stamp(event.start + event.minutes * 60_000)}`, `SUMMARY:${event.summary}`, `LOCATION:${event.place}`, `ORGANIZER;CN=${event.organizer}:mailto:${event.organizer}@maker.example`, `STATUS:${event.status}`, ...(event.rule === '' ? [] : [`RRULE:${event.rule}`]), ...(event.note === '' ? [] : [`DESCRIPTION:${event.note}`]), 'END:VEVENT']), 'END:VCALENDAR'].join('\n')
  const last = highest(events, (event) => event.start)
  return {
    name: 'calendar',
    task: 'Find free time for a workshop.',
    text,
    questions: [
      question('needle', 'Which meeting was cancelled?', all(gone.summary), [{ query: 'CANCELLED' }]),
      question('needle', 'Which meeting repeats, and how?', [[weekly.summary], ['FREQ=WEEKLY']], [{ query: 'RRULE' }]),
      question('needle', 'What is the PIN of the call?', all(String(pin)), [{ query: 'PIN' }]),
      question('needle', 'Which meeting is that?', all(call.summary, String(pin)), [{ query: 'PIN' }]),
      question('needle', `Who organises "${asked.summary}"?`, all(asked.summary, asked.organizer), [{ query: asked.summary }]),
      question('needle', `When does "${asked.summary}" start?`, all(stamp(asked.start)), [{ query: asked.summary }]),
      question('total', 'How many events are there?', [[...tally('rows', events.length), `${events.length} events`, `${events.length} records`]], [{ query: 'BEGIN:VEVENT' }, { aggregate: { count: true } }]),
      question('group', 'How many events are tentative?', [tally('TENTATIVE', statuses['TENTATIVE'] ?? 0)], [{ query: 'TENTATIVE' }]),
      question('group', 'How many events are in the room Elm?', [tally('Elm', byRoom['Elm'] ?? 0)], [{ query: 'LOCATION:Elm' }, { aggregate: { where: { LOCATION: 'Elm' }, count: true } }]),
      question('extreme', 'Which event starts last, and when?', all(stamp(last.start)), [{ aggregate: { max: 'DTSTART' } }]),
      question('needle', 'Which time zone is it in?', all('Europe/Oslo'), [{ query: 'TIMEZONE' }]),
      { ...question('absence', 'Is anything in the room Pine?', [], [{ query: 'Pine' }]), ...absent(byRoom) },
    ],
  }
}

/** What a bundler says of its modules: one line, maps keyed by name. */
export function bundleStats(seed: number): BenchOutput {
  const random = randomOf(seed)
  const modules = Object.fromEntries(times(800, () => [`./${random.pick(['src', 'node_modules'])}/${coined(random, 2)}/${coined(random, 2)}.js`, { size: skewed(random, 120, 40_000), chunks: [random.pick(['main', 'vendor', 'admin'])], depth: random.int(1, 7), issuer: `./src/${coined(random, 2)}.js`, used: random.chance(0.93) }]))
  const entries = Object.entries(modules)
  const [bigName, big] = inside(random, entries)
  big.size = random.int(2_000_000, 4_000_000)
  const [deepName, deep] = inside(random, entries)
  deep.depth = random.int(31, 60)
  const [askedName, asked] = inside(random, entries)
  const chunks = countBy(entries, ([, each]) => each.chunks[0] ?? '')
  const [chunk, most] = mostOf(chunks)
  const hash = random.hex(20)
  const warning = `export '${coined(random, 3)}' was not found in './src/legacy.js'`
  const unused = entries.filter(([, each]) => !each.used).length
  return {
    name: 'bundle stats',
    task: 'Make the bundle smaller.',
    text: JSON.stringify({ version: '5.91.0', hash, time: 48_211, builtAt: 1_788_000_123_456, outputPath: '/srv/build', warnings: [{ message: warning, loc: '12:4-19' }], errors: [], modules, entrypoints: { main: { assets: [`main.${random.hex(8)}.js`], assetsSize: 918_221 }, admin: { assets: [`admin.${random.hex(8)}.js`], assetsSize: 3_118_902 } } }),
    questions: [
      question('extreme', 'Which module is the largest?', [[bigName], [String(big.size)]], [{ aggregate: { top: 'size' } }]),
      question('extreme', 'Which module is nested deepest?', [[deepName], [String(deep.depth)]], [{ aggregate: { top: 'depth' } }]),
      question('needle', `Who imports ${askedName}?`, all(askedName, asked.issuer), [{ query: askedName }]),
      question('needle', 'Is there a warning?', all(warning), [{ path: 'warnings' }, { query: 'warnings' }]),
      question('needle', 'How long did the build take?', [['48211', '48,211']], [{ path: 'time' }]),
      question('needle', 'What is the hash of the build?', all(hash), [{ path: 'hash' }]),
      question('group', 'Which chunk has the most modules?', [tally(chunk, most)], [{ aggregate: { groupBy: 'chunks', count: true } }]),
      question('total', 'How many modules are unused?', [tally('false', unused)], [{ aggregate: { where: { used: false }, count: true } }]),
      question('total', 'How many modules are there?', [[...tally('rows', entries.length), ...tally('modules', entries.length)]], [{ path: 'length(keys(modules))' }, { aggregate: { count: true } }]),
      question('extreme', 'How large is the entry point admin?', [['3118902', '3,118,902']], [{ path: 'entrypoints.admin' }, { query: 'entrypoints' }]),
      question('total', 'How large are all modules together?', [number(sumOf(entries, ([, each]) => each.size))], [{ aggregate: { sum: 'size' } }]),
      question('absence', 'Is jquery in the bundle?', [nothing], [{ query: 'jquery' }]),
    ],
  }
}

/** An answer of a SOAP service. */
export function soapAnswer(seed: number): BenchOutput {
  const random = randomOf(seed)
  const parcels = times(210, (at) => ({ id: `P${700_100 + at * 7}`, weight: round(0.2 + random.next() * 14, 2), status: random.pick(['DELIVERED', 'DELIVERED', 'IN_TRANSIT', 'AT_DEPOT']), city: random.pick(['Turin', 'Bari', 'Pisa', 'Lecce', 'Como']), cod: round(random.next() * 120), events: times(random.int(1, 3), () => ({ at: new Date(START + random.int(1, 900) * 600_000).toISOString().slice(0, 19), code: random.pick(['SC01', 'SC02', 'SC07']) })) }))
  const heavy = inside(random, parcels)
  heavy.weight = round(310 + random.next() * 80)
  const lost = inside(random, parcels)
  lost.status = 'LOST'
  const damaged = inside(random, parcels)
  damaged.events = [{ at: '2026-01-09T11:12:13', code: 'DM99' }]
  const asked = inside(random, parcels)
  const session = random.hex(18)
  const statuses = countBy(parcels, (each) => each.status)
  const byCity = sumBy(parcels, (each) => each.city, (each) => Math.round(each.cod * 100))
  const [city, cents] = mostOf(byCity)
  const element = (each: (typeof parcels)[number]): string => `<ns2:Parcel id="${each.id}" service="STD"><ns2:Weight unit="kg">${each.weight}</ns2:Weight><ns2:Status>${each.status}</ns2:Status><ns2:Recipient><ns2:City>${each.city}</ns2:City><ns2:Zip>${random.int(10_000, 99_999)}</ns2:Zip></ns2:Recipient><ns2:Cod currency="EUR">${each.cod}</ns2:Cod><ns2:Events>${each.events.map((event) => `<ns2:Event at="${event.at}" code="${event.code}"/>`).join('')}</ns2:Events></ns2:Parcel>`
  return {
    name: 'soap answer',
    task: 'Where are our parcels?',
    text: `<?xml version="1.0" encoding="UTF-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Header><ns1:Session xmlns:ns1="urn:auth">${session}</ns1:Session></soap:Header><soap:Body><ns2:TrackResponse xmlns:ns2="urn:track"><ns2:Result code="0" message="partial"/><ns2:Parcels>${parcels.map(element).join('')}</ns2:Parcels><ns2:More token="${session.slice(0, 9)}-2" remaining="5312"/></ns2:TrackResponse></soap:Body></soap:Envelope>`,
    questions: [
      question('extreme', 'Which parcel is the heaviest?', [[heavy.id], [String(heavy.weight)]], [{ aggregate: { top: 'Weight' } }]),
      question('needle', 'Which parcel was lost?', all(lost.id, 'LOST'), [{ query: 'LOST' }]),
      question('needle', 'Which parcel has the event DM99, and when?', all(damaged.id, '2026-01-09T11:12:13'), [{ query: 'DM99' }]),
      question('needle', `Where does parcel ${asked.id} go?`, all(asked.id, asked.city), [{ query: asked.id }]),
      question('needle', 'What is the session?', all(session), [{ query: 'Session' }]),
      question('needle', 'What is the token for more parcels?', all(`${session.slice(0, 9)}-2`), [{ query: 'More' }, { query: 'token' }]),
      question('needle', 'How many parcels remain?', [['5312', '5,312']], [{ query: 'remaining' }]),
      question('group', 'How many parcels are at a depot?', [tally('AT_DEPOT', statuses['AT_DEPOT'] ?? 0)], [{ aggregate: { where: { Status: 'AT_DEPOT' }, count: true } }, { query: 'AT_DEPOT' }]),
      question('group', 'In which city is the most cash to be collected?', [[city], number(round(cents / 100))], [{ aggregate: { groupBy: 'City', sum: 'Cod' } }, { aggregate: { groupBy: 'Recipient.City', sum: 'Cod' } }]),
      question('total', 'How many parcels are in the answer?', [[...tally('rows', parcels.length), ...tally('Parcel', parcels.length)]], [{ query: '<ns2:Parcel ' }, { aggregate: { count: true } }]),
      { ...question('absence', 'Was a parcel returned?', [], [{ query: 'RETURNED' }, { aggregate: { where: { Status: 'RETURNED' }, count: true } }]), ...absent(statuses) },
    ],
  }
}

/** The report of a test run in XML. */
export function testReport(seed: number): BenchOutput {
  const random = randomOf(seed)
  const suites = times(80, () => ({ name: `com.depot.${coined(random, 2)}.${coined(random, 2)}Test`, cases: times(random.int(5, 16), () => ({ name: `should_${coined(random, 2)}_${coined(random, 2)}`, time: round(0.002 + random.next() * 0.4, 3), failure: '', skipped: random.chance(0.03) })) }))
  const cases = suites.flatMap((suite) => suite.cases.map((each) => ({ suite, each })))
  const failed = [inside(random, cases), inside(random, cases), inside(random, cases)]
  const messages = [`expected:<${random.int(100, 999)}> but was:<${random.int(100, 999)}>`, `Connection refused: depot-${coined(random, 2)}:5432`, `No bean named '${coined(random, 3)}'`]
  failed.forEach(({ each }, at) => void Object.assign(each, { failure: messages[at], skipped: false }))
  const slow = inside(random, cases)
  slow.each.time = round(90 + random.next() * 60, 3)
  const asked = inside(random, cases)
  const count = cases.filter(({ each }) => each.failure !== '').length
  const skipped = cases.filter(({ each }) => each.skipped).length
  const largest = highest(suites, (suite) => suite.cases.length)
  const host = `agent-${random.hex(5)}`
  const text = `<?xml version="1.0"?>\n<testsuites tests="${cases.length}" failures="${count}" skipped="${skipped}">\n${suites.map((suite) => `  <testsuite name="${suite.name}" tests="${suite.cases.length}" hostname="${host}">\n${suite.cases.map((each) => `    <testcase classname="${suite.name}" name="${each.name}" time="${each.time}"${each.failure === '' && !each.skipped ? '/>' : `>${each.skipped ? '<skipped/>' : `<failure type="java.lang.AssertionError" message="${each.failure.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}">at ${suite.name}.${each.name}(${suite.name.split('.').at(-1)}.java:${random.int(20, 300)})</failure>`}</testcase>`}`).join('\n')}\n  </testsuite>`).join('\n')}\n</testsuites>`
  const escaped = (message: string): string[] => [message, message.replaceAll('<', '&lt;').replaceAll('>', '&gt;')]
  return {
    name: 'test report',
    task: 'Which tests are broken?',
    text,
    questions: [
      ...failed.map(({ each }, at) => question('needle', `Why did ${each.name} fail?`, [[each.name], escaped(messages[at] ?? '')], [{ query: each.name }])),
      question('total', 'How many tests failed?', [[`failures="${count}"`, `failures ${count}`, `failures: ${count}`, `failures":${count}`, `failures":"${count}"`, `failures=${count}`, ...tally('failure', count)]], [{ query: '<failure' }, { query: 'failures=' }]),
      question('total', 'How many tests are there in all?', [number(cases.length).flatMap((each) => [`tests="${each}"`, `tests ${each}`, `tests: ${each}`, `${each} rows`, `${each} of`, `tests":"${each}"`, `tests":${each}`, `tests=${each}`])], [{ query: 'testsuites tests' }, { aggregate: { count: true } }]),
      question('total', 'How many tests were skipped?', [[`skipped="${skipped}"`, `skipped ${skipped}`, `skipped: ${skipped}`, `skipped":"${skipped}"`, `skipped":${skipped}`, ...tally('skipped', skipped)]], [{ query: 'skipped=' }, { query: '<skipped' }]),
      question('extreme', 'Which test took longest?', [[slow.each.name], [String(slow.each.time)]], [{ aggregate: { top: 'time' } }]),
      question('needle', `How long did ${asked.each.name} take?`, all(asked.each.name, String(asked.each.time)), [{ query: asked.each.name }]),
      question('needle', 'On which host did the tests run?', all(host), [{ query: 'hostname' }]),
      question('group', 'Which suite has the most tests?', [[largest.name], [`${largest.cases.length}`]], [{ aggregate: { table: 'testsuite', top: 'tests' } }, { aggregate: { groupBy: 'classname', count: true } }]),
      question('absence', 'Is there an OutOfMemoryError?', [nothing], [{ query: 'OutOfMemory' }]),
    ],
  }
}

/** Uploads: small descriptions around large encoded contents. */
export function uploads(seed: number): BenchOutput {
  const random = randomOf(seed)
  const note = `The key of the locker is ${random.int(1000, 9999)}-${coined(random, 2)}.`
  const files = times(34, (at) => ({ fileId: `f_${random.hex(8)}`, fileName: `${coined(random, 2)}.${random.pick(['png', 'pdf', 'zip'])}`, uploadedBy: random.pick(['ilse', 'marek', 'joana']), uploadedAt: new Date(START + at * 5_000_000).toISOString(), bytes: 0, sha256: random.hex(64), scan: 'clean', labels: random.chance(0.3) ? [random.pick(['tax', 'draft', 'signed'])] : [], content: '' }))
  for (const file of files) {
    const bytes = Buffer.from(times(random.int(700, 3000), () => random.int(0, 255)))
    file.bytes = bytes.length
    file.content = bytes.toString('base64')
  }
  const big = highest(files, (file) => file.bytes)
  const infected = inside(random, files)
  const virus = `Eicar.${coined(random, 2)}`
  infected.scan = `infected: ${virus}`
  const text = inside(random, files.filter((file) => file !== infected && file !== big))
  Object.assign(text, { fileName: 'note.txt', bytes: note.length, content: Buffer.from(note).toString('base64') })
  const asked = inside(random, files)
  const people = countBy(files, (file) => file.uploadedBy)
  const quota = random.int(100_000, 900_000)
  const continuation = `k${random.hex(14)}`
  const total = sumOf(files, (file) => file.bytes)
  return {
    name: 'uploads',
    task: 'Check the files that customers sent us.',
    value: { files, quota: { usedBytes: quota, limitBytes: 10_000_000 }, continuation },
    questions: [
      question('needle', 'Which file is infected, and with what?', [[infected.fileId, infected.fileName], [virus]], [{ query: 'infected' }]),
      question('needle', 'What does note.txt say?', [[note, Buffer.from(note).toString('base64')]], [{ query: 'note.txt' }, { path: "files[?fileName=='note.txt']" }]),
      question('extreme', 'Which file is the largest?', [[big.fileName, big.fileId], [String(big.bytes)]], [{ aggregate: { top: 'bytes' } }]),
      question('needle', `What is the checksum of ${asked.fileId}?`, all(asked.sha256), [{ query: asked.fileId }, { path: `files[?fileId=='${asked.fileId}'].sha256` }]),
      question('group', 'How many files did marek upload?', [tally('marek', people['marek'] ?? 0)], [{ aggregate: { where: { uploadedBy: 'marek' }, count: true } }]),
      question('total', 'How many files are there?', [[...tally('rows', files.length), ...tally('files', files.length)]], [{ path: 'length(files)' }]),
      question('total', 'How many bytes do the files have in all?', [number(total)], [{ aggregate: { sum: 'bytes' } }]),
      question('needle', 'How much of the quota is used?', [number(quota)], [{ path: 'quota' }]),
      question('needle', 'With what can the list be continued?', all(continuation), [{ path: 'continuation' }]),
      question('extreme', 'When was the last file uploaded?', [[files.at(-1)?.uploadedAt ?? '', (files.at(-1)?.uploadedAt ?? '').slice(0, 19)]], [{ aggregate: { max: 'uploadedAt' } }]),
      question('total', 'How many files are labelled signed?', [tally('signed', files.filter((file) => file.labels.includes('signed')).length)], [{ query: '"signed"' }, { query: 'signed' }]),
      { ...question('absence', 'Did somebody called viktor upload a file?', [], [{ query: 'viktor' }, { aggregate: { where: { uploadedBy: 'viktor' }, count: true } }]), ...absent(people) },
    ],
  }
}
