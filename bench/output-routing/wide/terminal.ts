import type { BenchOutput } from '../bench-output.ts'
import { all, highest, nothing, number, person, question, sumOf } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { absent, coined, countBy, day, filler, inside, lowest, mostOf, round, skewed, sumBy, tally, times } from './shared.ts'

const START = Date.UTC(2026, 5, 1)

/** A recursive listing of folders. */
export function folderListing(seed: number): BenchOutput {
  const random = randomOf(seed)
  const owners = ['deploy', 'www-data', 'root', 'backup']
  const endings = ['jpg', 'pdf', 'csv', 'log', 'xml']
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May']
  const folders = times(34, (at) => ({
    path: `./srv/${coined(random, 2)}${at}`,
    files: times(random.int(12, 34), () => ({ name: `${coined(random, 3)}.${random.pick(endings)}`, size: skewed(random, 200, 400_000), owner: random.pick(owners.slice(0, 2)), mode: '-rw-r--r--', date: `${random.pick(months)} ${String(random.int(1, 28)).padStart(2)} ${String(random.int(0, 23)).padStart(2, '0')}:${random.int(10, 59)}` })),
  }))
  const files = folders.flatMap((folder) => folder.files.map((file) => ({ file, folder })))
  const big = inside(random, files)
  big.file.size = random.int(4_100_000_000, 9_000_000_000)
  const open = inside(random, files)
  open.file.mode = '-rwxrwxrwx'
  const key = inside(random, files)
  Object.assign(key.file, { name: `id_${coined(random, 2)}.pem`, owner: 'root', mode: '-rw-------' })
  const asked = inside(random, files)
  const fullest = highest(folders, (folder) => folder.files.length * 1000 + sumOf(folder.files, (file) => file.size) / 1e12)
  const kinds = countBy(files, ({ file }) => file.name.split('.').at(-1) ?? '')
  const byOwner = countBy(files, ({ file }) => file.owner)
  const text = folders
    .map((folder) => [`${folder.path}:`, `total ${sumOf(folder.files, (file) => Math.ceil(file.size / 1024))}`, ...folder.files.map((file) => `${file.mode} 1 ${file.owner.padEnd(8)} staff ${String(file.size).padStart(11)} ${file.date} ${file.name}`)].join('\n'))
    .join('\n\n')
  return {
    name: 'folder listing',
    task: 'The disk of the file server fills up. What lies there?',
    text,
    questions: [
      question('extreme', 'Which file is the largest, and how large is it?', [[big.file.name], number(big.file.size)], [{ aggregate: { top: 'size' } }, { aggregate: { top: 'staff' } }]),
      question('needle', 'In which folder is the largest file?', [[big.file.name], [big.folder.path]], [{ query: big.file.name }]),
      question('needle', 'Which file may everybody write to?', all(open.file.name), [{ query: '-rwxrwxrwx' }]),
      question('needle', 'Where is a private key?', [[key.file.name]], [{ query: '.pem' }]),
      question('needle', `How large is ${asked.file.name}?`, all(asked.file.name, String(asked.file.size)), [{ query: asked.file.name }]),
      question('total', 'How many folders are listed?', [[...tally('folders', folders.length), `${folders.length} sections`, `${folders.length} groups`, `${folders.length} tables`, `${folders.length} values`]], [{ query: './srv/' }, { query: 'total ' }]),
      question('group', 'How many PDF files are there?', [tally('pdf', kinds['pdf'] ?? 0)], [{ query: '.pdf' }]),
      question('group', 'How many files belong to www-data?', [tally('www-data', byOwner['www-data'] ?? 0)], [{ query: 'www-data' }, { aggregate: { where: { owner: 'www-data' }, count: true } }]),
      question('needle', `What is the newest entry of ${fullest.path} called first in the list?`, [[fullest.files[0]?.name ?? '']], [{ query: `${fullest.path}:` }]),
      question('absence', 'Is there a zip file?', [nothing], [{ query: '.zip' }]),
      question('total', 'How many files are there in all?', [[...tally('rows', files.length), `${files.length} files`, `${files.length} records`]], [{ query: ' staff ' }, { aggregate: { count: true } }]),
    ],
  }
}

