import type { BenchOutput } from '../bench-output.ts'
import { plant, randomOf } from '../random.ts'
import type { Random } from '../random.ts'
import { all, highest, iso, nothing, number, question, rarePerson, sumOf } from './shared.ts'

interface Mail {
  from: string
  body: string[]
}

const writers = ['Ines Carvalho', 'Jonas Kessler', 'Tove Fjeld', 'Samir Haddad', 'Petra Novak']
const mailTalk: readonly ((random: Random) => string)[] = [
  (random) => `The hall is free on the ${random.int(3, 28)}th, but the stage crew needs a day before.`,
  (random) => `I asked the caterer for an offer for ${random.int(120, 400)} guests and have no answer yet.`,
  () => 'Could someone check whether the fire inspection covers the balcony as well?',
  () => 'The insurance wants the list of the stage crew, please send it to me.',
  (random) => `The sound desk was booked until ${random.int(18, 23)}:00, we should ask for another hour.`,
  () => 'The printer needs the programme by Friday, the cover is still missing.',
  () => 'I agree with the plan, let us speak about the deposit of the hall next week.',
]

export function mailThread(seed: number): BenchOutput {
  const random = randomOf(seed)
  const mails = Array.from({ length: 64 }, (): Mail => ({
    from: random.pick(writers),
    body: Array.from({ length: random.int(3, 8) }, () => random.pick(mailTalk)(random)),
  }))
  const door = `${random.int(1000, 9999)}#${random.int(10, 99)}`
  const inspector = rarePerson(random)
  const iban = `NL${random.int(10, 99)} HALL ${random.int(1000, 9999)} ${random.int(1000, 9999)}`
  const licence = `ML-${random.int(10000, 99999)}`
  const paper = `Munken ${random.int(1000, 9999)} cream`
  const parking = `bay ${random.int(1000, 9999)}`
  const [oldDeposit, newDeposit] = [random.int(1010, 1990), random.int(3010, 4990)]
  const say = (sentence: string) =>
    plant(random, mails, {
      from: random.pick(writers),
      body: [random.pick(mailTalk)(random), random.pick(mailTalk)(random), sentence, random.pick(mailTalk)(random)],
    })
  say(`The code of the back door of the hall is ${door}, please do not pass it on.`)
  say(`The fire inspection is done by ${inspector}, who also wants to see the balcony.`)
  say(`The deposit goes to ${iban}, with the date of the evening as the reference.`)
  say(`Our licence for the music has the number ${licence} and must hang beside the sound desk.`)
  say(`The printer recommends ${paper} for the programme because of the cover.`)
  say(`The van of the stage crew may stand in ${parking} behind the hall overnight.`)
  say(`They wrote that the deposit of the hall rises from ${oldDeposit} to ${newDeposit} euros.`)
  const offers = ['Brasserie Lune', 'Koch & Kessel', 'Zeevrucht', 'De Gouden Lepel', 'Mirto', 'Frituur Noord'].map((name) => ({
    name,
    price: random.int(4_100, 9_900),
  }))
  const table = [
    'The offers of the caterers, in euros:',
    '',
    'Caterer              Price',
    ...offers.map((offer) => `${offer.name.padEnd(20)} ${offer.price}`),
  ]
  plant(random, mails, { from: 'Tove Fjeld', body: table })
  const cheap = highest(offers, (offer) => -offer.price)
  const dear = highest(offers, (offer) => offer.price)
  const questions = [
    question('needle', 'What is the code of the back door?', all(door), [{ query: 'code of the back door of the hall' }]),
    question('needle', 'Who does the fire inspection?', all(inspector), [{ query: 'fire inspection is done by' }]),
    question('needle', 'To which account does the deposit go?', all(iban), [{ query: 'deposit goes to account reference' }]),
    question('needle', 'Which number has the licence for the music?', all(licence), [{ query: 'licence for the music number' }]),
    question('needle', 'Which paper does the printer recommend?', all(paper), [{ query: 'printer recommends programme paper' }]),
    question('needle', 'Where may the van of the stage crew stand overnight?', all(parking), [
      { query: 'van of the stage crew overnight' },
    ]),
    question('change', 'How does the deposit of the hall change?', all(`from ${oldDeposit} to ${newDeposit}`), [
      { query: 'deposit of the hall rises from to euros' },
    ]),
    question(
      'extreme',
      'Which caterer made the lowest offer, and for how much?',
      [[cheap.name], number(cheap.price)],
      [{ query: 'offers of the caterers price euros' }],
    ),
    question(
      'extreme',
      'Which caterer is the dearest, and what is the price?',
      [[dear.name], number(dear.price)],
      [{ query: 'offers of the caterers price euros' }],
    ),
    question('absence', 'Does anyone write about fireworks?', [nothing], [{ query: 'fireworks' }]),
  ]
  const text = mails.map((mail, at) => mailText(mail, mails[at - 1], at)).join('\n')
  return { name: 'mail-thread', task: 'What do I have to know about the hall and its deposit before the evening?', text, questions }
}

