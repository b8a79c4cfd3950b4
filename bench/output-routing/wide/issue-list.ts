import type { BenchOutput } from '../bench-output.ts'
import { all, iso, number, question, sumOf } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { absent, coined, countBy, filler, inside, lowest, mostOf, skewed, tally, times } from './shared.ts'

const START = Date.UTC(2026, 2, 3, 6)

/** A page of a tracker's REST list with nested objects. */
export function issueList(seed: number): BenchOutput {
  const random = randomOf(seed)
  const logins = times(18, () => coined(random, 3))
  const labels = ['bug', 'docs', 'performance', 'good first issue', 'needs triage', 'security', 'regression']
  const items = times(260, (at) => {
    const isOpen = random.chance(0.6)
    return {
      id: 880_000_000 + at * 7 + random.int(0, 5),
      number: 9120 - at * 3 - random.int(0, 2),
      title: `${random.pick(['Crash', 'Slow start', 'Wrong rounding', 'Memory leak', 'Broken link', 'Flaky check'])} in ${coined(random, 3)} when ${random.pick(['offline', 'resized', 'idle', 'upgraded', 'printing'])}`,
      state: isOpen ? 'open' : 'closed',
      state_reason: isOpen ? null : random.chance(0.7) ? 'completed' : 'not_planned',
      user: { login: random.pick(logins), id: random.int(1000, 99_999), type: random.chance(0.9) ? 'User' : 'Bot' },
      labels: times(random.int(0, 3), () => ({ name: random.pick(labels), color: random.hex(6) })),
      assignee: random.chance(0.4) ? { login: random.pick(logins.slice(0, 6)) } : null,
      milestone: random.chance(0.2) ? { title: 'v4.2', due_on: '2026-06-19T00:00:00Z' } : null,
      comments: skewed(random, 1, 40),
      locked: false,
      active_lock_reason: null as string | null,
      created_at: iso(START - at * 9_000_000 - random.int(0, 8_000_000)),
      reactions: { total_count: random.int(0, 30), '+1': random.int(0, 20), heart: random.int(0, 5) },
      body: filler(random, 30),
    }
  })
  const busiest = inside(random, items)
  busiest.comments = random.int(300, 900)
  const locked = inside(random, items)
  Object.assign(locked, { locked: true, active_lock_reason: 'too heated' })
  const asked = inside(random, items)
  const planted = inside(random, items)
  const version = `${random.int(11, 40)}.${random.int(0, 9)}.${random.int(10, 99)}-rc`
  planted.body = `Since the upgrade to ${version} the preview stays blank on tablets. ${filler(random, 20)}`
  const labelled = countBy(
    items.flatMap((item) => [...new Set(item.labels.map((label) => label.name))]),
    (name) => name,
  )
  const assigned = countBy(
    items.flatMap((item) => (item.assignee === null ? [] : [item.assignee.login])),
    (login) => login,
  )
  const [assignee, most] = mostOf(assigned)
  const oldest = lowest(items, (item) => Date.parse(item.created_at))
  const cursor = random.hex(24)
  const comments = sumOf(items, (item) => item.comments)
  const states = countBy(items, (item) => item.state)
  return {
    name: 'issue list',
    task: 'Look through the open issues of the repository and say what needs attention.',
    value: { total_count: 1893, incomplete_results: false, items, next: `https://tracker.example/api/issues?after=${cursor}&per_page=260` },
    questions: [
      question('needle', `What is the title of issue ${asked.number}?`, all(asked.title), [
        { query: String(asked.number) },
        { path: `items[?number==\`${asked.number}\`].title` },
      ]),
      question(
        'total',
        'How many of the listed issues are open?',
        [tally('open', states['open'] ?? 0)],
        [{ aggregate: { where: { state: 'open' }, count: true } }],
      ),
      question(
        'extreme',
        'Which issue has the most comments, and how many?',
        [[String(busiest.number), busiest.title], [String(busiest.comments)]],
        [{ aggregate: { top: 'comments' } }],
      ),
      question(
        'group',
        'How many issues carry the label security?',
        [tally('security', labelled['security'] ?? 0)],
        [
          { aggregate: { where: { 'labels.name': 'security' }, count: true } },
          { path: "length(items[?labels[?name=='security']])" },
          { query: '"security"' },
        ],
      ),
      question(
        'group',
        'Who is assigned to the most issues, and to how many?',
        [tally(assignee, most)],
        [{ aggregate: { groupBy: 'assignee.login', count: true } }],
      ),
      question('extreme', 'When was the oldest issue of this page created?', all(oldest.created_at), [
        { aggregate: { min: 'created_at' } },
      ]),
      question('needle', 'When is the milestone v4.2 due?', [['2026-06-19']], [{ query: 'v4.2' }]),
      {
        ...question(
          'absence',
          'Is any issue in the state merged?',
          [],
          [{ aggregate: { where: { state: 'merged' }, count: true } }, { query: 'merged' }],
        ),
        ...absent(states),
      },
      question('needle', 'What is the link to the next page?', all(cursor), [{ path: 'next' }, { query: 'next' }]),
      question('total', 'How many comments do these issues have together?', [number(comments)], [{ aggregate: { sum: 'comments' } }]),
      question(
        'needle',
        'Which issue was locked, and why?',
        [[String(locked.number), locked.title], ['too heated']],
        [{ aggregate: { where: { locked: true } } }, { query: 'too heated' }],
      ),
      question('needle', 'Since which version does the preview stay blank on tablets?', all(version), [
        { query: 'preview stays blank tablets' },
      ]),
      question(
        'total',
        'How many issues are there in the tracker in total?',
        [
          [
            'total_count 1893',
            'total_count: 1893',
            'total_count":1893',
            'total_count=1893',
            '1,893',
            'total_count | 1893',
            'total_count 1,893',
          ],
        ],
        [{ path: 'total_count' }],
      ),
    ],
  }
}
