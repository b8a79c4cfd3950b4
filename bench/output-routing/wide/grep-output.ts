import type { BenchOutput } from '../bench-output.ts'
import { all, nothing, question } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { coined, countBy, inside, mostOf, tally, times } from './shared.ts'

/** What a search in source code prints: path, line number, text. */
export function grepOutput(seed: number): BenchOutput {
  const random = randomOf(seed)
  const files = times(
    120,
    () => `src/${random.pick(['api', 'web', 'jobs', 'lib'])}/${coined(random, 2)}.${random.pick(['ts', 'ts', 'py', 'go'])}`,
  )
  const hits = files.flatMap((file) => {
    let line = 0
    return times(random.int(4, 22), () => ({
      file,
      line: (line += random.int(3, 60)),
      text: `${' '.repeat(random.int(0, 3) * 2)}${random.pick(['const', 'let', 'return', 'await'])} ${coined(random, 2)} = config.${random.pick(['timeout', 'retries', 'baseUrl', 'region'])}${random.pick([' ?? 0', '', ' || fallback', ' // TODO'])}`,
    }))
  })
  const hard = inside(random, hits)
  const secret = `sk_live_${random.hex(12)}`
  hard.text = `const key = config.apiKey ?? '${secret}'`
  const todo = inside(random, hits)
  const who = coined(random, 2)
  todo.text = `config.timeout = 0 // FIXME(${who}): never give up while printing labels`
  const asked = inside(random, hits)
  const perFile = countBy(hits, (hit) => hit.file)
  const [file, most] = mostOf(perFile)
  const retries = hits.filter((hit) => hit.text.includes('config.retries')).length
  const goes = hits.filter((hit) => hit.file.endsWith('.go')).length
  const folders = countBy(hits, (hit) => hit.file.split('/')[1] ?? '')
  return {
    name: 'grep output',
    task: 'We want to rename the settings object. Where is it used?',
    text: hits.map((hit) => `${hit.file}:${hit.line}:${hit.text}`).join('\n'),
    questions: [
      question('needle', 'Is a secret written into the code?', all(secret), [{ query: 'key' }, { query: 'apiKey' }]),
      question('needle', 'In which file is that secret?', [[secret], [`${hard.file}:${hard.line}`, hard.file]], [{ query: 'apiKey' }]),
      question('needle', 'Who left a FIXME about labels?', all(`FIXME(${who})`), [{ query: 'FIXME' }]),
      question(
        'group',
        'Which file uses config most often?',
        [tally(file, most)],
        [{ aggregate: { groupBy: 'file', count: true } }, { aggregate: { groupBy: 'path', count: true } }],
      ),
      question('total', 'How often is config.retries used?', [tally('config.retries', retries)], [{ query: 'config.retries' }]),
      question(
        'total',
        'How many hits are there in all?',
        [[...tally('rows', hits.length), `${hits.length} hits`, `${hits.length} records`]],
        [{ query: 'config' }, { aggregate: { count: true } }],
      ),
      question(
        'total',
        'In how many files?',
        [
          [
            ...tally('files', files.length),
            `${new Set(files).size} files`,
            `${new Set(files).size} values`,
            `${new Set(files).size} different`,
            `${new Set(files).size} distinct`,
          ],
        ],
        [{ aggregate: { distinct: 'file' } }, { aggregate: { distinct: 'path' } }],
      ),
      question('needle', `What stands in ${asked.file} on line ${asked.line}?`, all(asked.text.trim()), [
        { query: `${asked.file}:${asked.line}` },
      ]),
      question('group', 'How many hits are in the folder jobs?', [tally('jobs', folders['jobs'] ?? 0)], [{ query: 'src/jobs/' }]),
      question('group', 'How many hits are in Go files?', [tally('go', goes)], [{ query: '.go:' }]),
      question('absence', 'Is config.proxy used?', [nothing], [{ query: 'config.proxy' }]),
    ],
  }
}
