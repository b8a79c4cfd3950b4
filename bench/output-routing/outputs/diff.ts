import type { BenchOutput } from '../bench-output.ts'
import { randomOf } from '../random.ts'
import type { Random } from '../random.ts'
import { all, highest, nothing, question, rarePerson, sumOf } from './shared.ts'

interface FileDiff {
  path: string
  head: string[]
  lines: string[]
}

const folders = ['services/billing', 'services/routing', 'lib/http', 'lib/cache', 'cmd/worker', 'internal/quota']
const nouns = ['invoice', 'retry', 'lease', 'quota', 'session', 'batch', 'cursor', 'budget']
const verbs = ['load', 'merge', 'flush', 'expire', 'resolve', 'encode']
const bodies: readonly ((random: Random) => string)[] = [
  (random) => `\t${random.pick(nouns)}, err := ${random.pick(verbs)}${camel(random)}(ctx, ${random.int(2, 90)})`,
  () => '\tif err != nil {',
  (random) => `\t\treturn fmt.Errorf("${random.pick(verbs)} ${random.pick(nouns)}: %w", err)`,
  () => '\t}',
  (random) => `\t// ${random.pick(nouns)} timeout is kept short, the retry limit covers the rest`,
  (random) => `\tlog.Debug("${random.pick(nouns)} ${random.pick(verbs)}d", "count", ${random.int(1, 99)})`,
  (random) => `\tconst default${camel(random)}Timeout = ${random.int(2, 60)} * time.Second`,
]

export function gitDiff(seed: number): BenchOutput {
  const random = randomOf(seed)
  const files = Array.from({ length: 40 }, (_, at) => fileDiff(random, at))
  const file = (low: number, high: number): FileDiff => random.pick(files.slice(low, high))
  const insert = (into: FileDiff, lines: readonly string[]) => into.lines.splice(random.int(12, into.lines.length - 4), 0, ...lines)
  const token = `tok_live_${random.hex(12)}`
  const reviewer = rarePerson(random)
  const [oldLimit, newLimit] = [random.int(1010, 1990), random.int(7010, 9990)]
  const gone = `reconcile${camel(random)}Ledger${random.hex(3)}`
  const todo = `QUOTA-${random.int(1000, 9999)}`
  const header = `X-Lease-${random.hex(5)}`
  const leaking = file(5, 9)
  insert(leaking, [`+\tconst sessionToken = "${token}" // for the staging session only`])
  insert(file(10, 14), [`+\t// the lease merge was checked by ${reviewer}, do not reorder`])
  insert(file(15, 19), [`-\tconst maxBatchRetries = ${oldLimit}`, `+\tconst maxBatchRetries = ${newLimit}`])
  insert(file(20, 24), [`-func ${gone}(ctx context.Context) error {`, '-\treturn nil', '-}'])
  insert(file(25, 29), [`+\t// TODO(${todo}): the cursor of an expired session is never flushed`])
  insert(file(30, 34), [`+\treq.Header.Set("${header}", lease.ID)`])
  const big = file(35, 38)
  for (let at = 0; at < 160; at++) insert(big, [`+${random.pick(bodies)(random)}`])
  const renamed = files[39] ?? big
  const before = `internal/quota/legacy_${random.hex(5)}.go`
  renamed.head = [
    `diff --git a/${before} b/${renamed.path}`,
    'similarity index 88%',
    `rename from ${before}`,
    `rename to ${renamed.path}`,
    `index ${random.hex(8)}..${random.hex(8)} 100644`,
  ]
  const added = (of: FileDiff) => of.lines.filter((line) => line.startsWith('+')).length
  const most = highest(files, added)
  const questions = [
    question('needle', 'Which secret token is added in the code?', all(token), [{ query: 'sessionToken tok_live' }]),
    question('needle', 'In which file is a session token added?', all(leaking.path, 'sessionToken'), [
      { query: 'sessionToken staging session' },
    ]),
    question('needle', 'Who checked the lease merge?', all(reviewer), [{ query: 'lease merge was checked by' }]),
    question('needle', 'Under which issue is the never flushed cursor noted?', all(todo), [
      { query: 'TODO cursor of an expired session never flushed' },
    ]),
    question('needle', 'Which header carries the identifier of the lease?', all(header), [{ query: 'req.Header.Set lease.ID' }]),
    question('needle', 'Which function that reconciles a ledger is removed?', all(gone), [{ query: 'func reconcile Ledger removed' }]),
    question('change', 'How does maxBatchRetries change?', all(`maxBatchRetries = ${oldLimit}`, `maxBatchRetries = ${newLimit}`), [
      { query: 'maxBatchRetries' },
    ]),
    question(
      'extreme',
      'Which file has the most added lines, and how many?',
      [[most.path], addedLines(added(most))],
      [{ aggregate: { top: 'added' } }, { aggregate: { top: 'additions' } }],
    ),
    question(
      'total',
      'How many lines are added in all files?',
      [addedLines(sumOf(files, added))],
      [{ aggregate: { sum: 'added' } }, { aggregate: { sum: 'additions' } }, { query: 'files changed insertions deletions' }],
    ),
    question('absence', 'Does the change touch any file under deploy/helm?', [nothing], [{ query: 'deploy/helm' }]),
  ]
  return {
    name: 'git-diff',
    task: 'Review this change for anything that should not be merged.',
    text:
      files
        .map((found) =>
          [...found.head, `--- a/${found === renamed ? before : found.path}`, `+++ b/${found.path}`, ...settled(found.lines)].join('\n'),
        )
        .join('\n') + '\n',
    questions,
  }
}

