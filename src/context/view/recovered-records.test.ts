import { describe, expect, test } from 'vitest'
import type { Table } from './table.ts'
import { viewOf } from './view-of.ts'

const cities = ['Delft', 'Gent', 'Lyon']
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const tableOf = (text: string, column: string): Table | undefined => viewOf({ text }).tables.find(({ columns }) => columns.has(column))
const cells = (table: Table | undefined, column: string): unknown[] => table?.refs.map((_ref, row) => table.cell(row, column)) ?? []

describe('records that a text is made of', () => {
  test('[R2] fields under each other, which are no chat', () => {
    const text = times(20, (at) => `dn: uid=u${at},dc=ex\nuid: u${at}\ncn: Ada ${at}\nl: ${cities[at % 3]}\n`).join('\n')
    const people = tableOf(text, 'l')
    expect(people?.rows).toBe(20)
    expect(cells(people, 'uid').slice(0, 2)).toEqual(['u0', 'u1'])
  })

  test('[R2] tags above text that is different each time', () => {
    const moves = (at: number): string => times(at % 5, (move) => `${move}. e${move} d${at} Nf${move}${'+'.repeat(at % 3)} O-O`).join('\n')
    const text = times(
      12,
      (at) => `[Event "Open ${at}"]\n[White "Ada"]\n[Result "${at % 2}-0"]\n[Elo "${2000 + at}"]\n\n${moves(at)}\n`,
    ).join('\n')
    expect(cells(tableOf(text, 'Elo'), 'Elo').slice(0, 3)).toEqual(['2000', '2001', '2002'])
  })

  test('[R2] blocks with braces; what is inside of a block is named by it', () => {
    const text = times(9, (at) => `resource "disk" "d${at}" {\n  size = ${at * 10}\n  tags = {\n    owner = "ada-${at}"\n  }\n}`).join(
      '\n\n',
    )
    const disks = tableOf(text, 'size')
    expect(disks?.rows).toBe(9)
    expect(disks?.cell(2, 'size')).toBe('20')
    expect(disks?.cell(2, 'tags.owner')).toBe('ada-2')
    expect(String(disks?.cell(2, 'name'))).toContain('d2')
  })

  test('[R2] heads with values of several words, and lines between that are a table of their own', () => {
    const rows = (at: number): string => times(2, (row) => `${20 + row}/tcp open svc${at}`).join('\n')
    const text = times(9, (at) => `Report for host${at} OS=Big Linux ${at} ROLE=${cities[at % 3]}\nLatency: ${at} ms\n${rows(at)}`).join(
      '\n',
    )
    const { tables } = viewOf({ text })
    expect(tables[0]?.cell(4, 'OS')).toBe('Big Linux 4')
    expect(tables[0]?.cell(4, 'Latency')).toBe('4 ms')
    expect(tables[1]).toMatchObject({ rows: 18, parent: tables[0] })
  })

  test('[R2] a field that one record has is said as an exception', () => {
    const lock = '\n  lock = "held by the auditors"'
    const text = times(30, (at) => `resource "disk" "d${at}" {\n  size = ${at}\n  kind = "ssd"${at === 7 ? lock : ''}\n}`).join('\n')
    expect(viewOf({ text }).sentences).toContainEqual({ text: lock.trim(), line: 32, place: 'resource "disk" "d7" {' })
  })

  test('[R2] lines of pairs without a time, and lines of one kind', () => {
    const pairs = times(30, (at) => `method=GET path=/o/${at} status=${at === 3 ? 503 : 200} service=${at}ms`).join('\n')
    expect(cells(tableOf(pairs, 'status'), 'status').filter((cell) => cell === '503')).toHaveLength(1)
    const calls = times(30, (at) => `read(3, "abc", 4096) = ${at} <0.0${at}>`).join('\n')
    expect(viewOf({ text: calls }).tables[0]?.rows).toBe(30)
  })

  test('[R2] a drawn tree is a table of what hangs on it', () => {
    const text = ['root v1.0.0', ...times(20, (at) => `${'│   '.repeat(at % 4)}├── part${at} v1.${at}.0`)].join('\n')
    expect(viewOf({ text }).tables[0]?.rows).toBe(20)
  })

  test('[R2] prose and documents with headings stay what they are', () => {
    const words = 'mill boat uncle tide river sings waits stands slowly never again the a her of under'.split(' ')
    const prose = times(40, (at) => `${times(6 + ((at * 7) % 11), (word) => words[(at * 5 + word * word) % words.length]).join(' ')}.`)
    expect(viewOf({ text: prose.join('\n\n') }).tables).toEqual([])
    const handbook = times(8, (at) => `## ${at} Travel\n\nAsk your lead before you book.\n\n- Trains: second class\n- Planes: none`).join(
      '\n\n',
    )
    expect(viewOf({ text: handbook }).headings).toHaveLength(8)
  })

  test('[R2] several YAML documents are a list', () => {
    const text = times(
      6,
      (at) => `---\nkind: ${at === 2 ? 'Ingress' : 'Service'}\nmetadata:\n  name: s${at}\nspec:\n  limits: { cpu: 500m, memory: ${at}Mi }`,
    ).join('\n')
    const { tables, marks } = viewOf({ text })
    expect(cells(tables[0], 'kind')).toEqual(['Service', 'Service', 'Ingress', 'Service', 'Service', 'Service'])
    expect(tables[0]?.cell(3, 'spec.limits.memory')).toBe('3Mi')
    expect(marks?.[2]).toMatchObject({ text: 'Ingress s2' })
  })

  test('[R2] rows as lists are named by the list beside them', () => {
    const value = { fields: [{ name: 'id' }, { name: 'total' }], rows: times(5, (at) => [at, at * 2]) }
    const rows = viewOf({ text: JSON.stringify(value), value }).tables.find(({ name }) => name === 'rows[]')
    expect([...(rows?.columns.keys() ?? [])]).toEqual(['id', 'total'])
  })

  test('[R2] values that messages tell are a table under that of the messages', () => {
    const value = times(30, (at) => ({ id: `e${at}`, message: at % 2 === 0 ? `Pulled the image in ${at}.5s from the cache` : 'Started' }))
    const told = viewOf({ text: JSON.stringify(value), value }).tables.find(({ parent }) => parent !== undefined)
    expect(told?.rows).toBe(15)
    expect([...(told?.columns.values() ?? [])][0]?.[1]).toBe('2.5s')
  })

  test('[R2] a row of sums below a table is none of its rows', () => {
    const text = [
      'name      size',
      '----------------',
      ...times(12, (at) => `part${String(at).padStart(2, '0')}    ${100 + at}`),
      '----------------',
      'Total     9999',
    ].join('\n')
    expect(viewOf({ text }).tables[0]?.rows).toBe(12)
  })

  test('[R2] two megabytes of records are read in bounded time', () => {
    const kinds = [
      times(20_000, (at) => `dn: uid=u${at},dc=ex\nuid: u${at}\ncn: Ada ${at}\nl: ${cities[at % 3]}\n`).join('\n'),
      times(30_000, (at) => `Step ${at} of ${cities[at % 3]} took ${at % 90} ms with ${at % 7} retries and code x${at}`).join('\n'),
      times(40_000, (at) => `${'ab '.repeat(at % 11)}word${at % 97} (${at}) = ${cities[at % 3]}`).join('\n'),
    ]
    for (const text of kinds) {
      const start = process.cpuUsage()
      expect(viewOf({ text }).tables.length).toBeGreaterThan(0)
      // Of the processor: others may be at work too.
      expect(process.cpuUsage(start).user / 1000).toBeLessThan(10_000)
    }
  })
})
