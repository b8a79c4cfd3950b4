import { cellText, type Table } from '../view/table.ts'
import type { OutputView, Sentence, Shape } from '../view/view.ts'
import { changeFacts } from './change-facts.ts'
import { columnFacts } from './column-facts.ts'
import { brief, type Fact, ORDER } from './fact.ts'
import { groupFacts } from './group-facts.ts'
import { KIND_WEIGHT } from './kind-weights.ts'
import { parentFacts } from './parent-facts.ts'
import { partFacts } from './part-facts.ts'
import { periodFacts } from './period-facts.ts'
import { repeatedFacts } from './repeated-facts.ts'
import { rowFacts } from './row-facts.ts'
import { sentenceFacts } from './sentence-facts.ts'
import { oddWords } from './odd-words.ts'
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
  const isMany = view.blobs.length > FEW_BLOBS
  if (isMany) facts.push(blobsFact(view.blobs))
  view.blobs.slice(0, 50).forEach(({ number, mediaType, bytes, dimensions, text }) =>
    facts.push({
      text: `blob${number}: ${mediaType}${dimensions === undefined ? '' : ` ${dimensions}`}, ${bytes} bytes${text === undefined ? '' : `, says: ${brief(text, 200)}`}`,
      worth: isMany && text === undefined ? 0.1 : 1.2,
      part: '',
      order: 0,
    }),
  )
  const most = profiles.reduce((rows, { table }) => Math.max(rows, table.rows), 1)
  for (const profile of profiles) facts.push(...tableFacts(profile, task, most))
  const seen = new Map<string, number>()
  for (const [path, value] of view.scalars) facts.push(scalarFact([path, value], task, seen))
  if (view.headings.length > 0) facts.push(headingsFact(view, task))
  facts.push(...repeatedFacts(view, profiles, TEXT_PART))
  const rows = new Set(facts.flatMap(({ text, order }) => (order === ORDER.row ? [text] : [])))
  const spoken = sentenceFacts({ ...view, sentences: [...view.sentences, ...spokenCells(view, profiles)] }, task, TEXT_PART)
  // A line of a log may stand out as a row and as a sentence.
  facts.push(...spoken.filter(({ text }) => !rows.has(text)))
  return facts
}

const FEW_BLOBS = 4

function blobsFact(blobs: OutputView['blobs']): Fact {
  const kinds = new Map<string, number>()
  for (const { mediaType } of blobs) kinds.set(mediaType, (kinds.get(mediaType) ?? 0) + 1)
  const sizes = blobs.map(({ bytes }) => bytes).toSorted((a, b) => a - b)
  const listed = [...kinds].map(([kind, count]) => `${kind} ${count}`).join(', ')
  return { text: `${blobs.length} blobs: ${listed}; ${sizes[0]} to ${sizes.at(-1)} bytes`, worth: 1.2, part: '', order: 0 }
}

function tableFacts(profile: TableProfile, task: TaskWords, most: number): Fact[] {
  const { table } = profile
  const outer = table.name.endsWith('*.*') ? profile.column('key')?.counts?.size : undefined
  const part = `${table.name}: ${table.rows} rows${outer === undefined ? '' : ` under ${outer} keys`}`
  const names = [...table.columns.keys()]
  const shown = names.slice(0, MOST_COLUMNS_NAMED).join(', ') + (names.length > MOST_COLUMNS_NAMED ? `, … ${names.length} columns` : '')
  const schema: Fact = {
    text: `${part}; ${shown}`,
    short: part,
    worth: KIND_WEIGHT.schema * (table.parent === undefined ? 3 : 1.8),
    part,
    order: ORDER.schema,
  }
  const weight = tableWeight(profile, most)
  if (table.rows === 1 && names.length <= FEW_COLUMNS)
    return [
      {
        text: `${table.name}: ${profile.rowText(0)}`,
        worth: KIND_WEIGHT.value * (ALARMING.test(table.name) ? 2 : 1),
        part: VALUES_PART,
        order: 0,
      },
    ]
  const own = [
    schema,
    ...columnFacts(profile, part),
    ...groupFacts(profile, part),
    ...partFacts(profile, part),
    ...periodFacts(profile, part),
    ...parentFacts(profile, part),
    ...changeFacts(profile, part),
    ...rowFacts(profile, part, task),
  ]
  return own.map((fact) => ({
    ...fact,
    worth: fact.worth * weight * (fact.order === ORDER.row ? 1 : byTask(fact.text, task) * byName(fact)),
  }))
}

