import { describe, expect, test } from 'vitest'
import { exactSum, quantityOf } from './quantity.ts'
import { viewOf } from './view-of.ts'

const cities = ['Delft', 'Gent', 'Lyon']
const people = ['Ana Lind', 'Bo Moreau', 'Ira Novak', 'Una Sol']
const LENGTH = 40

interface Visit {
  readonly id: string
  readonly city: string
  readonly agent: string
  readonly total: number
  readonly time: string
}

const visits: readonly Visit[] = Array.from({ length: LENGTH }, (_, at) => ({
  id: `A-${(at * 7919) % 10_007}x`,
  city: cities[(at * at) % 3] ?? '',
  agent: people[(at * 5) % 4] ?? '',
  total: ((at * 37) % 101) + 0.5,
  time: `2026-03-${String(1 + (at % 28)).padStart(2, '0')} 10:${String(at).padStart(2, '0')}`,
}))
const sum = exactSum(visits.flatMap(({ total }) => quantityOf(total) ?? []))
const text = (write: (visit: Visit, at: number) => string, joint = '\n'): string => visits.map(write).join(joint)
const wide = ({ id, city, agent, total }: Visit): string =>
  `${id.padEnd(10)} ${city.padEnd(8)} ${agent.padEnd(12)} ${String(total).padStart(8)}`
const header = `${'ID'.padEnd(10)} ${'CITY'.padEnd(8)} ${'AGENT'.padEnd(12)} ${'TOTAL'.padStart(8)}`
const pages = [visits.slice(0, 15), visits.slice(15, 30), visits.slice(30)]

/** The same records as many programs print them. */
const prints: Readonly<Record<string, string>> = {
  'a list of Python': `[${text(({ id, city, agent, total }) => `{'id': '${id}', 'city': '${city}', 'agent': '${agent}', 'total': Decimal('${total}'), 'note': None}`, ',\n ')}]`,
  'hashes of Ruby, one on each line': text(
    ({ id, city, agent, total }) => `{:id=>"${id}", :city=>"${city}", :agent=>"${agent}", :total=>${total}, :note=>nil}`,
  ),
  'maps of Clojure': `[${text(({ id, city, agent, total }) => `{:id "${id}" :city "${city}" :agent "${agent}" :total ${total}}`)}]`,
  'objects of JavaScript': `[${text(({ id, city, agent, total }) => `{ id: '${id}', city: '${city}', agent: '${agent}', total: ${total}, }`, ',\n')}]`,
  'paths with points': text(
    ({ city, agent, total }, at) => `shop.visit.${at}.city=${city}\nshop.visit.${at}.agent=${agent}\nshop.visit.${at}.total=${total}`,
  ),
  'paths with brackets': text(
    ({ city, agent, total }, at) => `json[${at}].city = "${city}";\njson[${at}].agent = "${agent}";\njson[${at}].total = ${total};`,
  ),
  'pages with rules under the names': pages
    .map((page) => [header, `${'-'.repeat(10)} ${'-'.repeat(8)} ${'-'.repeat(12)} ${'-'.repeat(8)}`, ...page.map(wide)].join('\n'))
    .join('\n\n'),
  'a tree with fields in brackets': `visits\n${text(({ id, city, agent, total }) => `├── ${id} [city: ${city}, agent: ${agent}, total: ${total}]`)}`,
  'lines of pairs with semicolons': text(({ id, city, agent, total }) => `id: ${id}; city: ${city}; agent: ${agent}; total: ${total}`),
  'numbered items of two lines': text(
    ({ id, city, agent, total }, at) => `${String(at + 1).padStart(4)}. ${id}  ${city}\n      agent: ${agent}; total: ${total}`,
  ),
  'tags in brackets': text(
    ({ id, city, agent, total }) => `[Id "${id}"]\n[City "${city}"]\n[Agent "${agent}"]\n[Total "${total}"]\n\n1. e4 e5`,
    '\n\n',
  ),
  'segments with bars': text(({ id, city, agent, total }, at) => `MSH|^~|${at}\nPID|${id}|${agent}\nLOC|${city}|x\nTOT|${at}|${total}`),
  'messages of a log that differ in their words': text(
    ({ id, city, agent, total, time }) => `[${time}] ${agent} moved ${id} to ${city}; total=${total}`,
  ),
}

