import { nearestNames } from '../../schema/nearest-names.ts'
import { wordsOf } from '../facts/task-words.ts'
import { quantityOf } from '../view/quantity.ts'
import { cellText, isBlank, type Table } from '../view/table.ts'
import { timeOf } from '../view/time-of.ts'
import { cellsNamed } from './cells-named.ts'
import { type Condition, conditionOf, looserOf } from './conditions.ts'

/** Words that people use for the same thing; a name that has one of them may be meant by another. */
const FAMILIES = [
  'amount total price value cost sum balance fee paid charge revenue spend',
  'duration time elapsed ms millis second sec latency took took_ms length runtime seconds msec',
  'count number qty quantity total num n units',
  'status state result outcome conclusion phase condition disposition verdict',
  'name title label subject caption display',
  'type kind category class group genre sort exception error',
  'user author owner actor by who person sender from account member assignee username login',
  'date time timestamp at when day created ts datetime updated start begin',
  'level severity priority loglevel lvl grade',
  'host server node machine hostname instance',
  'message text msg description body content note comment detail reason',
  'size bytes length kb mb weight',
  'id identifier key ref reference code number no nr',
  'city town place location site region area',
  'country nation land',
  'file path filename folder directory',
  'address ip addr client remote source src',
  'end finish stop until to finished ended',
  'error exception failure fault problem',
  'version release rev revision',
  'service app component module application system logger',
  'product item article sku part',
  'customer client buyer company organisation organization vendor supplier payee',
].map((line) => new Set(line.split(' ').flatMap((word) => wordsOf(word))))

const BY_FAMILY = 0.6
const BY_ABBREVIATION = 0.8
const LOOKED_AT = 60

export interface MissingColumn {
  readonly name: string
  /** The numbers or moments of the column are asked for. */
  readonly isMeasured: boolean
  /** What its cells must be, if that is asked. */
  readonly condition?: Condition | undefined
}

export interface LikeTable {
  readonly table: Table
  /** For each name that is not there, the column that is most like it. */
  readonly instead: ReadonlyMap<string, string>
}

/** The table that has all columns that are known, and something like those that no table has. */
export function tableLike(tables: readonly Table[], known: readonly string[], missing: readonly MissingColumn[]): LikeTable | undefined {
  let best: (LikeTable & { readonly score: number }) | undefined
  for (const table of tables) {
    if (!known.every((name) => cellsNamed(table, name) !== undefined)) continue
    const found = missing.map((each) => ({ name: each.name, ...columnLike(table, each) }))
    if (found.some(({ column }) => column === undefined)) continue
    const score = found.reduce((sum, each) => sum + each.score, 0)
    const isBetter = best === undefined || score > best.score || (score === best.score && table.rows > best.table.rows)
    if (isBetter) best = { table, score, instead: new Map(found.map(({ name, column = '' }) => [name, column])) }
  }
  return best
}

function columnLike(table: Table, { name, isMeasured, condition }: MissingColumn): { readonly column?: string; readonly score: number } {
  const nearest = nearestNames(name, [...table.columns.keys()])
  const words = [...new Set(wordsOf(name))]
  let best: { readonly column?: string; readonly score: number } = { score: 0 }
  for (const [column, cells] of table.columns) {
    if (isMeasured && !isMeasure(cells)) continue
    const named = likeness(words, wordsOf(column)) + (nearest.includes(column) ? 1 : 0)
    const held = condition === undefined ? 0 : holding(cells, condition)
    const score = condition === undefined ? named : held === 0 ? 0 : named + held
    if (score > best.score) best = { column, score }
  }
  return best
}

/** How many of the words a name has, those of one family for less. */
function likeness(words: readonly string[], own: readonly string[]): number {
  if (words.length === 0) return 0
  const hits = words.map((word) => {
    if (own.includes(word)) return 1
    if (own.some((each) => isShortFor(each, word) || isShortFor(word, each))) return BY_ABBREVIATION
    return FAMILIES.some((family) => family.has(word) && own.some((each) => family.has(each))) ? BY_FAMILY : 0
  })
  return hits.reduce((sum: number, hit) => sum + hit, 0) / words.length
}

/** Whether cells are as a condition wants them: more where they are just so. */
function holding(cells: readonly unknown[], condition: Condition): number {
  if (cells.some(conditionOf(condition))) return 1
  const looser = looserOf(condition)
  return looser !== undefined && cells.some(looser) ? BY_FAMILY : 0
}

function isMeasure(cells: readonly unknown[]): boolean {
  const told = cells.filter((cell) => !isBlank(cell)).slice(0, LOOKED_AT)
  const measured = told.filter((cell) => quantityOf(cell) !== undefined || timeOf(cellText(cell)) !== undefined)
  return told.length > 0 && measured.length >= 0.8 * told.length
}

const SHORTEST = 3

/** `dept` for `department`, `qty` for `quantity`: its letters, in their order, from the same first one on. */
function isShortFor(short: string, word: string): boolean {
  if (short.length < SHORTEST || short.length >= word.length || short[0] !== word[0]) return false
  let at = 0
  for (const letter of short) {
    at = word.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  // A short name keeps the sounds that a word is known by: few letters of another word stand in it by chance.
  return word.startsWith(short) || short.length <= 5
}