function mailText(mail: Mail, before: Mail | undefined, at: number): string {
  const time = new Date(Date.UTC(2026, 5, 1, 8) + at * 9_000_000).toUTCString().replace('GMT', '+0000')
  const address = `${mail.from.toLowerCase().replace(' ', '.')}@lantern-society.example`
  const quoted = before?.body.slice(0, 2).map((line) => `> ${line}`) ?? []
  return [
    `From: ${mail.from} <${address}>`,
    `Date: ${time}`,
    `Subject: ${at === 0 ? '' : 'Re: '}Summer evening`,
    `Message-ID: <${at}.${at * 7919}@lantern-society.example>`,
    '',
    ...mail.body,
    '',
    ...(before === undefined ? [] : [`${before.from} wrote:`, ...quoted]),
    '',
    '--',
    mail.from,
    'Lantern Society, Canal Street 12',
    '',
  ].join('\n')
}

interface Message {
  ts: string
  user: string
  text: string
  reply_count?: number
  reactions?: { name: string; count: number }[]
  files?: { name: string; filetype: string; size: number }[]
}

const chatTalk: readonly ((random: Random) => string)[] = [
  (random) => `the nightly import took ${random.int(11, 58)} minutes again`,
  (random) => `can someone look at <#C04${random.hex(4)}|alerts>, the replica lags by ${random.int(2, 40)} s`,
  (random) => `merged PR ${random.int(100, 999)}, the migration runs on staging now`,
  () => 'who is on call tonight? the pager went off twice',
  () => 'the dashboard of the import shows nothing, is it the token again?',
  () => ':+1: done, the runbook has it now',
  (random) => `rolled back to build ${random.int(100, 999)}, the replica is fine`,
]