describe('records as programs print them', () => {
  test.each(Object.entries(prints))('[R2] are rows of one table: %s', (_name, printed) => {
    const { tables } = viewOf({ text: printed })
    const table = tables.find(({ rows }) => rows === LENGTH)
    const cells = [...(table?.columns.values() ?? [])]
    const sums = cells.map((column) => exactSum(column.flatMap((cell) => quantityOf(cell) ?? [])))
    expect(sums).toContain(sum)
    expect(cells.some((column) => visits.every(({ city }, at) => column[at] === city))).toBe(true)
    expect(cells.some((column) => visits.every(({ agent }, at) => column[at] === agent))).toBe(true)
  })

  test('[R2] what a tree says above its leaves belongs to them', () => {
    const branch = (city: string): string =>
      [
        `├── city: ${city}`,
        ...visits.filter((visit) => visit.city === city).map(({ id, total }) => `│   ├── ${id} [total: ${total}, unit: EUR]`),
      ].join('\n')
    const [table] = viewOf({ text: `visits\n${cities.map(branch).join('\n')}` }).tables
    expect(table?.rows).toBe(LENGTH)
    expect(table?.columns.get('city')?.filter((city) => city === 'Gent')).toHaveLength(visits.filter(({ city }) => city === 'Gent').length)
  })

  test('[R2] a tag that comes again in a record is a table below it', () => {
    const printed = text(
      ({ id, total }, at) => `TN:\nSF:/src/${id}.c\nDA:1,${at}\nDA:2,${at + 1}\nDA:3,${at + 2}\nLF:${total}\nend_of_record`,
    )
    const { tables } = viewOf({ text: printed })
    expect(tables.map(({ name, rows }) => [name, rows])).toEqual([
      ['records', LENGTH],
      ['records.DA', 3 * LENGTH],
    ])
  })

  test.each([
    ['behind the path', ({ id, total }: Visit) => `main;run;${id};read ${Math.floor(total)}`],
    ['before the path', ({ id, total }: Visit) => `${Math.floor(total)}\t./src/run/${id}`],
  ])('[R2] a number %s counts it', (_name, write) => {
    const [table] = viewOf({ text: text(write) }).tables
    expect([table?.rows, table?.columns.get('count')?.length]).toEqual([LENGTH, LENGTH])
    expect(table?.columns.get('depth')?.every((depth) => depth === table.cell(0, 'depth'))).toBe(true)
  })

  test('[R2] lines that begin alike are rows, however they go on', () => {
    const endings = ['', '}', 'return a(b, 4);', '/* We are slow. */ if (x) {', 'struct a *b = NULL;']
    const printed = text(
      ({ agent, time }, at) => `${(0xa1b2c3d4 + at).toString(16)} (${agent} ${time}:00 +0000 ${at + 1}) ${endings[at % 5]}`,
    )
    const [table] = viewOf({ text: printed }).tables
    expect(table?.rows).toBe(LENGTH)
    expect([...(table?.columns.values() ?? [])].some((cells) => visits.every(({ agent }, at) => cells[at] === agent))).toBe(true)
  })

  test('[R2] a table inside of each record has its header as columns', () => {
    const printed = text(
      ({ id, agent }, at) =>
        `Report for ${id}.example (10.0.0.${at})\nHost is up.\nPORT     STATE    SERVICE\n22/tcp   open     ssh\n443/tcp  ${at % 2 === 0 ? 'filtered' : 'open    '} https\nSeen by: ${agent}`,
      '\n\n',
    )
    const inner = viewOf({ text: printed }).tables.find(({ columns }) => columns.has('STATE'))
    expect(inner?.rows).toBe(2 * LENGTH)
    expect(inner?.columns.get('STATE')?.filter((state) => state === 'filtered')).toHaveLength(LENGTH / 2)
  })

  test('[R2] what stands between the messages of a chat is a table of its own', () => {
    const printed = text(
      ({ id, agent, total }) =>
        `=== Chat #${id} | topic: parcels | waited ${Math.floor(total)} s ===\n[10:00:01] ${agent}: Hello, how can I help?\n[10:00:09] Zoe Zeman: Where is my parcel?\n[10:01:00] ${agent}: On its way.`,
    )
    expect(viewOf({ text: printed }).tables.some(({ rows, columns }) => rows === LENGTH && columns.size >= 2)).toBe(true)
  })

  test('[R2] a statement with dates in its first column is a table, not a log', () => {
    const row = ({ id, city, total, time }: Visit): string =>
      `${time.slice(0, 10)} ${city.padEnd(10)} ${id.padEnd(12)} ${`1,${String(Math.floor(total)).padStart(3, '0')}.50-`.padStart(12)}`
    const names = `${'Date'.padEnd(10)} ${'City'.padEnd(10)} ${'Reference'.padEnd(12)} ${'Amount'.padStart(12)}`
    const [table] = viewOf({ text: ['MERIDIAN BANK      Page 1', '', names, '-'.repeat(46), ...visits.map(row)].join('\n') }).tables
    expect(table?.rows).toBe(LENGTH)
    expect(table?.columns.get('Amount')?.every((cell) => (quantityOf(cell)?.value ?? 0) < 0)).toBe(true)
  })

  test('[R2] sections that repeat their header are rows under one, without the headers', () => {
    const section = (city: string): string =>
      [
        `## ${city}`,
        '',
        '| id | total |',
        '|---|---|',
        ...visits.filter((visit) => visit.city === city).map(({ id, total }) => `| ${id} | ${total} |`),
      ].join('\n')
    const { tables } = viewOf({ text: `# Visits\n\n${cities.map(section).join('\n\n')}` })
    expect(tables.reduce((rows, table) => rows + table.rows, 0)).toBe(LENGTH)
  })
})