/** `value 3: …`, `sum of number 2 by …`: nobody asks by these names. */
const OF_UNNAMED = /^(?:(?:sum|mean) of )?(?:(?:value|field|number|column) )?\d+(?=$|[ :(,])/

function byName({ text, order }: Fact): number {
  return order !== ORDER.schema && OF_UNNAMED.test(text) ? KIND_WEIGHT.unnamedColumn : 1
}

const FEW_COLUMNS = 14
const ALARMING = /(?:error|warning|failure|problem|exception)s?(?:\[\])?$/i

/** Of small tables beside large ones less is asked, and of what a message says in passing. */
function tableWeight({ table }: TableProfile, most: number): number {
  if (ALARMING.test(table.name)) return 1.3
  if (table.rows === 1) return 0.6
  const size = 0.35 + (0.65 * Math.log(1 + table.rows)) / Math.log(1 + most)
  return size * (table.name === 'links' ? 0.4 : table.weight)
}

function byTask(text: string, task: TaskWords): number {
  const hits = task.hits(text.slice(0, 200))
  return hits === 0 ? 1 : hits === 1 ? 1.8 : 2.6
}

/** What says how an answer goes on, what is in it, and whether it is right. */
const TELLING = /(?:next|cursor|token|total|count|error|warning|version|status|more|continu\w*|scroll\w*|message|sum)\w*$/i

function scalarFact([path, value]: readonly [string, unknown], task: TaskWords, seen: Map<string, number>): Fact {
  const text = `${path}: ${brief(cellText(value), 200)}`
  // A name that comes again and again is one of many like things.
  const name = path.split(/[.:]\s?/).at(-1) ?? ''
  const before = seen.get(name) ?? 0
  seen.set(name, before + 1)
  const worth = (TELLING.test(path) ? 1.6 : 1) * (before < 3 ? 1 : before < 8 ? 0.5 : 0.15)
  return { text, worth: KIND_WEIGHT.value * worth * byTask(path, task), part: VALUES_PART, order: 0 }
}

const MOST_HEADINGS = 40
const FEW_HEADINGS = 8

/** All headings in one line; in short, those that the task names, and the first. */
function headingsFact({ headings }: OutputView, task: TaskWords): Fact {
  const texts = headings.map(({ text }) => brief(text, 60))
  const near = texts.filter((text) => task.hits(text) > 0)
  const short = [...new Set([...near.slice(0, FEW_HEADINGS / 2), ...texts.slice(0, FEW_HEADINGS / 2)])]
  const more = headings.length > MOST_HEADINGS ? `; … ${headings.length} in all` : ''
  return {
    text: `headings: ${texts.slice(0, MOST_HEADINGS).join('; ')}${more}`,
    ...(headings.length > FEW_HEADINGS ? { short: `headings: ${short.join('; ')}; … ${headings.length} in all` } : {}),
    worth: 1.5,
    part: '',
    order: 0,
  }
}

const FEWEST_WORDS = 4
/** Outputs whose sentences the view has found itself. */
const SPOKEN_SHAPES: ReadonlySet<Shape> = new Set<Shape>(['log', 'trace', 'mail', 'chat', 'html', 'diff'])
const LONGEST_CELL = 160

/** Cells in which somebody says something: short texts of many words, most of them different. Longer ones are sentences of the view. */
function spokenCells({ shape }: OutputView, profiles: readonly TableProfile[]): Sentence[] {
  if (SPOKEN_SHAPES.has(shape)) return []
  return profiles.flatMap((profile) =>
    profile.columns.flatMap(({ name, kind, counts, filled }) => {
      if (kind === 'number' || kind === 'time' || counts === undefined || counts.size < 12 || filled < 12) return []
      const sample = [...counts.keys()].slice(0, 40)
      const words = sample.reduce((sum, text) => sum + text.split(' ').length, 0) / sample.length
      if (words < FEWEST_WORDS) return []
      const { table } = profile
      const weight = oddWords(counts)
      return table.refs.flatMap((ref, row): Sentence[] => {
        const text = cellText(table.cell(row, name))
        if (text.length < 12 || text.length > LONGEST_CELL) return []
        return [{ text, line: ref, place: `${profile.label(row)} ${name}`, weight: weight(text) }]
      })
    }),
  )
}
