import type { BenchOutput } from '../bench-output.ts'
import { all, nothing, person, question } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { coined, countBy, filler, inside, mostOf, tally, times } from './shared.ts'

/** Captions of a recorded call. */
export function captions(seed: number): BenchOutput {
  const random = randomOf(seed)
  const people = times(5, () => person(random))
  const clock = (seconds: number): string =>
    `${String(Math.floor(seconds / 3600)).padStart(2, '0')}:${String(Math.floor(seconds / 60) % 60).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}.000`
  let at = 0
  const cues = times(420, () => {
    at += random.int(3, 9)
    return { at, who: random.pick(people), text: filler(random, 16) }
  })
  const say = (text: string): (typeof cues)[number] => {
    const cue = inside(random, cues)
    cue.text = text
    return cue
  }
  const price = random.int(210, 980) * 100
  const offer = say(`We can offer the license for ${price} dollars a year.`)
  const date = `${random.int(2, 28)} of August`
  const launch = say(`The launch moves to the ${date} because of the audit.`)
  const vendor = coined(random, 3)
  const blocker = say(`We are blocked by ${vendor}, they have not signed.`)
  const action = say(`I will send the revised ${coined(random, 3)} plan by Thursday.`)
  const plan = action.text.split(' ')[5] ?? ''
  const [talker, most] = mostOf(countBy(cues, (cue) => cue.who))
  const asked = inside(
    random,
    cues.filter((cue) => ![offer, launch, blocker, action].includes(cue)),
  )
  const last = cues.at(-1)
  return {
    name: 'captions',
    task: 'Summarise the call and list what people promised.',
    text: [
      'WEBVTT',
      '',
      ...cues.flatMap((cue, index) => [
        String(index + 1),
        `${clock(cue.at)} --> ${clock(cue.at + 3)}`,
        `<v ${cue.who}>${cue.text}</v>`,
        '',
      ]),
    ].join('\n'),
    questions: [
      question('needle', 'What price was offered for the license?', all(String(price)), [{ query: 'license' }]),
      question('needle', 'Who offered it?', [[String(price)], [offer.who]], [{ query: 'license' }]),
      question('needle', 'To which date does the launch move?', all(date), [{ query: 'launch' }]),
      question('needle', 'At what time of the call was that said?', [[clock(launch.at)], [date]], [{ query: 'launch moves' }]),
      question('needle', 'Who blocks the project?', all(vendor), [{ query: 'blocked' }]),
      question('needle', 'What will be sent by Thursday, and by whom?', [[plan], [action.who]], [{ query: 'Thursday' }]),
      question(
        'group',
        'Who spoke most often, and how often?',
        [tally(talker, most)],
        [
          { query: talker },
          { aggregate: { groupBy: 'from', count: true } },
          { aggregate: { groupBy: 'speaker', count: true } },
          { aggregate: { groupBy: 'v', count: true } },
        ],
      ),
      question('needle', `What was said at ${clock(asked.at)}?`, all(asked.text), [{ query: clock(asked.at) }]),
      question('extreme', 'At what time does the recording end?', [[clock(last?.at ?? 0), clock((last?.at ?? 0) + 3)]], [{ query: '420' }]),
      question(
        'total',
        'How many people spoke?',
        [['5 values', '5 different', '5 people', '5 distinct', 'distinct 5']],
        [{ aggregate: { distinct: 'speaker' } }, { aggregate: { distinct: 'from' } }],
      ),
      question('absence', 'Was hiring mentioned?', [nothing], [{ query: 'hiring' }]),
    ],
  }
}