/** A wide result of a database in a terminal, with its footer. */
export function wideResult(seed: number): BenchOutput {
  const random = randomOf(seed)
  const names = ['id', 'tenant', 'plan', 'seats', 'mrr_cents', 'trial_ends', 'cc_last4', 'country', 'vat_rate', 'channel', 'csm', 'nps', 'tickets_open', 'tickets_total', 'sso', 'region', 'storage_mb', 'api_calls_30d', 'last_login', 'churn_risk']
  const rows = times(420, (at) => ({
    id: 3100 + at,
    tenant: coined(random, 3),
    plan: random.pick(['solo', 'team', 'plus']),
    seats: skewed(random, 1, 80),
    mrr_cents: random.int(900, 90_000),
    trial_ends: random.chance(0.2) ? day(START + random.int(1, 30) * 86_400_000) : '',
    cc_last4: String(random.int(1000, 9999)),
    country: random.pick(['DE', 'FR', 'NL', 'PL', 'SE', 'IT']),
    vat_rate: random.pick([19, 20, 21, 23, 25]),
    channel: random.pick(['ads', 'referral', 'organic', 'partner']),
    csm: random.pick(['ilse', 'marek', 'joana']),
    nps: random.int(0, 10),
    tickets_open: random.int(0, 6),
    tickets_total: random.int(6, 90),
    sso: random.chance(0.3) ? 't' : 'f',
    region: random.pick(['eu-1', 'eu-2']),
    storage_mb: skewed(random, 10, 9000),
    api_calls_30d: skewed(random, 10, 200_000),
    last_login: day(START - random.int(0, 60) * 86_400_000),
    churn_risk: round(random.next() * 0.6, 3),
  }))
  const heavy = inside(random, rows)
  heavy.api_calls_30d = random.int(4_000_000, 9_000_000)
  const risky = inside(random, rows)
  risky.churn_risk = round(0.9 + random.next() * 0.09, 3)
  const moved = inside(random, rows)
  moved.region = 'us-9'
  const asked = inside(random, rows)
  const cells = rows.map((row) => Object.values(row).map(String))
  const widths = names.map((name, at) => Math.max(name.length, ...cells.map((row) => row[at]?.length ?? 0)))
  const draw = (row: readonly string[]): string => ` ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} `
  const byPlan = sumBy(rows, (row) => row.plan, (row) => row.mrr_cents)
  const countries = countBy(rows, (row) => row.country)
  const [country] = mostOf(countries)
  const oldest = lowest(rows, (row) => Date.parse(row.last_login))
  const channels = countBy(rows, (row) => row.channel)
  return {
    name: 'wide result',
    task: 'Which tenants need a call from customer success?',
    text: [draw(names), widths.map((width) => '-'.repeat(width + 2)).join('+'), ...cells.map(draw), `(${rows.length} rows)`, '', 'Time: 214.882 ms'].join('\n'),
    questions: [
      question('extreme', 'Which tenant makes the most API calls?', [[heavy.tenant, String(heavy.id)], [String(heavy.api_calls_30d)]], [{ aggregate: { top: 'api_calls_30d' } }]),
      question('extreme', 'Which tenant has the highest churn risk?', [[risky.tenant, String(risky.id)], [String(risky.churn_risk)]], [{ aggregate: { top: 'churn_risk' } }]),
      question('needle', 'Which tenant is not in an EU region?', [[moved.tenant, String(moved.id)], ['us-9']], [{ aggregate: { where: { region: 'us-9' } } }, { query: 'us-9' }]),
      question('needle', `What is the plan and storage of the tenant ${asked.tenant}?`, [[asked.tenant], [String(asked.storage_mb)]], [{ query: asked.tenant }]),
      question('group', 'What is the monthly revenue of the plan team, in cents?', [number(byPlan['team'] ?? 0)], [{ aggregate: { groupBy: 'plan', sum: 'mrr_cents' } }]),
      question('group', 'Which country has the most tenants?', [tally(country, countries[country] ?? 0)], [{ aggregate: { groupBy: 'country', count: true } }]),
      question('total', 'How many seats are there in all?', [number(sumOf(rows, (row) => row.seats))], [{ aggregate: { sum: 'seats' } }]),
      question('total', 'How many tenants have single sign-on?', [tally('t', rows.filter((row) => row.sso === 't').length)], [{ aggregate: { where: { sso: 't' }, count: true } }]),
      question('extreme', 'What is the earliest last login?', all(oldest.last_login), [{ aggregate: { min: 'last_login' } }]),
      question('needle', 'How long did the query take?', all('214.882 ms'), [{ query: 'Time:' }]),
      question('total', 'How many rows came back?', [['420 rows', 'rows 420', 'rows: 420', 'count 420']], [{ aggregate: { count: true } }]),
      { ...question('absence', 'Is there a tenant from the channel events?', [], [{ aggregate: { where: { channel: 'events' }, count: true } }]), ...absent(channels) },
    ],
  }
}

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
    files: times(random.int(1, 4), () => ({ added: random.int(0, 120), removed: random.int(0, 80), path: `packages/${random.pick(['core', 'web', 'api'])}/src/${coined(random, 2)}.ts` })),
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
  const added = sumOf(commits.flatMap((commit) => commit.files), (file) => file.added)
  const text = commits
    .map((commit) => [`commit ${commit.sha}`, `Author: ${commit.author} <${commit.author.split(' ')[0]?.toLowerCase()}@maker.example>`, `Date:   ${commit.date.toUTCString().replace(' GMT', ' +0000')}`, '', `    ${commit.subject}`, ...(commit.body === '' ? [] : ['', `    ${commit.body}`]), '', ...commit.files.map((file) => `${file.added}\t${file.removed}\t${file.path}`)].join('\n'))
    .join('\n\n')
  const first = commits.at(-1)
  return {
    name: 'commit history',
    task: 'Write the release notes from this history.',
    text,
    questions: [
      question('group', 'Who made the most commits, and how many?', [tally(author, most)], [{ aggregate: { groupBy: 'author', count: true } }]),
      question('extreme', 'Which commit added the most lines?', [[huge.sha.slice(0, 7)], [String(huge.files[0]?.added)]], [{ aggregate: { top: 'added' } }, { query: 'generated.ts' }]),
      question('needle', 'Which commit was reverted?', all(reverted), [{ query: 'This reverts commit' }, { query: 'revert' }]),
      question('needle', 'What is the breaking change?', all(option), [{ query: 'BREAKING CHANGE' }]),
      question('needle', 'Which ticket was about tokens in a log?', all(ticket), [{ query: 'tokens logged' }]),
      question('needle', `What is the subject of commit ${asked.sha.slice(0, 8)}?`, all(asked.subject), [{ query: asked.sha.slice(0, 8) }]),
      question('total', 'How many commits are there?', [[...tally('rows', commits.length), `${commits.length} commits`, `${commits.length} records`, `${commits.length} messages`]], [{ query: 'commit ' }, { aggregate: { count: true } }, { query: 'Author:' }]),
      question('extreme', 'When was the first commit of the list made?', [[first?.date.toUTCString().slice(5, 25) ?? '', first?.date.toISOString().slice(0, 19) ?? '']], [{ aggregate: { min: 'date' } }]),
      question('total', 'How many lines were added in all?', [number(added)], [{ aggregate: { sum: 'added' } }]),
      question('group', 'How many commits are fixes of the cart?', [tally('fix(cart)', commits.filter((commit) => commit.subject.startsWith('fix(cart)')).length)], [{ query: 'fix(cart)' }]),
      question('absence', 'Did Zacharias commit anything?', [nothing], [{ query: 'Zacharias' }]),
    ],
  }
}

