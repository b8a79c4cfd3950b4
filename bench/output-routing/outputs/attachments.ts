import type { BenchOutput } from '../bench-output.ts'
import { plant, randomOf } from '../random.ts'
import type { Random } from '../random.ts'
import { all, highest, iso, nothing, number, person, question, rarePerson, sumOf } from './shared.ts'

interface Attachment {
  id: string
  filename: string
  content_type: string
  size: number
  uploaded_by: string
  uploaded_at: string
  encoding: 'base64' | 'utf8'
  content: string
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const letters = alphabet.split('')
const notes = [
  'The claimant sent photos of the roof after the hail storm.',
  'The adjuster could not reach the attic and will come back with a ladder.',
  'The deductible of the policy applies to the roof and to the garage.',
  'The estimate of the roofer covers tiles, battens and two skylights.',
  'The garage door is dented, the photos show the lower panel.',
  'The claimant asks when the payment for the skylights will be made.',
]

export function claimAttachments(seed: number): BenchOutput {
  const random = randomOf(seed)
  const attachments = Array.from({ length: 46 }, (_, at) => attachmentAt(random, at))
  const policy = `HO-${random.int(1_000_000, 9_999_999)}-R`
  const ladder = rarePerson(random)
  const offer = random.int(11_000, 19_000)
  const raised = random.int(21_000, 29_000)
  const meter = `moisture ${random.int(1000, 9999)} ohm`
  const account = `NO${random.int(10, 99)} ${random.int(1000, 9999)} ${random.int(10, 99)} ${random.int(10000, 99999)}`
  const say = (filename: string, sentence: string) => plant(random, attachments, textFile(random, filename, sentence))
  say('policy-extract.txt', `The deductible of policy ${policy} is waived for hail on the garage door.`)
  say('visit-2.txt', `On the second visit ${ladder} held the ladder while the adjuster measured the attic.`)
  say('negotiation.txt', `The offer for the roof was raised from ${offer} to ${raised} after the estimate of the roofer.`)
  say('attic-survey.txt', `The reading in the attic beside the chimney was ${meter}, all others were dry.`)
  say('bank-details.txt', `The payment for the skylights goes to the account ${account}.`)
  const biggest = random.pick(attachments.slice(10, 30).filter((file) => file.encoding === 'base64'))
  biggest.size = random.int(8_000_000, 9_900_000)
  const later = attachments.map((file) => Date.parse(file.uploaded_at))
  const images = attachments.filter((file) => file.content_type === 'image/png')
  const largest = highest(attachments, (file) => file.size)
  const typeSum = (type: string) =>
    sumOf(
      attachments.filter((file) => file.content_type === type),
      (file) => file.size,
    )
  const path = (text: string) => ({ path: text })
  const last = attachments[later.indexOf(Math.max(...later))]
  const questions = [
    question('needle', 'For which policy is the deductible waived?', all(policy), [
      { query: 'deductible of policy waived for hail' },
      path("attachments[?filename=='policy-extract.txt'].content"),
    ]),
    question('needle', 'Who held the ladder on the second visit?', all(ladder), [
      { query: 'second visit held the ladder' },
      path("attachments[?filename=='visit-2.txt'].content"),
    ]),
    question('needle', 'What was the reading beside the chimney?', all(meter), [{ query: 'reading in the attic beside the chimney' }]),
    question('needle', 'To which account does the payment for the skylights go?', all(account), [
      { query: 'payment for the skylights account' },
    ]),
    question(
      'change',
      'From what to what was the offer for the roof raised?',
      [number(offer), number(raised)],
      [{ query: 'offer for the roof raised from to' }, path("attachments[?filename=='negotiation.txt'].content")],
    ),
    question(
      'total',
      'How large are all attachments together, by their size field?',
      [number(sumOf(attachments, (file) => file.size))],
      [path('sum(attachments[].size)'), { aggregate: { table: 'attachments', sum: 'size' } }],
    ),
    question(
      'extreme',
      'Which attachment is the largest, and how large?',
      [[largest.filename], number(largest.size)],
      [path('max_by(attachments, &size).[filename, size]'), { aggregate: { table: 'attachments', top: 'size' } }],
    ),
    question('extreme', 'Which attachment was uploaded last?', all(last?.filename ?? ''), [
      path('max_by(attachments, &uploaded_at).[filename, uploaded_at, uploaded_by]'),
      path('attachments[].[uploaded_at, filename]'),
    ]),
    question(
      'group',
      'How large are the PNG images together, and the JPEG images?',
      [number(sumOf(images, (file) => file.size)), number(typeSum('image/jpeg'))],
      [
        { aggregate: { table: 'attachments', groupBy: 'content_type', sum: 'size' } },
        path("[sum(attachments[?content_type=='image/png'].size), sum(attachments[?content_type=='image/jpeg'].size)]"),
      ],
    ),
    question(
      'absence',
      'Is there a video among the attachments?',
      [nothing],
      [{ aggregate: { table: 'attachments', where: { content_type: { contains: 'video' } }, count: true } }],
    ),
  ]
  const value = { claim: { number: `CL-${random.int(100000, 999999)}`, opened_at: '2026-04-02', state: 'in review' }, attachments }
  return { name: 'json-attachments', task: 'Sum up what the claim file says about the roof and the negotiation.', value, questions }
}

function attachmentAt(random: Random, at: number): Attachment {
  if (random.chance(0.35)) return textFile(random, `note-${at}-${random.hex(3)}.txt`, random.pick(notes))
  const type = random.pick(['png', 'png', 'jpeg'])
  const content = Array.from({ length: random.int(8_000, 40_000) }, () => random.pick(letters)).join('')
  const start = type === 'png' ? 'iVBORw0KGgoAAAANSUhEUgAA' : '/9j/4AAQSkZJRgABAQEASABI'
  return {
    ...about(random),
    filename: `photo-${at}-${random.hex(4)}.${type}`,
    content_type: `image/${type}`,
    size: random.int(90_000, 4_000_000),
    encoding: 'base64',
    content: `${start}${content}=`,
  }
}

function textFile(random: Random, filename: string, sentence: string): Attachment {
  const before = Array.from({ length: random.int(6, 30) }, () => random.pick(notes))
  before.splice(random.int(2, before.length), 0, sentence)
  const content = before.join(random.chance(0.5) ? '\n' : ' ')
  return { ...about(random), filename, content_type: 'text/plain', size: content.length, encoding: 'utf8', content }
}

function about(random: Random): Pick<Attachment, 'id' | 'uploaded_by' | 'uploaded_at'> {
  return {
    id: `att_${random.hex(10)}`,
    uploaded_by: person(random),
    uploaded_at: iso(Date.UTC(2026, 3, 3) + random.int(0, 2_000_000) * 1000),
  }
}
