import type { BenchOutput } from '../bench-output.ts'
import { all, highest, question } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { absent, coined, countBy, inside, tally, times } from './shared.ts'

const START = Date.UTC(2026, 0, 5)

/** A calendar with events, some of them repeated. */
export function calendar(seed: number): BenchOutput {
  const random = randomOf(seed)
  const rooms = ['Oak', 'Elm', 'Ash', 'remote']
  const stamp = (ms: number): string => new Date(ms).toISOString().replace(/[-:]/g, '').slice(0, 15) + 'Z'
  const events = times(330, (at) => ({
    uid: `${random.hex(10)}@cal.example`,
    start: START + at * 21_600_000 + random.int(0, 6) * 1_800_000,
    minutes: random.pick([30, 30, 60]),
    summary: `${random.pick(['Review', 'Sync', 'Interview', 'Planning'])} ${coined(random, 2)}`,
    place: random.pick(rooms),
    organizer: coined(random, 2),
    status: random.chance(0.9) ? 'CONFIRMED' : 'TENTATIVE',
    rule: '',
    note: '',
  }))
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
  const text = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//maker//cal 3//EN',
    'X-WR-TIMEZONE:Europe/Oslo',
    ...events.flatMap((event) => [
      'BEGIN:VEVENT',
      `UID:${event.uid}`,
      `DTSTART:${stamp(event.start)}`,
      `DTEND:${stamp(event.start + event.minutes * 60_000)}`,
      `SUMMARY:${event.summary}`,
      `LOCATION:${event.place}`,
      `ORGANIZER;CN=${event.organizer}:mailto:${event.organizer}@maker.example`,
      `STATUS:${event.status}`,
      ...(event.rule === '' ? [] : [`RRULE:${event.rule}`]),
      ...(event.note === '' ? [] : [`DESCRIPTION:${event.note}`]),
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ].join('\n')
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
      question(
        'total',
        'How many events are there?',
        [[...tally('rows', events.length), `${events.length} events`, `${events.length} records`]],
        [{ query: 'BEGIN:VEVENT' }, { aggregate: { count: true } }],
      ),
      question('group', 'How many events are tentative?', [tally('TENTATIVE', statuses['TENTATIVE'] ?? 0)], [{ query: 'TENTATIVE' }]),
      question(
        'group',
        'How many events are in the room Elm?',
        [tally('Elm', byRoom['Elm'] ?? 0)],
        [{ query: 'LOCATION:Elm' }, { aggregate: { where: { LOCATION: 'Elm' }, count: true } }],
      ),
      question('extreme', 'Which event starts last, and when?', all(stamp(last.start)), [{ aggregate: { max: 'DTSTART' } }]),
      question('needle', 'Which time zone is it in?', all('Europe/Oslo'), [{ query: 'TIMEZONE' }]),
      { ...question('absence', 'Is anything in the room Pine?', [], [{ query: 'Pine' }]), ...absent(byRoom) },
    ],
  }
}
