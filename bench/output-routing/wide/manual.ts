import type { BenchOutput } from '../bench-output.ts'
import { all, nothing, question } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { coined, filler, inside, tally, times } from './shared.ts'

/** A long manual in Markdown: headings, tables of options, code, notes. */
export function manual(seed: number): BenchOutput {
  const random = randomOf(seed)
  const options = times(240, () => ({
    name: `${random.pick(['cache', 'queue', 'http', 'store'])}.${coined(random, 3)}`,
    type: random.pick(['int', 'bool', 'duration']),
    value: random.pick(['0', 'true', '30s', '5m', '16']),
    text: filler(random, 10),
  }))
  const asked = inside(random, options)
  asked.value = `${random.int(61, 99)}m`
  const removed = inside(random, options)
  const since = `5.${random.int(10, 40)}`
  removed.text = `Removed in ${since}; has no effect.`
  const sections = times(72, () => ({
    title: `${random.pick(['Configure', 'Operate', 'Extend', 'Secure'])} ${coined(random, 3)}`,
    text: times(10, () => filler(random, 22)).join(' '),
  }))
  const command = `depotctl rebalance --slots ${random.int(1100, 9900)}`
  const limit = random.int(110, 990)
  const danger = coined(random, 3)
  const s = (at: number, text: string): void => void (sections[at] && (sections[at].text += text))
  s(16, `\n\n\`\`\`sh\n${command}\n\`\`\``)
  s(31, `\n\n> **Warning:** Never delete the folder ${danger} while a backup runs.`)
  s(47, ` A cluster supports at most ${limit} nodes.`)
  s(60, ` The default administrator is called ${coined(random, 2)}-root.`)
  const admin = /called (\S+)-root/.exec(sections[60]?.text ?? '')?.[1] ?? ''
  const text = [
    '---',
    'title: Depot manual',
    `version: ${since}.2`,
    '---',
    '# Depot manual',
    '',
    ...sections.flatMap((each, at) => [
      `## ${at + 1}. ${each.title}`,
      '',
      each.text,
      '',
      ...(at % 3 === 1
        ? [
            '| option | type | default | meaning |',
            '|---|---|---|---|',
            ...options
              .slice(((at - 1) / 3) * 10, ((at - 1) / 3) * 10 + 10)
              .map((option) => `| \`${option.name}\` | ${option.type} | \`${option.value}\` | ${option.text} |`),
            '',
          ]
        : []),
    ]),
    '## Support',
    '',
    `Write to help@${coined(random, 2)}.example.`,
  ].join('\n')
  const mail = /Write to (\S+)\.$/.exec(text)?.[1] ?? ''
  return {
    name: 'manual',
    task: 'Read the manual and prepare the upgrade of our cluster.',
    text,
    questions: [
      question('needle', `What is the default of ${asked.name}?`, [[asked.name], [asked.value]], [{ query: asked.name }]),
      question('needle', 'Which option was removed?', all(removed.name), [{ query: 'Removed in' }]),
      question('needle', 'Since when?', all(`Removed in ${since}`), [{ query: 'Removed in' }]),
      question('needle', 'With which command does one rebalance?', all(command), [{ query: 'rebalance' }]),
      question('needle', 'What must never be deleted during a backup?', all(danger), [{ query: 'Warning' }, { query: 'never delete' }]),
      question('needle', 'How many nodes does a cluster support?', [[`${limit} nodes`]], [{ query: 'at most' }, { query: 'nodes' }]),
      question('needle', 'What is the default administrator called?', all(`${admin}-root`), [{ query: 'administrator' }]),
      question('needle', 'Which version is the manual for?', all(`${since}.2`), [{ query: 'version' }]),
      question('needle', 'What is section 14 about?', all(sections[13]?.title ?? ''), [{ query: '## 14.' }]),
      question('needle', 'Where can one get help?', all(mail), [{ query: 'Support' }, { query: 'help@' }]),
      question(
        'total',
        'How many options of the type duration are there?',
        [tally('duration', options.filter((each) => each.type === 'duration').length)],
        [{ query: '| duration |' }, { aggregate: { where: { type: 'duration' }, count: true } }],
      ),
      question('absence', 'Does the manual mention Windows?', [nothing], [{ query: 'Windows' }]),
    ],
  }
}
