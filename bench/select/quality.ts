import { type LabelledRequest, labelledSet } from '../../scripts/select/selection-data.ts'
import type { TextVectors } from '../../src/select/word-vectors.ts'
import type { Benchmark, Figure } from '../figure.ts'
import { benchTools, benchVectors, dataFolder, hashOf, manyTools, measuredPart, type Part, partOf, shuffled } from './bench-tools.ts'
import { type BenchTrace, catalogSearcher, miniSearcher, oramaSearcher, type Searcher } from './searchers.ts'

/** Each third of the tools is held out in turn. */
const FOLDS = [0, 1, 2] as const
/** Requests of a measurement at the most, for each third. */
const MOST = 800
/** The sets with requests for several tools, by the part that they belong to. */
const SETS_OF_MANY = { tune: ['seal'], report: ['stb', 'metatool'] } as const

/**
 * How many of 100 needed tools a search misses, beside minisearch. Wherever something is learned, a third of the tools is held out: no trace
 * speaks of them. Figures, and what budgets judge, are the mean of the three thirds.
 */
export const selectQuality: Benchmark = {
  name: 'select-quality',
  run: async () => {
    const folder = dataFolder()
    const vectors = await benchVectors()
    const part = measuredPart()
    const note = `; the part '${part}'`
    const metatool = labelledSet(folder, 'metatool')
    const few = benchTools(metatool.tools)
    const many = benchTools(manyTools(folder))
    const requests = shuffled(metatool.queries.filter(({ gold }) => gold.length === 1))
    const mini = miniSearcher(few)
    const orama = await oramaSearcher(few)
    const miniOfMany = miniSearcher(many)
    const plain = await catalogSearcher(few, { vectors })
    const measured = requests.filter(({ gold }) => partOf(idOf(gold)) === part)
    const figures: Figure[] = [
      await missed('select-zero-shot', [{ mini, orama, ours: plain, requests: measured.slice(0, MOST) }], { rate: recall(5), budget: 28 }),
    ]
    for (const [name, traces, budget, goal] of [
      ['1-trace', 1, 25, 25],
      ['10-traces', 10, 18, 18],
      ['all-traces', 100, 12, 12],
    ] as const) {
      const folds: Fold[] = []
      for (const fold of FOLDS) {
        const { learned, rest } = split(requests, { most: traces, fold, part })
        folds.push({ mini, ours: await catalogSearcher(few, { vectors, traces: learned }), requests: rest, fold })
      }
      figures.push(await missed(`select-${name}`, folds, { rate: bothRecalls(5), budget, goal }))
      figures.push(await missed(`select-${name}-new`, folds.map(newOnes), { rate: recall(5) }))
    }
    const ofMany: Fold[] = []
    for (const fold of FOLDS) {
      const { learned, rest } = split(requests, { most: 10, fold, part })
      const ours = await catalogSearcher(many, { vectors, traces: learned })
      ofMany.push({ mini: miniOfMany, ours, requests: rest, fold })
    }
    figures.push(
      await missed('select-many-new-first', ofMany.map(newOnes), { rate: recall(1), budget: 75, goal: 75 }),
      await missed('select-many', ofMany, { rate: bothRecalls(5) }),
      ...(await severalTools(folder, vectors, part)),
    )
    return figures.map((figure) => ({ ...figure, about: `${figure.about}${note}` }))
  },
}

/** Requests that need two tools, and those that need more, among the tools of their set. */
async function severalTools(folder: string, vectors: TextVectors | undefined, part: Part): Promise<Figure[]> {
  const two: Fold[] = []
  const more: Fold[] = []
  for (const name of SETS_OF_MANY[part]) {
    const { tools, queries } = labelledSet(folder, name)
    const made = benchTools(tools)
    const side = { mini: miniSearcher(made), orama: await oramaSearcher(made), ours: await catalogSearcher(made, { vectors }) }
    two.push({ ...side, set: name, requests: queries.filter(({ gold }) => gold.length === 2) })
    more.push({ ...side, set: name, requests: queries.filter(({ gold }) => gold.length > 2) })
  }
  const isAny = ({ requests }: Fold): boolean => requests.length > 0
  return [
    await missed('select-two-tools', two.filter(isAny), { rate: complete(10), budget: 27, goal: 19 }),
    await missed('select-more-tools', more.filter(isAny), { rate: complete(10) }),
  ]
}

interface Split {
  readonly most: number
  readonly fold: number
  readonly part: Part
}

