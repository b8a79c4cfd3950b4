import type { BenchOutput } from '../bench-output.ts'
import { all, number, question, sumOf } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { absent, coined, countBy, inside, skewed, tally, times } from './shared.ts'

/** Records one below the other, each field on a line. */
export function verticalRecords(seed: number): BenchOutput {
  const random = randomOf(seed)
  const commands = ['Query', 'Sleep', 'Binlog Dump', 'Execute']
  const states = ['Sending data', 'Waiting for table lock', 'updating', 'statistics', '']
  const rows = times(240, (at) => ({
    Id: 71_000 + at * 3,
    User: random.pick(['web', 'report', 'etl']),
    Host: `10.0.${random.int(1, 9)}.${random.int(1, 250)}`,
    db: random.pick(['shop', 'crm', 'dwh']),
    Command: random.pick(commands),
    Time: skewed(random, 1, 90),
    State: random.pick(states),
    Rows_examined: skewed(random, 10, 60_000),
    Info: `SELECT ${coined(random, 2)} FROM ${random.pick(['orders', 'users', 'stock'])} WHERE id = ${random.int(1, 9999)}`,
  }))
  const stuck = inside(random, rows)
  stuck.Time = random.int(8000, 30_000)
  stuck.Info = `ALTER TABLE ${coined(random, 3)} ADD COLUMN note TEXT`
  const greedy = inside(random, rows)
  greedy.Rows_examined = random.int(70_000_000, 99_000_000)
  const odd = inside(random, rows)
  odd.User = coined(random, 2)
  const asked = inside(random, rows)
  const users = countBy(rows, (row) => row.User)
  const byState = countBy(
    rows.filter((row) => row.State !== ''),
    (row) => row.State,
  )
  const byDb = countBy(rows, (row) => row.db)
  const text = rows
    .map((row, at) =>
      [
        `*************************** ${at + 1}. row ***************************`,
        ...Object.entries(row).map(([name, value]) => `${name.padStart(13)}: ${value}`),
      ].join('\n'),
    )
    .join('\n')
  return {
    name: 'vertical records',
    task: 'The database hangs. What is it doing?',
    text: `${text}\n${rows.length} rows in set (0.04 sec)`,
    questions: [
      question(
        'extreme',
        'Which process has been running longest, and for how long?',
        [[String(stuck.Id), stuck.Info], [String(stuck.Time)]],
        [{ aggregate: { top: 'Time' } }],
      ),
      question('needle', 'Is a table being altered?', all(stuck.Info), [{ query: 'ALTER TABLE' }]),
      question(
        'extreme',
        'Which process examined the most rows?',
        [[String(greedy.Id)], [String(greedy.Rows_examined)]],
        [{ aggregate: { top: 'Rows_examined' } }],
      ),
      question('needle', 'Is there a user who is there only once?', all(odd.User), [{ aggregate: { groupBy: 'User', count: true } }]),
      question(
        'total',
        'How many processes wait for a table lock?',
        [tally('Waiting for table lock', byState['Waiting for table lock'] ?? 0)],
        [{ aggregate: { where: { State: 'Waiting for table lock' }, count: true } }, { query: 'Waiting for table lock' }],
      ),
      question(
        'group',
        'How many processes does the user etl have?',
        [tally('etl', users['etl'] ?? 0)],
        [{ aggregate: { where: { User: 'etl' }, count: true } }],
      ),
      question('needle', `From which host comes process ${asked.Id}?`, all(asked.Host, String(asked.Id)), [{ query: String(asked.Id) }]),
      question(
        'group',
        'How many processes use the database dwh?',
        [tally('dwh', byDb['dwh'] ?? 0)],
        [{ aggregate: { where: { db: 'dwh' }, count: true } }],
      ),
      question(
        'total',
        'How many rows are in the set?',
        [['240 rows', '240 records', 'count 240', 'rows 240', '240 of']],
        [{ query: 'rows in set' }],
      ),
      question(
        'group',
        'How many rows were examined for shop in all?',
        [
          number(
            sumOf(
              rows.filter((row) => row.db === 'shop'),
              (row) => row.Rows_examined,
            ),
          ),
        ],
        [{ aggregate: { groupBy: 'db', sum: 'Rows_examined' } }],
      ),
      {
        ...question('absence', 'Does anything use the database archive?', [], [{ aggregate: { where: { db: 'archive' }, count: true } }]),
        ...absent(byDb),
      },
    ],
  }
}
