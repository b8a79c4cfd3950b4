import { describe, expect, test } from 'vitest'
import type { Table } from './table.ts'
import { viewOf } from './view-of.ts'

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const PEOPLE = ['Ana Silva', 'Bo', 'Chidi van Oort']
const CITIES = ['Delft', 'Gent', 'Lyon', 'Bari']

/** The first table that has all of these columns. */
function tableWith(output: string | object, ...columns: readonly string[]): Table {
  const view = viewOf(typeof output === 'string' ? { text: output } : { text: JSON.stringify(output), value: output })
  const found = view.tables.find((table) => columns.every((column) => table.columns.has(column)))
  if (found === undefined)
    throw new Error(
      `No table has ${columns.join(', ')}:\n${view.tables.map(({ name, columns: own }) => `${name}: ${[...own.keys()].join(', ')}`).join('\n')}`,
    )
  return found
}

const cells = (table: Table, column: string): unknown[] => table.refs.map((_ref, row) => table.cell(row, column))

describe('what tools print', () => {
  test('[R2] lines of one kind are one table, however many words stand between their anchors', () => {
    const lines = times(
      60,
      (at) =>
        `${(4_000_000_000 + at).toString(16)} (${PEOPLE[at % 3]} 2026-01-${10 + (at % 18)} 10:00:${10 + (at % 40)} +0200 ${at + 1}) run(${at})`,
    )
    const table = tableWith(lines.join('\n'), 'time')
    expect(table.rows).toBe(60)
    expect([...table.columns.values()].some((column) => column.slice(0, 3).join() === PEOPLE.join())).toBe(true)
    expect(cells(table, 'time')[0]).toBe('2026-01-10 10:00:10')
  })

  test('[R2] a wide number at the right end of a narrow column keeps all its digits', () => {
    const rows = times(
      90,
      (at) => `${(at % 2 === 0 ? 'root' : 'www').padEnd(6)}${String(at < 70 ? 100 + at : 31_000 + at).padStart(8)}  up   ${at}`,
    )
    const table = tableWith(['USER       PID  STATE COUNT', ...rows].join('\n'), 'USER', 'PID')
    expect(cells(table, 'USER').filter((user) => user === 'root')).toHaveLength(45)
    expect(cells(table, 'PID').slice(69, 72)).toEqual(['169', '31070', '31071'])
  })

  test('[R2] a table with decimal commas, a line above it, and other fields is divided by its own mark', () => {
    const rows = times(40, (at) => `${CITIES[at % 4]};${at + 1}.200,50;${at}`)
    const table = tableWith(['sep=;', 'Stadt;Umsatz;Kunden', ...rows].join('\n'), 'Stadt', 'Umsatz', 'Kunden')
    expect(table.rows).toBe(40)
    expect(table.cell(0, 'Umsatz')).toBe('1.200,50')
  })

  test('[R2] prose with as many commas in each line is no table', () => {
    const line = (at: number): string =>
      `${at}. The supplier shall provide adequate records of every case, and the customer bears the costs of number ${at} in full.`
    expect(viewOf({ text: times(40, line).join('\n\n') }).shape).not.toBe('table')
    expect(viewOf({ text: times(40, line).join('\n\n') }).tables).toHaveLength(0)
  })

  test('[R2] a record from top to bottom is a row', () => {
    const text = times(
      40,
      (at) =>
        `-[ RECORD ${at + 1} ]${'-'.repeat(at < 9 ? 3 : 2)}+-----\nid     | ${at}\ncity   | ${CITIES[at % 4]}\nprice  | ${at}.50\nremark |`,
    ).join('\n')
    const table = tableWith(text, 'id', 'city', 'price')
    expect(table.rows).toBe(40)
    expect(cells(table, 'price').slice(0, 2)).toEqual(['0.50', '1.50'])
  })

  test('[R2] records between blank lines keep all their fields, with lists and tables inside of them', () => {
    const text = times(30, (at) =>
      [
        `Name:       pod-${at}`,
        `Namespace:  ${at % 3 === 0 ? 'prod' : 'test'}`,
        'Containers:',
        `  app${at % 4}:`,
        `    Restarts:  ${at}`,
        '    Limits:',
        `      cpu:  ${at % 2}`,
        ...(at === 7
          ? [
              'Events:',
              '  Type     Reason  Message',
              '  ----     ------  -------',
              '  Warning  Failed  0/6 nodes are free',
              '  Warning  Failed  1/6 nodes are free',
            ]
          : ['Events:  <none>']),
      ].join('\n'),
    ).join('\n\n\n')
    const table = tableWith(text, 'Namespace')
    expect(table.rows).toBe(30)
    const restarts = [...table.columns].find(([name]) => name.endsWith('Restarts'))?.[1]
    expect(restarts?.filter((cell) => cell !== undefined)).toHaveLength(30)
  })

  test('[R2] lines that come many times in a record are rows, and a name with several values is one', () => {
    const task = (at: number): string =>
      [
        `TASK [step ${at}] ${'*'.repeat(30)}`,
        ...times(9, (host) => `${(host * host + 5 * at) % 7 < 4 ? 'ok' : 'changed'}: [web${host}.example]`),
      ].join('\n')
    const text = [
      ...times(12, task),
      `PLAY RECAP ${'*'.repeat(30)}\n${times(9, (host) => `web${host}.example : ok=${host + 4} changed=${host} failed=0`).join('\n')}`,
    ].join('\n\n')
    const recap = tableWith(text, 'name', 'ok', 'changed', 'failed')
    expect(cells(recap, 'changed')).toEqual(times(9, String))
  })

  test('[R2] a dump of a database is its tables', () => {
    const text = [
      'CREATE TABLE shop.orders (',
      '  id integer NOT NULL,',
      '  city text,',
      '  total numeric(10,2),',
      '  PRIMARY KEY (id)',
      ');',
      ...times(20, (at) => `INSERT INTO shop.orders VALUES (${at}, '${at === 3 ? "O''Hara; (north)" : 'Delft'}', ${at}.25);`),
      "INSERT INTO notes (id, said) VALUES (1, 'a'),",
      '(2, NULL);',
      'COPY rates (code, rate) FROM stdin;',
      'A\t1.5',
      'B\t\\N',
      '\\.',
    ].join('\n')
    const orders = tableWith(text, 'id', 'city', 'total')
    expect([orders.name, orders.rows, orders.cell(3, 'city'), orders.cell(3, 'total')]).toEqual([
      'shop.orders',
      20,
      "O''Hara; (north)".replace("''", "'"),
      '3.25',
    ])
    expect(cells(tableWith(text, 'id', 'said'), 'said')).toEqual(['a', undefined])
    expect(cells(tableWith(text, 'code', 'rate'), 'rate')).toEqual(['1.5', undefined])
  })

  test('[R2] settings in braces are records', () => {
    const text = times(
      12,
      (at) => `server {\n    server_name host${at}.example;\n    location / {\n        proxy_read_timeout ${at}s;\n    }\n}`,
    ).join('\n\n')
    const odd = tableWith(text.replaceAll('server_name', 'constructor').replaceAll('location', '__proto__'), 'constructor')
    expect(odd.cell(3, 'constructor')).toBe('host3.example')
    expect(cells(tableWith(text, 'server_name'), 'server_name')).toEqual(times(12, (at) => `host${at}.example`))
    expect(cells(tableWith(text, 'proxy_read_timeout'), 'proxy_read_timeout')[11]).toBe('11s')
  })

  test('[R2] messages of compilers have their file, severity and code, whatever stands between them', () => {
    const text = times(
      20,
      (at) =>
        `src/net/a${at % 2}.c:${at + 1}:5: ${at % 4 === 0 ? 'error' : 'warning'}: unused variable 'x${at}' [-Wunused-variable]\n   ${at} | int x${at} = ${at};\n      |     ^~`,
    ).join('\n')
    const table = tableWith(text, 'file', 'severity', 'code')
    expect(table.rows).toBe(20)
    expect(cells(table, 'severity').filter((each) => each === 'error')).toHaveLength(5)
    const other = tableWith(
      times(20, (at) => `src/a.ts(${at + 1},5): error TS2345: Argument ${at}, and another, do not fit.`).join('\n'),
      'file',
      'code',
    )
    expect([other.cell(3, 'line'), other.cell(3, 'code')]).toEqual(['4', 'TS2345'])
  })

  test('[R2] samples under a header that begins with a time are tables with its names', () => {
    const text = times(3, (part) =>
      [
        `0${part}:00:01     CPU   %user   %idle`,
        ...times(6, (at) => `0${part}:${at + 1}0:01     all   ${at + 1}0.50   ${9 - at}0.25`),
      ].join('\n'),
    ).join('\n\n')
    const table = tableWith(text, '%user', '%idle')
    expect(cells(table, '%user').slice(0, 2)).toEqual(['10.50', '20.50'])
  })

  test('[R2] chats with dates of other countries are messages', () => {
    const text = times(20, (at) => `${10 + (at % 18)}/06/2026, 14:${10 + at} - ${['Leila', 'Hugo'][at % 2]}: see you at ${at}`).join('\n')
    expect(cells(tableWith(text, 'from'), 'from').filter((from) => from === 'Hugo')).toHaveLength(10)
  })

  test('[R2] labels with commas between them are no columns', () => {
    const text = [
      '# TYPE build_info gauge',
      'build_info{version="5.9.1",revision="f02e1e39d",goversion="go1.23.2"} 1',
      '# TYPE requests_total counter',
      ...times(60, (at) => `requests_total{node="n${at % 5}",method="GET",status="${at % 2 === 0 ? 200 : 500}"} ${at}`),
    ].join('\n')
    expect(cells(tableWith(text, 'node', 'status', 'value'), 'status').filter((status) => status === '500')).toHaveLength(30)
  })

  test('[R2] a table in a drawn frame has its header', () => {
    const row = (at: number): string => `│ ${String(300 + at).padEnd(6)} │ ${(CITIES[at % 4] ?? '').padEnd(6)} │ ${at}.50 │`
    const text = [
      '┌────────┬────────┬───────┐',
      '│ ticket │ city   │ price │',
      '├────────┼────────┼───────┤',
      ...times(20, row),
      '└────────┴────────┴───────┘',
    ].join('\n')
    const table = tableWith(text, 'ticket', 'city', 'price')
    expect([table.rows, table.cell(19, 'price')]).toEqual([20, '19.50'])
  })

  test('[R2] pairs in a frame, one record after the other', () => {
    const text = times(
      20,
      (at) =>
        `+--------+--------+\n|  Engine  |  ${at % 2 === 0 ? 'mysql' : 'postgres'}  |\n|  Port    |  ${at === 7 ? 6721 : 5432}  |\n|  Id      |  s-${at}  |`,
    ).join('\n')
    expect(cells(tableWith(text, 'Engine', 'Port', 'Id'), 'Port').filter((port) => port === '6721')).toHaveLength(1)
  })

  test('[R2] pairs with bold keys below headings are records', () => {
    const text = times(8, (at) => `## Incident ${at}\n\n- **Duration:** ${at} min\n- **Owner**: Ana\n\nIt was found by chance.\n`).join(
      '\n',
    )
    expect(cells(tableWith(text, 'Duration', 'Owner'), 'Duration')).toEqual(times(8, (at) => `${at} min`))
  })

  test('[R2] the text of a key is no settings', () => {
    const document = (at: number): string =>
      `kind: Deployment\nmetadata:\n  name: app-${at}\ndata:\n  app.properties: |\n    queue.size=${at}\n    queue.size=7\n    Some words: and more\nspec:\n  replicas: ${at}`
    const table = tableWith(times(9, document).join('\n---\n'), 'kind', 'metadata.name', 'spec.replicas')
    expect([table.rows, table.cell(8, 'spec.replicas'), table.cell(8, 'metadata.name')]).toEqual([9, 8, 'app-8'])
  })

  test('[R2] what a linter says of a file is below the file, with its rule', () => {
    const text = times(
      12,
      (file) =>
        `/srv/shop/src/page-${file}.ts\n${times(4, (at) => `  ${10 * at + 3}:${at + 1}  ${at % 2 === 0 ? 'error  ' : 'warning'}  ${['Unexpected any', 'Missing dependency here', 'Use const instead of let now'][at % 3]}  ${['no-any', '@hooks/deps', 'prefer-const'][at % 3]}`).join('\n')}`,
    ).join('\n\n')
    expect(cells(tableWith(text, 'file'), 'file')).toHaveLength(12)
    expect(cells(tableWith(text, 'position', 'level', 'rule'), 'rule').filter((rule) => rule === 'no-any')).toHaveLength(24)
  })

  test('[R2] headings stand below headings', () => {
    const text = ['# Changes', '', ...times(6, (at) => `## ${6 - at}.0.0\n\n### Removed\n\n- Support for number ${at} was dropped\n`)].join(
      '\n',
    )
    const { sentences } = viewOf({ text })
    expect(sentences.find((each) => each.text.includes('number 2'))?.place).toBe('4.0.0 > Removed')
  })
})