/** Tools that are not held out keep so many requests as traces; of all others those of the part are asked. */
function split(
  requests: readonly LabelledRequest[],
  { most, fold, part }: Split,
): { learned: readonly BenchTrace[]; rest: readonly LabelledRequest[] } {
  const counts = new Map<string, number>()
  const totals = new Map<string, number>()
  for (const { gold } of requests) totals.set(idOf(gold), (totals.get(idOf(gold)) ?? 0) + 1)
  const learned: BenchTrace[] = []
  const others: LabelledRequest[] = []
  for (const request of requests) {
    const id = idOf(request.gold)
    const count = counts.get(id) ?? 0
    // Some requests of each tool are left to ask.
    if (isNew(request, fold) || count >= Math.min(most, (totals.get(id) ?? 0) * 0.7)) others.push(request)
    else {
      counts.set(id, count + 1)
      learned.push({ text: request.q, id })
    }
  }
  const rest = others.filter(({ gold }) => partOf(idOf(gold)) === part)
  return { learned, rest: rest.filter((_, at) => at % Math.ceil(rest.length / MOST) === 0) }
}

const isNew = ({ gold }: LabelledRequest, fold: number | undefined): boolean => hashOf(idOf(gold)) % FOLDS.length === fold

const newOnes = (fold: Fold): Fold => ({ ...fold, requests: fold.requests.filter((request) => isNew(request, fold.fold)) })

function idOf(gold: LabelledRequest['gold']): string {
  return gold[0]?.[0] ?? ''
}

/** The ids that were found for each request. */
type Found = readonly { readonly request: LabelledRequest; readonly ids: readonly string[] }[]

interface Rate {
  readonly depth: number
  readonly about: string
  /** From 0 to 100. */
  readonly of: (found: Found, fold?: number) => number
}

function recall(depth: number): Rate {
  const of = (found: Found): number => {
    const shares = found.map(({ request, ids }) => {
      const first = new Set(ids.slice(0, depth))
      return request.gold.filter((any) => any.some((id) => first.has(id))).length / request.gold.length
    })
    return (100 * shares.reduce((sum, share) => sum + share, 0)) / shares.length
  }
  return { depth, of, about: `not among the first ${depth}` }
}

/** The harmonic mean of tools with and without traces: a search that neglects either one is worth little. */
function bothRecalls(depth: number): Rate {
  const { of } = recall(depth)
  return {
    depth,
    about: `not among the first ${depth}, harmonic mean of tools with and without traces`,
    of: (found, fold) => {
      const fresh = of(found.filter(({ request }) => isNew(request, fold)))
      const known = of(found.filter(({ request }) => !isNew(request, fold)))
      return (2 * fresh * known) / (fresh + known || 1)
    },
  }
}

function complete(depth: number): Rate {
  const of = (found: Found): number =>
    (100 * found.filter(({ request, ids }) => request.gold.every((any) => any.some((id) => ids.includes(id)))).length) / found.length
  return { depth, of, about: `not all among the first ${depth}` }
}

/** What is compared, on which requests; orama only where nothing has been learned. */
interface Fold {
  readonly mini: Searcher
  readonly orama?: Searcher | undefined
  readonly ours: Searcher
  readonly requests: readonly LabelledRequest[]
  /** The third of the tools that is held out. */
  readonly fold?: number | undefined
  /** The set of the requests, where a figure has several. */
  readonly set?: string | undefined
}

interface Measured {
  readonly rate: Rate
  readonly budget?: number | undefined
  readonly goal?: number | undefined
}

/** The folds count by their mean; the sets of a figure that holds out nothing count by their requests. */
async function missed(name: string, folds: readonly Fold[], { rate, budget, goal }: Measured): Promise<Figure> {
  const bySet: string[] = []
  const missedBy = async (side: 'mini' | 'orama' | 'ours'): Promise<readonly number[]> => {
    const each: number[] = []
    const all: { request: LabelledRequest; ids: readonly string[] }[] = []
    for (const { requests, fold, set, ...sides } of folds) {
      const found = []
      for (const request of requests) found.push({ request, ids: (await sides[side]?.(request.q, rate.depth)) ?? [] })
      all.push(...found)
      if (fold !== undefined) each.push(100 - rate.of(found, fold))
      if (side === 'ours' && set !== undefined) bySet.push(`${set} ${(100 - rate.of(found)).toFixed(1)} % of ${found.length}`)
    }
    return each.length > 0 ? each : [100 - rate.of(all)]
  }
  const subjects = await missedBy('ours')
  const subject = mean(subjects)
  const other = folds[0]?.orama === undefined ? '' : ` (orama ${mean(await missedBy('orama')).toFixed(1)} %)`
  const count = folds.reduce((sum, { requests }) => sum + requests.length, 0)
  const sets = bySet.length === 0 ? '' : ` (${bySet.join(', ')})`
  const about = `${rate.about}, ${count} requests${sets}${spreadOf(subjects)}, beside minisearch${other}`
  const quartiles = { q1: subject, median: subject, q3: subject }
  return { name, unit: '%', compares: 'difference', baseline: mean(await missedBy('mini')), subject, quartiles, budget, goal, about }
}

function spreadOf(thirds: readonly number[]): string {
  return thirds.length > 1 ? `, mean of thirds with ${thirds.map((each) => each.toFixed(1)).join(', ')} %` : ''
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}