function fileDiff(random: Random, at: number): FileDiff {
  const path = `${random.pick(folders)}/${random.pick(verbs)}_${random.pick(nouns)}_${at}.go`
  const lines: string[] = []
  let start = random.int(3, 40)
  for (let hunk = 0; hunk < random.int(4, 7); hunk++) {
    const changes = Array.from(
      { length: random.int(7, 16) },
      () => random.pick([' ', ' ', '+', '-', '+', '-']) + random.pick(bodies)(random),
    )
    const context = () => Array.from({ length: 3 }, () => ` ${random.pick(bodies)(random)}`)
    const body = [...context(), ...changes, ...context()]
    lines.push(`@@ -${start} func (s *Store) ${random.pick(verbs)}${camel(random)}(ctx context.Context) error {`, ...body)
    start += random.int(30, 120)
  }
  return { path, head: [`diff --git a/${path} b/${path}`, `index ${random.hex(8)}..${random.hex(8)} 100644`], lines }
}

function camel(random: Random): string {
  const noun = random.pick(nouns)
  return noun.charAt(0).toUpperCase() + noun.slice(1)
}

/** The lines with the counts and starts in the heads of their hunks set right, after lines were put in. */
function settled(lines: readonly string[]): string[] {
  const heads = lines.flatMap((line, at) => (line.startsWith('@@') ? [at] : []))
  let shift = 0
  const written = [...lines]
  heads.forEach((head, at) => {
    const body = lines.slice(head + 1, heads[at + 1] ?? lines.length)
    const old = body.filter((line) => !line.startsWith('+')).length
    const fresh = body.filter((line) => !line.startsWith('-')).length
    const [, start = '1', context = ''] = /^@@ -(\d+)(.*)$/.exec(lines[head] ?? '') ?? []
    written[head] = `@@ -${start},${old} +${Number(start) + shift},${fresh} @@${context}`
    shift += fresh - old
  })
  return written
}

/** The spellings of a number of added lines: its digits alone stand in the heads of hunks too. */
function addedLines(value: number): string[] {
  const before = [
    'added ',
    'added: ',
    'added=',
    '"added":',
    'additions: ',
    'additions ',
    'sum ',
    'sum: ',
    'sum=',
    '"sum":',
    'max ',
    'max: ',
    '(+',
  ]
  const after = [' added', ' insertions', ' additions', ' lines added', ' +']
  return [...before.map((text) => text + value), ...after.map((text) => value + text), `+${value} -`, `+${value}/`]
}
