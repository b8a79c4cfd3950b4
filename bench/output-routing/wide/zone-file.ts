import type { BenchOutput } from '../bench-output.ts'
import { all, nothing, question } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { coined, countBy, inside, tally, times } from './shared.ts'

/** The records of a domain. */
export function zoneFile(seed: number): BenchOutput {
  const random = randomOf(seed)
  const domain = `${coined(random, 3)}.example`
  const records = times(1200, () => {
    const type = random.pick(['A', 'A', 'A', 'AAAA', 'CNAME', 'TXT'])
    const name = `${coined(random, 3)}.${random.pick(['prod', 'stage', 'dev'])}`
    const value =
      type === 'A'
        ? `10.${random.int(1, 250)}.${random.int(1, 250)}.${random.int(1, 250)}`
        : type === 'AAAA'
          ? `2001:db8::${random.hex(4)}:${random.hex(4)}`
          : type === 'CNAME'
            ? `${coined(random, 3)}.${domain}.`
            : `"owner=${coined(random, 2)}"`
    return { name, ttl: random.pick([300, 300, 3600]), type: type as string, value }
  })
  const long = inside(random, records)
  long.ttl = 604_800
  const serial = 2_026_000_000 + random.int(1, 99_999)
  const delegated = inside(random, records)
  Object.assign(delegated, { type: 'NS', value: `ns7.${coined(random, 2)}.example.` })
  const verify = random.hex(20)
  const proof = inside(random, records)
  Object.assign(proof, { type: 'TXT', value: `"site-verification=${verify}"` })
  const asked = inside(
    random,
    records.filter((each) => each.type === 'A'),
  )
  const types = countBy(records, (each) => each.type)
  const mails = [`10 mx1.${coined(random, 2)}.example.`, `20 mx2.${coined(random, 2)}.example.`]
  const text = [
    `$ORIGIN ${domain}.`,
    '$TTL 300',
    `@\t3600\tIN\tSOA\tns1.${domain}. hostmaster.${domain}. ( ${serial} 7200 900 1209600 300 )`,
    `@\t3600\tIN\tNS\tns1.${domain}.`,
    ...mails.map((mail) => `@\t3600\tIN\tMX\t${mail}`),
    '; hosts',
    ...records.map((each) => `${each.name}\t${each.ttl}\tIN\t${each.type}\t${each.value}`),
  ].join('\n')
  return {
    name: 'zone file',
    task: 'Clean up the records of our domain.',
    text,
    questions: [
      question('needle', 'What is the serial of the zone?', all(String(serial)), [{ query: 'SOA' }]),
      question(
        'needle',
        'Which servers take the mail?',
        mails.map((mail) => [mail.slice(3, -1)]),
        [{ query: 'MX' }],
      ),
      question('needle', 'Which name is delegated elsewhere?', all(delegated.name, delegated.value), [
        { query: '\tNS\t' },
        { query: 'NS' },
      ]),
      question('needle', 'What is the token of the site verification?', all(verify), [{ query: 'site-verification' }]),
      question('extreme', 'Which record lives longest?', [[long.name], ['604800']], [{ aggregate: { top: 'ttl' } }, { query: '604800' }]),
      question('needle', `Which address has ${asked.name}?`, all(asked.name, asked.value), [{ query: asked.name }]),
      question('group', 'How many CNAME records are there?', [tally('CNAME', types['CNAME'] ?? 0)], [{ query: 'CNAME' }]),
      question(
        'group',
        'How many AAAA records are there?',
        [tally('AAAA', types['AAAA'] ?? 0)],
        [{ query: '\tAAAA\t' }, { query: 'AAAA' }],
      ),
      question(
        'group',
        'How many names are in stage?',
        [tally('stage', records.filter((each) => each.name.endsWith('.stage')).length)],
        [{ query: '.stage' }],
      ),
      question('needle', 'What is the default time to live?', all('$TTL 300'), [{ query: '$TTL' }]),
      question('absence', 'Is there a CAA record?', [nothing], [{ query: 'CAA' }]),
    ],
  }
}