describe('what interfaces answer', () => {
  test('[R2] keys that are different in every record are data', () => {
    const users = Object.fromEntries(
      times(20, (at) => [
        `u${at}`,
        { plan: 'pro', devices: { [`d${at}`]: { os: at % 4 === 0 ? 'web' : 'ios' }, [`e${at}`]: { os: 'ios' } } },
      ]),
    )
    const table = tableWith({ users }, 'key', 'os')
    expect([table.rows, cells(table, 'os').filter((os) => os === 'web').length]).toEqual([40, 5])
  })

  test('[R2] lists of names and values are columns of their record', () => {
    const instances = times(12, (at) => ({ id: `i-${at}`, Tags: [{ Key: 'env', Value: at % 3 === 0 ? 'prod' : 'test' }] }))
    expect(cells(tableWith({ instances }, 'id', 'Tags.env'), 'Tags.env').filter((env) => env === 'prod')).toHaveLength(4)
  })

  test('[R2] objects under keys are rows although some are empty', () => {
    const snapshots = Object.fromEntries(times(20, (at) => [`p@${at}`, at % 3 === 0 ? { dev: true, size: at } : {}]))
    expect(tableWith({ snapshots }, 'key', 'size').rows).toBe(20)
  })

  test('[R2] cards of people are no single values', () => {
    const text = times(5, (at) => `BEGIN:VCARD\nN:Silva;Ana;;;\nFN:Ana ${at}\nitem1.EMAIL:a${at}@example.com\nEND:VCARD`).join('\n')
    expect(cells(tableWith(text, 'N', 'FN', 'EMAIL'), 'EMAIL')).toHaveLength(5)
    expect(viewOf({ text }).scalars).toHaveLength(0)
  })
})
