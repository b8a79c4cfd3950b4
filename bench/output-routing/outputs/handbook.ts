import type { BenchOutput } from '../bench-output.ts'
import { randomOf } from '../random.ts'
import type { Random } from '../random.ts'
import { all, highest, nothing, number, question, rarePerson, sumOf } from './shared.ts'

const chapters = [
  'Working time',
  'Travel',
  'Equipment',
  'Parental leave',
  'Security',
  'Expenses',
  'Training',
  'Remote work',
  'Sickness',
  'Sabbatical',
  'Hiring',
  'Feedback',
  'Data protection',
  'Emergencies',
  'Leaving',
]
const topics = ['request', 'approval', 'budget', 'laptop', 'badge', 'receipt', 'mentor', 'absence', 'contract', 'deputy']
const rules: readonly ((random: Random) => string)[] = [
  (random) => `Every ${random.pick(topics)} goes to your lead at least ${random.int(2, 20)} days before.`,
  (random) => `The ${random.pick(topics)} is kept for ${random.int(2, 10)} years and then deleted by the people team.`,
  (random) => `If the ${random.pick(topics)} is lost, tell the service desk within ${random.int(1, 48)} hours.`,
  (random) => `Your deputy signs the ${random.pick(topics)} while you are away.`,
  (random) => `Without the ${random.pick(topics)} no expense is paid, however small it is.`,
  (random) => `The budget for the ${random.pick(topics)} is set each spring and does not roll over.`,
]

interface Allowance {
  city: string
  tier: string
  hotel: number
  yearly: number
}

export function handbook(seed: number): BenchOutput {
  const random = randomOf(seed)
  const cities = [
    'Oslo',
    'Lisbon',
    'Tallinn',
    'Dublin',
    'Vienna',
    'Zagreb',
    'Turin',
    'Ghent',
    'Aarhus',
    'Sofia',
    'Porto',
    'Graz',
    'Bergen',
    'Leipzig',
    'Cork',
    'Split',
  ]
  const allowances = cities.map((city): Allowance => ({
    city,
    tier: random.pick(['high', 'low']),
    hotel: random.int(90, 240),
    yearly: random.int(1200, 7800),
  }))
  const safe = `${random.int(1000, 9999)}-${random.int(1000, 9999)}`
  const officer = rarePerson(random)
  const form = `PT-${random.int(1000, 9999)}`
  const insurer = `Policy ${random.int(100000, 999999)}-TR`
  const wifi = `guest-${random.hex(6)}`
  const donor = `blood donor day ${random.int(1000, 9999)}`
  const [oldBudget, newBudget] = [random.int(1010, 1490), random.int(2510, 3490)]
  const planted: Record<string, string[]> = {
    Emergencies: [`The spare keys of the archive are in the safe with the number ${safe}.`],
    'Data protection': [`Questions of a customer about deletion go to ${officer}, never to the service desk.`],
    'Parental leave': [`A second absence in the same year needs the form ${form} with the signature of your deputy.`],
    Travel: [`A lost suitcase is reported under ${insurer} before you leave the airport.`],
    Security: [`The badge of a visitor opens only the network ${wifi}.`],
    Training: [`The budget for training was raised from ${oldBudget} to ${newBudget} euros a year in April 2026.`],
    Sickness: [`For a donation of blood you get half a day off, booked as ${donor}.`],
  }
  const body = chapters.map((chapter, at) => `## ${at + 1} ${chapter}\n\n${sections(random, at + 1, planted[chapter] ?? [])}`)
  const table = `| City | Tier | Hotel per night | Yearly allowance |\n| --- | --- | ---: | ---: |\n${allowances.map((row) => `| ${row.city} | ${row.tier} | ${row.hotel} | ${row.yearly} |`).join('\n')}\n`
  body.splice(6, 0, `### Allowances by city\n\n${table}`)
  const tier = (name: string) =>
    sumOf(
      allowances.filter((row) => row.tier === name),
      (row) => row.yearly,
    )
  const most = highest(allowances, (row) => row.yearly)
  const text = `# Handbook of Larkspur Cooperative\n\nThis handbook holds for everyone with a contract.\n\n${body.join('\n')}`
  const line = 1 + text.split('\n').findIndex((found) => found.includes(wifi))
  const questions = [
    question('needle', 'Which number has the safe with the spare keys of the archive?', all(safe), [
      { query: 'spare keys of the archive safe number' },
    ]),
    question('needle', 'To whom do questions of a customer about deletion go?', all(officer), [
      { query: 'questions of a customer about deletion' },
    ]),
    question('needle', 'Which form does a second absence in the same year need?', all(form), [
      { query: 'second absence in the same year form' },
    ]),
    question('needle', 'Under what is a lost suitcase reported?', all(insurer), [{ query: 'lost suitcase reported airport' }]),
    question('needle', `Which network does line ${line} name?`, all(wifi), [
      { range: [line, line] },
      { query: 'badge of a visitor network' },
    ]),
    question('needle', 'How is the half day off for a donation of blood booked?', all(donor), [
      { query: 'donation of blood half a day off booked as' },
    ]),
    question('change', 'How was the budget for training changed?', all(`from ${oldBudget} to ${newBudget}`), [
      { query: 'budget for training raised' },
    ]),
    question(
      'extreme',
      'Which city has the highest yearly allowance, and how much?',
      [[`${most.city} | ${most.tier}`, `${most.city}`], number(most.yearly)],
      [{ aggregate: { top: 'Yearly allowance' } }, { query: 'Allowances by city yearly allowance' }],
    ),
    question(
      'group',
      'What do the yearly allowances of the high tier and of the low tier add up to?',
      [number(tier('high')), number(tier('low'))],
      [{ aggregate: { groupBy: 'Tier', sum: 'Yearly allowance' } }],
    ),
    question(
      'absence',
      'Is there an allowance for the city Madrid?',
      [nothing],
      [{ aggregate: { where: { City: 'Madrid' }, count: true } }, { query: 'Madrid' }],
    ),
  ]
  return { name: 'markdown-handbook', task: 'What must I do when I travel for work and lose something?', text, questions }
}

function sections(random: Random, chapter: number, planted: readonly string[]): string {
  const paragraphs = Array.from({ length: 14 }, (_, at) => {
    const heading = at % 4 === 0 ? `### ${chapter}.${at / 4 + 1} On the ${random.pick(topics)}\n\n` : ''
    const sentences = Array.from({ length: random.int(3, 6) }, () => random.pick(rules)(random))
    if (at === 9) sentences.splice(2, 0, ...planted)
    return heading + (random.chance(0.25) ? sentences.map((sentence) => `- ${sentence}`).join('\n') : sentences.join(' ')) + '\n'
  })
  return paragraphs.join('\n')
}