/** What a search in source code prints: path, line number, text. */
export function grepOutput(seed: number): BenchOutput {
  const random = randomOf(seed)
  const files = times(120, () => `src/${random.pick(['api', 'web', 'jobs', 'lib'])}/${coined(random, 2)}.${random.pick(['ts', 'ts', 'py', 'go'])}`)
  const hits = files.flatMap((file) => {
    let line = 0
    return times(random.int(4, 22), () => ({ file, line: (line += random.int(3, 60)), text: `${' '.repeat(random.int(0, 3) * 2)}${random.pick(['const', 'let', 'return', 'await'])} ${coined(random, 2)} = config.${random.pick(['timeout', 'retries', 'baseUrl', 'region'])}${random.pick([' ?? 0', '', ' || fallback', ' // TODO'])}` }))
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
      question('group', 'Which file uses config most often?', [tally(file, most)], [{ aggregate: { groupBy: 'file', count: true } }, { aggregate: { groupBy: 'path', count: true } }]),
      question('total', 'How often is config.retries used?', [tally('config.retries', retries)], [{ query: 'config.retries' }]),
      question('total', 'How many hits are there in all?', [[...tally('rows', hits.length), `${hits.length} hits`, `${hits.length} records`]], [{ query: 'config' }, { aggregate: { count: true } }]),
      question('total', 'In how many files?', [[...tally('files', files.length), `${new Set(files).size} files`, `${new Set(files).size} values`, `${new Set(files).size} different`, `${new Set(files).size} distinct`]], [{ aggregate: { distinct: 'file' } }, { aggregate: { distinct: 'path' } }]),
      question('needle', `What stands in ${asked.file} on line ${asked.line}?`, all(asked.text.trim()), [{ query: `${asked.file}:${asked.line}` }]),
      question('group', 'How many hits are in the folder jobs?', [tally('jobs', folders['jobs'] ?? 0)], [{ query: 'src/jobs/' }]),
      question('group', 'How many hits are in Go files?', [tally('go', goes)], [{ query: '.go:' }]),
      question('absence', 'Is config.proxy used?', [nothing], [{ query: 'config.proxy' }]),
    ],
  }
}