export function chatExport(seed: number): BenchOutput {
  const random = randomOf(seed)
  const users = ['amara', 'dmitri', 'katya', 'lorenzo', 'noor', 'quentin']
  const messages = Array.from({ length: 2200 }, () => messageOf(random, users))
  const vault = `kv/import/${random.hex(8)}`
  const vendor = rarePerson(random)
  const flag = `FF_${random.hex(6).toUpperCase()}`
  const snapshot = `snap-${random.hex(10)}`
  const badge = `ticket ${random.int(20000, 99999)}`
  const [oldLag, newLag] = [random.int(1100, 1900), random.int(4100, 6900)]
  const say = (text: string) => plant(random, messages, { ...messageOf(random, users), text })
  say(`the new token of the import lives at ${vault}, the old path is gone`)
  say(`the vendor's contact for the replica is ${vendor}, call only after midnight`)
  say(`please never switch ${flag} on in production, it drops the staging tables`)
  say(`restored the dashboard from ${snapshot}, the runbook was wrong`)
  say(`the pager bill is disputed in ${badge}, nothing to do for us`)
  say(`raised the alert limit of the lag from ${oldLag} to ${newLag} ms`)
  messages.forEach((message, at) => (message.ts = `${1_772_000_000 + at * 311}.${String(random.int(1, 999_999)).padStart(6, '0')}`))
  const loud = random.pick(messages.slice(700, 1700))
  loud.text = `postmortem of the ${random.int(1000, 9999)} minute outage, please read`
  loud.reply_count = random.int(1100, 1900)
  const files = messages.flatMap((message) => message.files ?? [])
  const size = (type: string) =>
    sumOf(
      files.filter((file) => file.filetype === type),
      (file) => file.size,
    )
  const most = highest(messages, (message) => message.reply_count ?? 0)
  const path = (text: string) => ({ path: text })
  const sizePath = (type: string) => `sum(messages[].files[?filetype=='${type}'][].size)`
  const questions = [
    question('needle', 'Where does the new token of the import live?', all(vault), [
      { query: 'new token of the import lives at' },
      path("messages[?contains(text, 'new token')].text"),
    ]),
    question('needle', "Who is the vendor's contact for the replica?", all(vendor), [{ query: "vendor's contact for the replica" }]),
    question('needle', 'Which flag must never be switched on in production?', all(flag), [{ query: 'never switch on in production flag' }]),
    question('needle', 'From which snapshot was the dashboard restored?', all(snapshot), [
      { query: 'restored the dashboard from' },
      path("messages[?contains(text, 'restored')].text"),
    ]),
    question('needle', 'In which ticket is the pager bill disputed?', all(badge), [{ query: 'pager bill disputed' }]),
    question('change', 'How was the alert limit of the lag changed?', all(`from ${oldLag} to ${newLag}`), [
      { query: 'raised the alert limit of the lag' },
    ]),
    question(
      'extreme',
      'Which message has the most replies, and how many?',
      [[most.text], number(most.reply_count ?? 0)],
      [path('max_by(messages[?reply_count], &reply_count)'), { aggregate: { table: 'messages', top: 'reply_count' } }],
    ),
    question(
      'total',
      'How large are all files of the export together?',
      [number(sumOf(files, (file) => file.size))],
      [path('sum(messages[].files[].size)'), { aggregate: { table: 'messages.files', sum: 'size' } }],
    ),
    question(
      'group',
      'How large are the csv files together, and how large the png files?',
      [number(size('csv')), number(size('png'))],
      [{ aggregate: { table: 'messages.files', groupBy: 'filetype', sum: 'size' } }, path(`[${sizePath('csv')}, ${sizePath('png')}]`)],
    ),
    question(
      'absence',
      'Did the user greta write anything?',
      [nothing],
      [{ aggregate: { table: 'messages', where: { user: 'greta' }, count: true } }],
    ),
  ]
  const value = {
    channel: { id: 'C04IMPORTS', name: 'data-imports', created: iso(1_700_000_000_000) },
    exported_at: iso(1_773_000_000_000),
    messages,
  }
  return { name: 'chat-export', task: 'Sum up what the team found out about the slow nightly import.', value, questions }
}

function messageOf(random: Random, users: readonly string[]): Message {
  const message: Message = { ts: '', user: random.pick(users), text: random.pick(chatTalk)(random) }
  if (random.chance(0.1)) message.reply_count = random.int(1, 30)
  if (random.chance(0.12)) message.reactions = [{ name: random.pick(['eyes', 'tada', 'pray']), count: random.int(1, 9) }]
  if (random.chance(0.06)) message.files = Array.from({ length: random.int(1, 2) }, () => fileOf(random))
  return message
}

function fileOf(random: Random): { name: string; filetype: string; size: number } {
  const filetype = random.pick(['csv', 'png', 'sql'])
  return { name: `${random.pick(['import', 'replica', 'lag'])}-${random.hex(4)}.${filetype}`, filetype, size: random.int(900, 900_000) }
}
