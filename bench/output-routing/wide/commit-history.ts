import type { BenchOutput } from '../bench-output.ts'
import { all, nothing, number, person, question, sumOf } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { coined, countBy, inside, mostOf, tally, times } from './shared.ts'

const START = Date.UTC(2026, 5, 1)

/** Commits with their files and numbers of lines. */
export function commitHistory(seed: number): BenchOutput {
  const random = randomOf(seed)
  const authors = times(8, () => person(random))
  const commits = times(230, (at) => ({
    sha: random.hex(40),
    author: random.pick(authors),
    date: new Date(START - at * 14_400_000 - random.int(0, 9_000_000)),
    subject: `${random.pick(['fix', 'feat', 'docs', 'chore', 'refactor'])}(${random.pick(['cart', 'auth', 'search', 'mail'])}): ${random.pick(['handle', 'simplify', 'rename', 'cover'])} ${coined(random, 3)}`,
    body: '',
    files: times(random.int(1, 4), () => ({
      added: random.int(0, 120),
      removed: random.int(0, 80),
      path: `packages/${random.pick(['core', 'web', 'api'])}/src/${coined(random, 2)}.ts`,
    })),
  }))
  const huge = inside(random, commits)
  huge.files = [{ added: random.int(11_000, 40_000), removed: random.int(0, 50), path: 'packages/core/src/generated.ts' }]
  const revert = inside(random, commits)
  const reverted = random.hex(40)
  revert.subject = `Revert "feat(cart): ${coined(random, 3)}"`
  revert.body = `This reverts commit ${reverted}.`
  const breaking = inside(random, commits)
  const option = coined(random, 3)
  breaking.body = `BREAKING CHANGE: the option ${option} is gone, use limits instead`
  const ticket = `OPS-${random.int(2000, 9999)}`
  const security = inside(random, commits)
  security.body = `Closes ${ticket}: tokens were logged in clear text`
  const asked = inside(random, commits)
  const byAuthor = countBy(commits, (commit) => commit.author)
  const [author, most] = mostOf(byAuthor)
  const added = sumOf(
    commits.flatMap((commit) => commit.files),
    (file) => file.added,
  )
  const text = commits
    .map((commit) =>
      [
        `commit ${commit.sha}`,
        `Author: ${commit.author} <${commit.author.split(' ')[0]?.toLowerCase()}@maker.example>`,
        `Date:   ${commit.date.toUTCString().replace(' GMT', ' +0000')}`,
        '',
        `    ${commit.subject}`,
        ...(commit.body === '' ? [] : ['', `    ${commit.body}`]),
        '',
        ...commit.files.map((file) => `${file.added}\t${file.removed}\t${file.path}`),
      ].join('\n'),
    )
    .join('\n\n')
  const first = commits.at(-1)
  return {
    name: 'commit history',
    task: 'Write the release notes from this history.',
    text,
    questions: [
      question(
        'group',
        'Who made the most commits, and how many?',
        [tally(author, most)],
        [{ aggregate: { groupBy: 'author', count: true } }],
      ),
      question(
        'extreme',
        'Which commit added the most lines?',
        [[huge.sha.slice(0, 7)], [String(huge.files[0]?.added)]],
        [{ aggregate: { top: 'added' } }, { query: 'generated.ts' }],
      ),
      question('needle', 'Which commit was reverted?', all(reverted), [{ query: 'This reverts commit' }, { query: 'revert' }]),
      question('needle', 'What is the breaking change?', all(option), [{ query: 'BREAKING CHANGE' }]),
      question('needle', 'Which ticket was about tokens in a log?', all(ticket), [{ query: 'tokens logged' }]),
      question('needle', `What is the subject of commit ${asked.sha.slice(0, 8)}?`, all(asked.subject), [{ query: asked.sha.slice(0, 8) }]),
      question(
        'total',
        'How many commits are there?',
        [[...tally('rows', commits.length), `${commits.length} commits`, `${commits.length} records`, `${commits.length} messages`]],
        [{ query: 'commit ' }, { aggregate: { count: true } }, { query: 'Author:' }],
      ),
      question(
        'extreme',
        'When was the first commit of the list made?',
        [[first?.date.toUTCString().slice(5, 25) ?? '', first?.date.toISOString().slice(0, 19) ?? '']],
        [{ aggregate: { min: 'date' } }],
      ),
      question('total', 'How many lines were added in all?', [number(added)], [{ aggregate: { sum: 'added' } }]),
      question(
        'group',
        'How many commits are fixes of the cart?',
        [tally('fix(cart)', commits.filter((commit) => commit.subject.startsWith('fix(cart)')).length)],
        [{ query: 'fix(cart)' }],
      ),
      question('absence', 'Did Zacharias commit anything?', [nothing], [{ query: 'Zacharias' }]),
    ],
  }
}