/** Records one below the other, each field on a line. */
export function verticalRecords(seed: number): BenchOutput {
  const random = randomOf(seed)
  const commands = ['Query', 'Sleep', 'Binlog Dump', 'Execute']
  const states = ['Sending data', 'Waiting for table lock', 'updating', 'statistics', '']
  const rows = times(240, (at) => ({ Id: 71_000 + at * 3, User: random.pick(['web', 'report', 'etl']), Host: `10.0.${random.int(1, 9)}.${random.int(1, 250)}`, db: random.pick(['shop', 'crm', 'dwh']), Command: random.pick(commands), Time: skewed(random, 1, 90), State: random.pick(states), Rows_examined: skewed(random, 10, 60_000), Info: `SELECT ${coined(random, 2)} FROM ${random.pick(['orders', 'users', 'stock'])} WHERE id = ${random.int(1, 9999)}` }))
  const stuck = inside(random, rows)
  stuck.Time = random.int(8000, 30_000)
  stuck.Info = `ALTER TABLE ${coined(random, 3)} ADD COLUMN note TEXT`
  const greedy = inside(random, rows)
  greedy.Rows_examined = random.int(70_000_000, 99_000_000)
  const odd = inside(random, rows)
  odd.User = coined(random, 2)
  const asked = inside(random, rows)
  const users = countBy(rows, (row) => row.User)
  const byState = countBy(rows.filter((row) => row.State !== ''), (row) => row.State)
  const byDb = countBy(rows, (row) => row.db)
  const text = rows.map((row, at) => [`*************************** ${at + 1}. row ***************************`, ...Object.entries(row).map(([name, value]) => `${name.padStart(13)}: ${value}`)].join('\n')).join('\n')
  return {
    name: 'vertical records',
    task: 'The database hangs. What is it doing?',
    text: `${text}\n${rows.length} rows in set (0.04 sec)`,
    questions: [
      question('extreme', 'Which process has been running longest, and for how long?', [[String(stuck.Id), stuck.Info], [String(stuck.Time)]], [{ aggregate: { top: 'Time' } }]),
      question('needle', 'Is a table being altered?', all(stuck.Info), [{ query: 'ALTER TABLE' }]),
      question('extreme', 'Which process examined the most rows?', [[String(greedy.Id)], [String(greedy.Rows_examined)]], [{ aggregate: { top: 'Rows_examined' } }]),
      question('needle', 'Is there a user who is there only once?', all(odd.User), [{ aggregate: { groupBy: 'User', count: true } }]),
      question('total', 'How many processes wait for a table lock?', [tally('Waiting for table lock', byState['Waiting for table lock'] ?? 0)], [{ aggregate: { where: { State: 'Waiting for table lock' }, count: true } }, { query: 'Waiting for table lock' }]),
      question('group', 'How many processes does the user etl have?', [tally('etl', users['etl'] ?? 0)], [{ aggregate: { where: { User: 'etl' }, count: true } }]),
      question('needle', `From which host comes process ${asked.Id}?`, all(asked.Host, String(asked.Id)), [{ query: String(asked.Id) }]),
      question('group', 'How many processes use the database dwh?', [tally('dwh', byDb['dwh'] ?? 0)], [{ aggregate: { where: { db: 'dwh' }, count: true } }]),
      question('total', 'How many rows are in the set?', [['240 rows', '240 records', 'count 240', 'rows 240', '240 of']], [{ query: 'rows in set' }]),
      question('group', 'How many rows were examined for shop in all?', [number(sumOf(rows.filter((row) => row.db === 'shop'), (row) => row.Rows_examined))], [{ aggregate: { groupBy: 'db', sum: 'Rows_examined' } }]),
      { ...question('absence', 'Does anything use the database archive?', [], [{ aggregate: { where: { db: 'archive' }, count: true } }]), ...absent(byDb) },
    ],
  }
}

