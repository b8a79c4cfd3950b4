import { Table } from './table.ts'
import type { FoundView, Sentence } from './view.ts'

const LOOKED_AT = 600
const FEWEST_DEFINITIONS = 4
const DEFINED =
  /^(\s*)(?:(?:export|default|public|private|protected|static|async|abstract|final|pub|override)\s+)*(class|interface|struct|enum|trait|def|function|func|fn|impl|module|namespace)\s+([A-Za-z_$][\w$.]{0,80})/
const CONSTANT = /^(?:(?:export|const|let|var|static|final|pub)\s+)*([A-Z][A-Z0-9_]{2,60})\s*(?::[^=]{0,60})?=\s*(.{1,200})$/
const CODE =
  /[;{}(]\s*$|^\s*(?:return|import|from|if|for|while|else|const|let|var|@|#include|use )|\)\s*:?\s*$|^\s*[\w.]+\s*=\s|^\s*(?:"""|\/\/|\/\*|\*|#)/
/** What a reader of code looks for. */
const NOTABLE = /\b(?:TODO|FIXME|HACK|XXX|BUG|NOTE|WARNING|DEPRECATED)\b|\b(?:raise|throw|panic!?|abort)\b/

/** Source code: what it defines, its constants, and what was noted in it; undefined for anything else. */
export function sourceView(lines: readonly string[]): FoundView | undefined {
  const sample = lines.filter((line) => line.trim() !== '').slice(0, LOOKED_AT)
  const defined = sample.filter((line) => DEFINED.test(line.slice(0, 400))).length
  if (defined < FEWEST_DEFINITIONS || sample.filter((line) => CODE.test(line.slice(0, 400))).length < 0.6 * sample.length) return undefined
  const table = new Table('definitions')
  const scalars: (readonly [string, unknown])[] = []
  const sentences: Sentence[] = []
  const marks: Sentence[] = []
  const owners: { readonly indent: number; readonly name: string }[] = []
  lines.forEach((whole, at) => {
    const line = whole.slice(0, 400)
    const [, indent = '', kind, name] = DEFINED.exec(line) ?? []
    if (kind !== undefined && name !== undefined) {
      while (owners.length > 0 && (owners.at(-1)?.indent ?? 0) >= indent.length) owners.pop()
      const row = table.addRow({ ref: at })
      table.set(row, 'name', name)
      table.set(row, 'kind', kind)
      const owner = owners.map((each) => each.name).join('.')
      if (owner !== '') table.set(row, 'in', owner)
      table.set(row, 'line', at + 1)
      marks.push({ text: owner === '' ? name : `${owner}.${name}`, line: at + 1 })
      owners.push({ indent: indent.length, name })
      return
    }
    const constant = CONSTANT.exec(line)
    if (constant !== null) scalars.push([constant[1] ?? '', (constant[2] ?? '').replace(/;$/, '')])
    else if (NOTABLE.test(line) || at < 8 || /^\s*(?:import|from|use|#include)\s/.test(line)) {
      if (line.trim() !== '') sentences.push({ text: line.trim(), line: at + 1, place: marks.at(-1)?.text })
    }
  })
  return {
    shape: 'mixed',
    tables: [table],
    scalars,
    sentences,
    marks,
    document: {
      definitions: table.refs.map((ref, row) => ({
        line: ref + 1,
        name: table.cell(row, 'name'),
        kind: table.cell(row, 'kind'),
        in: table.cell(row, 'in'),
      })),
    },
  }
}
