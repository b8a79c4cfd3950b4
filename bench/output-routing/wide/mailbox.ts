import type { BenchOutput } from '../bench-output.ts'
import { all, highest, nothing, person, question } from '../outputs/shared.ts'
import { plant, randomOf } from '../random.ts'
import { coined, countBy, filler, inside, mostOf, tally, times } from './shared.ts'

const START = Date.UTC(2026, 3, 7, 9)

/** A mailbox: headers, quoted answers, signatures. */
export function mailbox(seed: number): BenchOutput {
  const random = randomOf(seed)
  const people = times(7, () => person(random))
  const address = (name: string): string => `${name} <${name.split(' ')[0]?.toLowerCase()}@${random.pick(['north', 'south'])}.example>`
  const mails = times(60, (at) => ({
    from: random.pick(people),
    to: random.pick(people),
    date: new Date(START + at * 20_000_000 + random.int(0, 9_000_000)),
    subject: `${random.chance(0.5) ? 'Re: ' : ''}${random.pick(['Roof', 'Parking', 'Heating', 'Garden'])} ${coined(random, 2)}`,
    body: times(9, () => filler(random, 18)),
    files: random.chance(0.15) ? [`${coined(random, 2)}.pdf`] : [],
  }))
  const put = (text: string): (typeof mails)[number] => {
    const mail = inside(random, mails)
    plant(random, mail.body, text)
    return mail
  }
  const quote = `${random.int(11, 97)} ${random.int(100, 999)} kroner`
  const roof = put(`The roofer wants ${quote} for both sides.`)
  const plate = `${coined(random, 1).toUpperCase()} ${random.int(10_000, 99_999)}`
  put(`A car with the plate ${plate} stands in front of the gate.`)
  const code = random.int(100_000, 999_999)
  const door = put(`The code of the cellar door is now ${code}.`)
  const iban = `NO${random.int(10, 99)} ${random.int(1000, 9999)} ${random.int(1000, 9999)} ${random.int(100, 999)}`
  put(`Please pay to ${iban} this time.`)
  const bySender = countBy(mails, (mail) => mail.from)
  const [sender, most] = mostOf(bySender)
  const asked = inside(random, mails)
  const attached = inside(random, mails)
  attached.files = [`minutes-${random.hex(4)}.docx`]
  const text = mails
    .map((mail, at) =>
      [
        `From: ${address(mail.from)}`,
        `To: ${address(mail.to)}`,
        `Date: ${mail.date.toUTCString().replace('GMT', '+0000')}`,
        `Subject: ${mail.subject}`,
        `Message-ID: <${random.hex(10)}@mail.example>`,
        ...mail.files.map((file) => `X-Attachment: ${file}`),
        '',
        ...mail.body,
        '',
        ...(at > 0 ? ['On an earlier day somebody wrote:', ...(mails[at - 1]?.body.slice(0, 3) ?? []).map((line) => `> ${line}`)] : []),
        '-- ',
        mail.from,
        '',
      ].join('\n'),
    )
    .join('\n')
  const latest = highest(mails, (mail) => mail.date.getTime())
  return {
    name: 'mailbox',
    task: 'What do the owners of the house disagree about?',
    text,
    questions: [
      question('needle', 'What does the roofer want?', all(quote), [{ query: 'roofer' }]),
      question('needle', 'Who wrote about the roofer?', [[roof.from], [quote]], [{ query: 'roofer' }]),
      question('needle', 'Which car stands in front of the gate?', all(plate), [{ query: 'plate' }]),
      question('needle', 'What is the code of the cellar door?', all(String(code)), [{ query: 'cellar door' }]),
      question(
        'needle',
        'On which day was the code sent?',
        [[String(code)], [door.date.toUTCString().slice(5, 16), door.date.toISOString().slice(0, 10)]],
        [{ query: 'cellar door' }],
      ),
      question('needle', 'To which account should one pay?', all(iban), [{ query: 'pay to' }]),
      question(
        'group',
        'Who wrote the most mails, and how many?',
        [[...tally(sender, most), ...tally(`${sender} <${sender.split(' ')[0]?.toLowerCase()}@north.example>`, most)]],
        [{ aggregate: { groupBy: 'from', count: true } }, { query: `From: ${sender}` }],
      ),
      question(
        'total',
        'How many mails are there?',
        [[...tally('rows', mails.length), `${mails.length} messages`, `${mails.length} mails`, `${mails.length} records`]],
        [{ query: 'Message-ID' }, { aggregate: { count: true } }],
      ),
      question('needle', 'Which minutes were attached?', all(attached.files[0] ?? ''), [{ query: 'minutes' }, { query: 'Attachment' }]),
      question(
        'extreme',
        'What is the subject of the latest mail?',
        [[latest.subject], [latest.date.toUTCString().slice(5, 16), latest.date.toISOString().slice(0, 10)]],
        [{ aggregate: { max: 'date' } }],
      ),
      question('needle', `Who sent "${asked.subject}"?`, [[asked.subject], [asked.from]], [{ query: asked.subject }]),
      question('absence', 'Did anybody write about bicycles?', [nothing], [{ query: 'bicycle' }]),
    ],
  }
}
