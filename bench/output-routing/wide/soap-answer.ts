import type { BenchOutput } from '../bench-output.ts'
import { all, number, question } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { absent, countBy, inside, mostOf, round, sumBy, tally, times } from './shared.ts'

const START = Date.UTC(2026, 0, 5)

/** An answer of a SOAP service. */
export function soapAnswer(seed: number): BenchOutput {
  const random = randomOf(seed)
  const parcels = times(210, (at) => ({
    id: `P${700_100 + at * 7}`,
    weight: round(0.2 + random.next() * 14, 2),
    status: random.pick(['DELIVERED', 'DELIVERED', 'IN_TRANSIT', 'AT_DEPOT']),
    city: random.pick(['Turin', 'Bari', 'Pisa', 'Lecce', 'Como']),
    cod: round(random.next() * 120),
    events: times(random.int(1, 3), () => ({
      at: new Date(START + random.int(1, 900) * 600_000).toISOString().slice(0, 19),
      code: random.pick(['SC01', 'SC02', 'SC07']),
    })),
  }))
  const heavy = inside(random, parcels)
  heavy.weight = round(310 + random.next() * 80)
  const lost = inside(random, parcels)
  lost.status = 'LOST'
  const damaged = inside(random, parcels)
  damaged.events = [{ at: '2026-01-09T11:12:13', code: 'DM99' }]
  const asked = inside(random, parcels)
  const session = random.hex(18)
  const statuses = countBy(parcels, (each) => each.status)
  const byCity = sumBy(
    parcels,
    (each) => each.city,
    (each) => Math.round(each.cod * 100),
  )
  const [city, cents] = mostOf(byCity)
  const element = (each: (typeof parcels)[number]): string =>
    `<ns2:Parcel id="${each.id}" service="STD"><ns2:Weight unit="kg">${each.weight}</ns2:Weight><ns2:Status>${each.status}</ns2:Status><ns2:Recipient><ns2:City>${each.city}</ns2:City><ns2:Zip>${random.int(10_000, 99_999)}</ns2:Zip></ns2:Recipient><ns2:Cod currency="EUR">${each.cod}</ns2:Cod><ns2:Events>${each.events.map((event) => `<ns2:Event at="${event.at}" code="${event.code}"/>`).join('')}</ns2:Events></ns2:Parcel>`
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
      question(
        'group',
        'How many parcels are at a depot?',
        [tally('AT_DEPOT', statuses['AT_DEPOT'] ?? 0)],
        [{ aggregate: { where: { Status: 'AT_DEPOT' }, count: true } }, { query: 'AT_DEPOT' }],
      ),
      question(
        'group',
        'In which city is the most cash to be collected?',
        [[city], number(round(cents / 100))],
        [{ aggregate: { groupBy: 'City', sum: 'Cod' } }, { aggregate: { groupBy: 'Recipient.City', sum: 'Cod' } }],
      ),
      question(
        'total',
        'How many parcels are in the answer?',
        [[...tally('rows', parcels.length), ...tally('Parcel', parcels.length)]],
        [{ query: '<ns2:Parcel ' }, { aggregate: { count: true } }],
      ),
      {
        ...question(
          'absence',
          'Was a parcel returned?',
          [],
          [{ query: 'RETURNED' }, { aggregate: { where: { Status: 'RETURNED' }, count: true } }],
        ),
        ...absent(statuses),
      },
    ],
  }
}
