import type { BenchOutput } from '../bench-output.ts'
import { all, nothing, person, question } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { coined, filler, times } from './shared.ts'

/** A contract: numbered clauses in plain prose. */
export function contract(seed: number): BenchOutput {
  const random = randomOf(seed)
  const parties = [`${coined(random, 3)} Holdings Ltd`, `${coined(random, 3)} Studios GmbH`]
  const titles = [
    'Definitions',
    'Services',
    'Fees',
    'Payment',
    'Term',
    'Termination',
    'Confidentiality',
    'Liability',
    'Data protection',
    'Audit',
    'Insurance',
    'Assignment',
    'Notices',
    'Governing law',
    'Force majeure',
    'Entire agreement',
  ]
  const fee = random.int(110, 980) * 1000 + 450
  const interest = `${random.int(3, 9)}.${random.int(1, 9)} percent`
  const months = random.int(14, 46)
  const cap = random.int(2, 9) * 1_000_000 + 250_000
  const court = `courts of ${coined(random, 2)}ville`
  const notice = random.int(41, 119)
  const officer = person(random)
  const audits = random.int(15, 29)
  const cover = random.int(11, 19) * 100_000
  const planted: Record<string, string> = {
    Fees: `The Client shall pay an annual fee of EUR ${fee.toLocaleString('en-US')} plus value added tax.`,
    Payment: `Late payments bear interest at ${interest} per year.`,
    Term: `This Agreement begins on 1 October 2026 and runs for ${months} months.`,
    Termination: `Either party may terminate by written notice of ${notice} days.`,
    Liability: `The total liability of the Supplier shall not exceed EUR ${cap.toLocaleString('en-US')}.`,
    'Data protection': `The data protection officer is ${officer}.`,
    Audit: `The Client may audit the premises upon ${audits} working days of notice.`,
    Insurance: `The Supplier keeps a cover of at least EUR ${cover.toLocaleString('en-US')} per claim.`,
    'Governing law': `The ${court} have exclusive jurisdiction.`,
  }
  const clauses = titles.flatMap((title, at) => {
    const subs = times(14, (index) => `${at + 1}.${index + 1} ${times(4, () => filler(random, 26)).join(' ')}`)
    const fact = planted[title]
    if (fact !== undefined) subs[random.int(3, 11)] += ` ${fact}`
    return [`${at + 1}. ${title.toUpperCase()}`, '', ...subs.flatMap((sub) => [sub, ''])]
  })
  return {
    name: 'contract',
    task: 'Read this contract for us and name the risks.',
    text: [
      'MASTER SERVICES AGREEMENT',
      '',
      `between ${parties[0]} (the "Client") and ${parties[1]} (the "Supplier")`,
      '',
      ...clauses,
      `Signed at ${coined(random, 2)}berg on 22 September 2026`,
    ].join('\n'),
    questions: [
      question('needle', 'Who is the supplier?', all(parties[1] ?? ''), [{ query: 'the "Supplier"' }]),
      question('needle', 'What is the annual fee?', [[fee.toLocaleString('en-US')]], [{ query: 'annual fee' }]),
      question('needle', 'What interest do late payments bear?', all(interest), [{ query: 'interest' }]),
      question('needle', 'How long does the agreement run?', [[`${months} months`]], [{ query: 'months' }, { query: 'runs for' }]),
      question('needle', 'What is the notice period of termination?', [[`notice of ${notice} days`]], [{ query: 'terminate' }]),
      question(
        'needle',
        'What is the cap on liability?',
        [[cap.toLocaleString('en-US')]],
        [{ query: 'liability' }, { query: 'total liability' }],
      ),
      question('needle', 'Who is the data protection officer?', all(officer), [{ query: 'data protection officer' }]),
      question('needle', 'How much notice does an audit need?', [[`${audits} working days`]], [{ query: 'audit' }]),
      question('needle', 'Which courts have jurisdiction?', all(court), [{ query: 'jurisdiction' }]),
      question(
        'needle',
        'How high is the insurance cover?',
        [[cover.toLocaleString('en-US')]],
        [{ query: 'cover of at least' }, { query: 'cover' }],
      ),
      question('needle', 'When was it signed?', all('22 September 2026'), [{ query: 'Signed' }]),
      question('absence', 'Is arbitration agreed?', [nothing], [{ query: 'arbitration' }]),
    ],
  }
}
