import { describe, expect, test } from 'vitest'
import type { Table } from './table.ts'
import { viewOf } from './view-of.ts'

const lines = (count: number, write: (at: number) => string): string => Array.from({ length: count }, (_, at) => write(at)).join('\n')
const shown = ({ name, rows, columns }: Table): string => `${name} ${rows}: ${[...columns.keys()].join(', ')}`

const SHAPES: readonly (readonly [what: string, text: string, tables: readonly string[]])[] = [
  [
    'fields by their places',
    lines(20, (at) => `10.0.0.${at}:5000 10.1.0.1:80 0.${at}12 200 "GET /a HTTP/1.1"`),
    ['lines 20: client, client port, target, target port, number 3, status, method, path'],
  ],
  ['places in files', lines(20, (at) => `src/a${at}.ts:${at + 1}: const x = ${at}`), ['lines 20: file, folder, type, line, text']],
  [
    'a listing of folders',
    `./a:\n${lines(20, (at) => `-rw-r--r-- 1 ada staff ${at}00 Jan 12 10:00 f${at}.txt`)}`,
    ['lines 20: section, mode, links, owner, group, size, date, name, type'],
  ],
  [
    'records with a key on each line',
    lines(6, (at) => `[host ${at}]\nroot = /srv/${at}\nport = ${at}\n`),
    ['records 6: section, root, port'],
  ],
  ['a list with dots', `TOOLS\n\n${lines(6, (at) => `saw ${at} ........ ${at}.50`)}`, ['list 6: section, name, value']],
  [
    'a tree of settings',
    `jobs:\n${lines(6, (at) => `  job${at}:\n    image: a:${at}\n    retries: ${at}`)}`,
    ['jobs.* 6: key, image, retries'],
  ],
  ['source code', lines(6, (at) => `class K${at}:\n    def run(self):\n        return ${at}\n`), ['definitions 12: name, kind, line, in']],
  [
    'commits',
    lines(9, (at) => `commit a${at}b\nAuthor: Ada\n\n    change ${at} of it\n\n1\t${at}\tsrc/a.ts\n`),
    ['records 9: commit, author, text', 'records.lines 9: added, removed, file'],
  ],
  [
    'a table between a title and a total',
    `Stock;;\nid;name;price\n${lines(9, (at) => `${at};n${at};${at},50`)}\nTotal;;36,00`,
    ['rows 9: id, name, price'],
  ],
  [
    'objects of objects',
    JSON.stringify(
      Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`/p${at}`, { get: { id: at }, ...(at > 2 ? { put: { id: at } } : {}) }])),
    ),
    ['*.* 9: key, key 2, id'],
  ],
]

describe('what repeats in a text is a table', () => {
  test.each(SHAPES)('[R2] %s', (_what, text, tables) => {
    expect(viewOf({ text }).tables.map(shown)).toEqual(tables)
  })
})