/** A source file as a tool reads it. */
export function sourceFile(seed: number): BenchOutput {
  const random = randomOf(seed)
  const classes = times(34, () => { const name = coined(random, 3); return `${name.charAt(0).toUpperCase()}${name.slice(1)}` })
  const lines = ['"""Prices, discounts and taxes of the shop."""', 'import decimal', 'import logging', '', `MAX_LINES = ${random.int(1100, 4900)}`, `DEFAULT_CURRENCY = "${random.pick(['CHF', 'SEK', 'PLN'])}"`, '']
  const max = lines[4]?.split(' = ')[1] ?? ''
  const currency = lines[5]?.split('"')[1] ?? ''
  const methods: { owner: string; name: string; line: number; factor: string }[] = []
  for (const owner of classes) {
    lines.push('', `class ${owner}(${random.pick(['Rule', 'Rule', 'Step'])}):`, `    """${filler(random, 12)}"""`, '')
    for (const name of times(random.int(5, 9), () => `apply_${coined(random, 2)}`)) {
      const factor = `0.${random.int(100, 999)}`
      lines.push(`    def ${name}(self, order, *, strict=False):`, `        """${filler(random, 12)}"""`)
      methods.push({ owner, name, line: lines.length - 1, factor })
      for (const _ of times(random.int(2, 9), () => 0)) lines.push(`        ${random.pick(['total', 'rate', 'lines', 'rest'])} = ${random.pick(['self.round', 'self.check', 'min', 'max'])}(order.${coined(random, 2)}, ${random.int(2, 40)})`)
      lines.push(`        return total * decimal.Decimal("${factor}")`, '')
    }
  }
  const error = `${classes[4]}Exhausted`
  const place = methods[Math.floor(methods.length / 2)]
  if (place === undefined) throw new Error('There are no methods.')
  const limit = random.int(510, 980)
  lines.splice(place.line + 1, 0, `        if order.weight > ${limit}:`, `            raise ${error}("parcel is too heavy for the drone")`)
  const asked = inside(random, methods.slice(0, Math.floor(methods.length / 2)))
  const hack = `HACK: the tax office rounds down since ${random.int(2011, 2024)}`
  lines.splice(lines.length - 40, 0, `        # ${hack}`)
  lines.push('', 'if __name__ == "__main__":', '    logging.basicConfig(level="DEBUG")')
  return {
    name: 'source file',
    task: 'Explain what this module does before we change it.',
    text: lines.join('\n'),
    questions: [
      question('needle', 'What is MAX_LINES?', all(max), [{ query: 'MAX_LINES' }]),
      question('needle', 'What is the default currency?', all(currency), [{ query: 'DEFAULT_CURRENCY' }]),
      question('total', 'How many classes does the module have?', [[...tally('class', classes.length), `${classes.length} classes`]], [{ query: 'class ' }]),
      question('total', 'How many methods does it define?', [[...tally('def', methods.length), `${methods.length} functions`, `${methods.length} methods`]], [{ query: 'def ' }]),
      question('needle', 'Which error is raised when a parcel is too heavy?', all(error), [{ query: 'too heavy' }, { query: 'raise' }]),
      question('needle', 'From which weight on?', all(`weight > ${limit}`), [{ query: 'weight' }]),
      question('needle', 'Which class has the method ' + asked.name + '?', [[`class ${asked.owner}`, `${asked.owner}.${asked.name}`, asked.owner], [asked.name]], [{ query: asked.name }]),
      question('needle', `What factor does ${asked.name} return?`, all(asked.factor), [{ query: asked.name }, { range: [asked.line, asked.line + 12] }]),
      question('needle', 'Is there a hack, and why?', all(hack), [{ query: 'HACK' }]),
      question('needle', 'What is the name of the last class?', all(classes.at(-1) ?? ''), [{ query: 'class ' }]),
      question('absence', 'Is there anything about coupons?', [nothing], [{ query: 'coupon' }]),
      question('needle', 'Which packages are imported?', all('import decimal', 'import logging'), [{ query: 'import' }]),
    ],
  }
}
