import { describe, expect, test } from 'vitest'
import { profilesOf } from '../facts/facts-of.ts'
import type { Table } from './table.ts'
import { viewOf } from './view-of.ts'

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const CITIES = ['Delft', 'Gent', 'Lyon', 'Bari']
const tables = (output: string | object): readonly Table[] =>
  viewOf(typeof output === 'string' ? { text: output } : { text: JSON.stringify(output), value: output }).tables
const named = (output: string | object, name: string): Table | undefined => tables(output).find((table) => table.name === name)
const cells = (table: Table | undefined, column: string): unknown[] => table?.refs.map((_ref, row) => table.cell(row, column)) ?? []

describe('outputs of more kinds', () => {
  test('[R2] commits with their diffs: each file belongs to its commit', () => {
    const commit = (at: number): string =>
      `commit ${String(at).repeat(40)}\nAuthor: Ana Silva <ana@x.example>\nDate:   Mon Apr 20 12:2${at}:00 2026 +0000\n\n    Change ${at}\n\ndiff --git a/f${at}.ts b/f${at}.ts\nindex 1..2 100644\n--- a/f${at}.ts\n+++ b/f${at}.ts\n@@ -1,2 +1,3 @@\n-old\n${'+new\n'.repeat(at)} same`
    const text = times(5, (at) => commit(at + 1)).join('\n')
    const commits = named(text, 'commits')
    expect(cells(commits, 'added')).toEqual([1, 2, 3, 4, 5])
    expect(cells(commits, 'subject')[4]).toBe('Change 5')
    expect(named(text, 'files')?.parentRows).toEqual([0, 1, 2, 3, 4])
    const [profile] = profilesOf(tables(text))
    expect(profile?.column('date')?.kind).toBe('time')
  })

  test('[R2] lists of sections, with lists and records in them', () => {
    const text = times(
      12,
      (at) =>
        `[[package]]\nname = "p${at}"\noptional = ${at % 2 === 0}\nfiles = [\n    {file = "p${at}.whl", size = ${at}_000}, # the wheel\n    {file = "p${at}.tar, gz"},\n]\n\n[package.dependencies]\nother-${at} = ">=1,<2"\n`,
    ).join('\n')
    expect(cells(named(text, 'package[]'), 'name').slice(0, 2)).toEqual(['p0', 'p1'])
    expect(cells(named(text, 'package[].files[]'), 'file').slice(0, 2)).toEqual(['p0.whl', 'p0.tar, gz'])
    expect(cells(named(text, 'package[].files[]'), 'size')[2]).toBe(1000)
    expect(cells(named(text, 'package[].dependencies.*'), 'value')).toHaveLength(12)
    expect(tables(text.replaceAll('name =', '__proto__ =')).length).toBeGreaterThan(0)
  })

  test('[R2] lines of one kind in the middle of a text, of which the first names no columns', () => {
    const prose = 'The parties agree on what follows. Neither of them may give this agreement to a third party without a letter.'
    const rows = times(20, (at) => `ST0${10 + at}  ${CITIES[at % 4]}, ${40 + at} Authorised Users`)
    const text = [...times(40, (at) => `${at + 1}. ${prose}\n`), 'SCHEDULE 3: SITES', '', ...rows, '', prose].join('\n')
    const sites = named(text, 'SCHEDULE 3: SITES')
    expect(sites?.rows).toBe(20)
    expect(cells(sites, 'Authorised Users').slice(0, 2)).toEqual(['40', '41'])
  })

  test('[R2] cards of a page: a record for each, with what its parts are called', () => {
    const card = (at: number): string =>
      `<article class="card"><h3>Hut ${at}</h3><p class="price">${at}.50 EUR</p><dl><dt>City</dt><dd>${CITIES[at % 4]}</dd></dl><p>Beds: ${at + 2}</p></article>`
    const text = `<html><body><h1>Huts</h1><div class="list">${times(9, card).join('\n')}</div></body></html>`
    const huts = named(text, 'article.card')
    expect(huts?.rows).toBe(9)
    expect([...(huts?.columns.keys() ?? [])]).toEqual(expect.arrayContaining(['heading', 'price', 'City', 'Beds']))
    expect(cells(huts, 'City').slice(0, 2)).toEqual(['Delft', 'Gent'])
    expect(cells(huts, 'Beds')[3]).toBe('5')
  })

  test('[R2] an element that comes once in one place and more often in another is a list in both', () => {
    const text = `<?xml version="1.0"?><orders>${times(8, (at) => `<order id="A${at}">${`<line qty="${at}"/>`.repeat(1 + (at % 3))}</order>`).join('')}</orders>`
    expect(named(text, 'orders.order[].line[]')?.rows).toBe(15)
  })

  test('[R2] a table below a title', () => {
    const rows = times(40, (at) => `| A-${at} | ${CITIES[at % 4]} | ${at} |`)
    const text = ['# Orders', '', 'All of them.', '', '| id | city | total |', '|---|---|---|', ...rows].join('\n')
    expect(tables(text).flatMap((table) => [...table.columns.keys()])).toEqual(['id', 'city', 'total'])
  })

  test('[R2] a table of a database that is made in one line', () => {
    const rows = times(30, (at) => `('A-${at}', ${at}.50)`).join(',\n')
    const text = `CREATE TABLE orders (id text, total numeric(8, 2), PRIMARY KEY (id));\nINSERT INTO orders VALUES\n${rows};`
    expect(cells(named(text, 'orders'), 'total').slice(0, 2)).toEqual(['0.50', '1.50'])
  })

  test('[R2] what people write, with dates in brackets and commas in their words', () => {
    const chat = times(
      30,
      (at) => `[09.02.26, 06:${10 + at}:27] ${['Jana Fischer', 'Elif'][at % 2]}: bring ${at} chairs, please, and a table`,
    )
    chat.splice(5, 0, 'and a second line')
    expect(cells(named(chat.join('\n'), 'messages'), 'from').filter((from) => from === 'Elif')).toHaveLength(15)
    expect(cells(named(chat.join('\n'), 'messages'), 'lines')[4]).toBe(2)
    const council = times(30, (at) => `[00:0${at % 9}:15] ${['CHAIR (Hakan Sato)', 'NILS HADDAD'][at % 2]}: Item ${at}, the town archive.`)
    expect(cells(named(council.join('\n\n'), 'messages'), 'from').slice(0, 2)).toEqual(['CHAIR (Hakan Sato)', 'NILS HADDAD'])
  })

  test('[R2] records in texts, as they are and as base64', () => {
    const payload = (at: number): string => JSON.stringify({ currency: at === 7 ? 'CHF' : 'EUR', customer: { name: `C${at}` } })
    const value = {
      deliveries: times(20, (at) => ({ id: `d${at}`, body: payload(at), sent: Buffer.from(payload(at)).toString('base64') })),
    }
    expect(cells(named(value, 'deliveries[]'), 'body.currency')[7]).toBe('CHF')
    expect(cells(named(value, 'deliveries[]'), 'sent.customer.name')[7]).toBe('C7')
  })

  test('[R2] a mark alone on a line divides as a blank line does', () => {
    const ports = times(
      60,
      (at) =>
        `interface Gi1/0/${at}\n description ${CITIES[at % 4]} hall, socket B${at % 5}.${at}\n switchport access vlan ${100 + (at % 9)}\n switchport mode access\n switchport port-security maximum ${(at % 4) + 1}\n!`,
    )
    const networks = times(60, (at) => `vlan ${at}\n name N-${at}\n!`)
    const names = tables(['version 1', '!', 'hostname core', '!', ...networks, ...ports].join('\n')).flatMap((table) =>
      cells(table, 'name'),
    )
    expect(names.slice(0, 3)).toEqual(['version 1', 'hostname core', 'vlan 0'])
  })

  test('[R2] numbers keep their separators, and a sentence ends after them', () => {
    const minutes = times(30, (at) => `Item ${at}, the ${['museum', 'town archive'][at % 2]}. The officers ask for £${100 + at},000.`)
    const asked = tables(minutes.join('\n')).find((table) => table.columns.has('ask for'))
    expect(asked?.rows).toBe(30)
    expect(cells(asked, 'ask for')[2]).toBe('£102,000')
  })

  test('[R2] objects that are empty are like the others of a map', () => {
    const yaml = ['lock: 1', 'snapshots:', ...times(30, (at) => (at % 3 === 0 ? `  p${at}:\n    needs: q${at}` : `  p${at}: {}`))].join(
      '\n',
    )
    expect(named(yaml, 'snapshots.*')?.rows).toBe(30)
  })
})

describe('a column', () => {
  test.each([
    ['spans', ['45h', '3d12h', '12m', '397d', '5h', '6h'], '397d', '34805520 s'],
    ['sizes', ['812K', '1.5G', '3M', '700', '2K', '4K'].map((size) => size.replace('700', '700B')), '1.5G', '1614596796 B'],
  ])('[R2] of %s in several units is one of numbers', (_what, values, largest, sum) => {
    const [profile] = profilesOf(tables(values.map((age, at) => ({ id: `A${at}`, age }))))
    expect(profile?.column('age')?.number?.max.text).toBe(largest)
    expect(profile?.column('age')?.number?.sum).toBe(sum)
  })
})
