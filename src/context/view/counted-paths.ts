import { Table } from './table.ts'
import type { FoundView } from './view.ts'

const FEWEST_LINES = 12
const LONGEST_LINE = 4000
const LIKE_SHARE = 0.95
/** `main;run;read 248`, `812\t./src/a`: a path of several names, and a number behind it or before it. */
const NUMBER_LAST = /^([^\s:;/>\\]\S*?(?:;|\/|\\|>)\S*)\s+(\d[\d.,]*[kKMGTP]?i?B?)$/
const NUMBER_FIRST = /^\s*(\d[\d.,]*[kKMGTP]?i?B?)\s+(\S*(?:;|\/|\\|>)\S*|\.)$/
const SEPARATORS = /;|\/|\\|>/

/** Lines of a path and a number each, as profilers and programs that measure folders print them: where each path begins and ends, how deep it is, and the number. */
export function countedPaths(lines: readonly string[]): FoundView | undefined {
  const told = lines.flatMap((line, at) => (line.trim() === '' ? [] : [{ line: line.slice(0, LONGEST_LINE).trimEnd(), at }]))
  const isPath = ({ line }: { readonly line: string }): boolean => NUMBER_LAST.test(line) || NUMBER_FIRST.test(line)
  if (told.length < FEWEST_LINES || !told.slice(0, FEWEST_LINES).every(isPath)) return undefined
  const isFirst = NUMBER_FIRST.test(told[0]?.line ?? '')
  const read = told.map(({ line, at }) => {
    const [, a, b] = (isFirst ? NUMBER_FIRST : NUMBER_LAST).exec(line) ?? []
    return a === undefined || b === undefined ? undefined : { at, path: isFirst ? b : a, count: isFirst ? a : b }
  })
  const rows = read.filter((each) => each !== undefined)
  if (rows.length < LIKE_SHARE * told.length) return undefined
  const table = new Table('paths')
  for (const { at, path, count } of rows) {
    const names = path.split(SEPARATORS).filter((name) => name !== '' && name !== '.')
    const row = table.addRow({ ref: at })
    table.set(row, 'path', path)
    table.set(row, 'count', count)
    table.set(row, 'depth', names.length)
    if (names[0] !== undefined) table.set(row, 'first', names[0])
    if (names[1] !== undefined) table.set(row, 'second', names[1])
    table.set(row, 'last', names.at(-1))
  }
  const others = told.filter((_each, index) => read[index] === undefined)
  return {
    shape: 'mixed',
    tables: [table],
    sentences: others.map(({ line, at }) => ({ text: line.trim(), line: at + 1 })),
    document: { paths: rows.map(({ path, count }) => ({ path, count })) },
  }
}
