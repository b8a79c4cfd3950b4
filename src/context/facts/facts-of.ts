import { cellText, type Table } from '../view/table.ts'
import type { OutputView } from '../view/view.ts'
import { columnFacts } from './column-facts.ts'
import { brief, type Fact, ORDER } from './fact.ts'
import { groupFacts } from './group-facts.ts'
import { rowFacts } from './row-facts.ts'
import { sentenceFacts } from './sentence-facts.ts'
import { TableProfile } from './table-profile.ts'
import type { TaskWords } from './task-words.ts'

const MOST_COLUMNS_NAMED = 40
const TEXT_PART = 'text'
const VALUES_PART = 'values'

/** The profiles of all tables of a view, parents first. */
export function profilesOf(tables: readonly Table[]): TableProfile[] {
  const known = new Map<Table, TableProfile>()
  return tables.map((table) => {
    const profile = new TableProfile(table, table.parent === undefined ? undefined : known.get(table.parent))
    known.set(table, profile)
    return profile
  })
}

/** Everything that can be said of an output, each with its worth for the task. */
export function factsOf(view: OutputView, profiles: readonly TableProfile[], task: TaskWords): Fact[] {
  const facts: Fact[] = view.notes.map((text) => ({ text, worth: 2.5, part: '', order: -1 }))
  view.blobs.slice(0, 50).forEach(({ number, mediaType, bytes, dimensions, text }) =>
    facts.push({ text: `blob${number}: ${mediaType}${dimensions === undefined ? '' : ` ${dimensions}`}, ${bytes} bytes${text === undefined ? '' : `, says: ${brief(text, 200)}`}`, worth: 1.2, part: '', order: 0 }),
  )
  for (const profile of profiles) facts.push(...tableFacts(profile, task))
  for (const [path, value] of view.scalars) facts.push(scalarFact(path, value, task))
  view.headings.forEach(({ text, line }) => facts.push({ text: brief(text), worth: 0.7 + 0.4 * task.hits(text), part: 'headings', order: line }))
  facts.push(...sentenceFacts(view, task, TEXT_PART))
  return facts
}

function tableFacts(profile: TableProfile, task: TaskWords): Fact[] {
  const { table } = profile
  const part = table.name
  const names = [...table.columns.keys()]
  const shown = names.slice(0, MOST_COLUMNS_NAMED).join(', ') + (names.length > MOST_COLUMNS_NAMED ? `, … ${names.length} columns` : '')
  const schema: Fact = { text: `${table.name}: ${table.rows} rows; ${shown}`, short: `${table.name}: ${table.rows} rows`, worth: 3, part, order: ORDER.schema }
  const weight = tableWeight(profile)
  const own = [schema, ...columnFacts(profile, part), ...groupFacts(profile, part), ...rowFacts(profile, part, task)]
  return own.map((fact) => ({ ...fact, worth: fact.worth * weight * (fact.order === ORDER.row ? 1 : byTask(fact.text, task)) }))
}

/** Of tables with one row, and of lists in a record, less is asked. */
function tableWeight({ table }: TableProfile): number {
  return table.rows === 1 ? 0.6 : table.name === 'links' ? 0.4 : 1
}

function byTask(text: string, task: TaskWords): number {
  const hits = task.hits(text.slice(0, 200))
  return hits === 0 ? 1 : hits === 1 ? 1.8 : 2.6
}

function scalarFact(path: string, value: unknown, task: TaskWords): Fact {
  const text = `${path}: ${brief(cellText(value), 200)}`
  return { text, worth: 1 * byTask(path, task), part: VALUES_PART, order: 0 }
}
