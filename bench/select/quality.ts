import { type LabelledRequest, labelledSet } from '../../scripts/select/selection-data.ts'
import type { TextVectors } from '../../src/select/word-vectors.ts'
import type { Benchmark, Figure } from '../figure.ts'
import { benchTools, benchVectors, dataFolder, hashOf, manyTools, shuffled } from './bench-tools.ts'
import { type BenchTrace, catalogSearcher, miniSearcher, oramaSearcher, type Searcher } from './searchers.ts'

/** One of so many tools has no traces. */
const HELD_OUT = 3
/** Requests of a measurement at the most. */
const MOST = 1000

/**
 * How many of 100 needed tools a search misses, beside minisearch. A third of the tools is held out wherever something is learned: no trace
 * speaks of them.
 */
export const selectQuality: Benchmark = {
  name: 'select-quality',
  run: async () => {
    const folder = dataFolder()
    const vectors = await benchVectors()
    const note = vectors === undefined ? '; THE VECTORS HAVE SEEN THESE REQUESTS, see --vectors' : ''
    const metatool = labelledSet(folder, 'metatool')
    const few = benchTools(metatool.tools)
    const many = benchTools(manyTools(folder))
    const requests = shuffled(metatool.queries.filter(({ gold }) => gold.length === 1))
    const mini = miniSearcher(few)
    const orama = await oramaSearcher(few)
    const miniOfMany = miniSearcher(many)
    const plain = await catalogSearcher(few, { vectors })
    const figures: Figure[] = [
      await missed('select-zero-shot', { mini, orama, ours: plain }, { requests: requests.slice(0, MOST), rate: recall(5), budget: 28 }),
    ]
    for (const [name, traces, budget] of [
      ['1-trace', 1, 25],
      ['10-traces', 10, 18],
      ['all-traces', 100, 12],
    ] as const) {
      const { learned, rest } = split(requests, traces)
      const ours = await catalogSearcher(few, { vectors, traces: learned })
      figures.push(await missed(`select-${name}`, { mini, ours }, { requests: rest, rate: bothRecalls(5), budget }))
      figures.push(await missed(`select-${name}-new`, { mini, ours }, { requests: rest.filter(isNew), rate: recall(5) }))
    }
    const { learned, rest } = split(requests, 10)
    const ofMany = await catalogSearcher(many, { vectors, traces: learned })
    const newOnes = rest.filter(isNew).slice(0, MOST)
    figures.push(
      await missed(
        'select-many-new-first',
        { mini: miniOfMany, ours: ofMany },
        { requests: newOnes, rate: recall(1), budget: 78, goal: 75 },
      ),
      await missed('select-many', { mini: miniOfMany, ours: ofMany }, { requests: rest.slice(0, MOST), rate: bothRecalls(5) }),
      await twoTools(folder, vectors),
    )
    return figures.map((figure) => ({ ...figure, about: `${figure.about}${figure.name.includes('two') ? '' : note}` }))
  },
}

/** Requests of Seal-Tools, StableToolBench and MetaTool that need two tools, among the tools of each. */
async function twoTools(folder: string, vectors: TextVectors | undefined): Promise<Figure> {
  const requests: LabelledRequest[] = []
  const sides = new Map<LabelledRequest, Required<Sides>>()
  for (const name of ['seal', 'stb', 'metatool'] as const) {
    const { tools, queries } = labelledSet(folder, name)
    const made = benchTools(tools)
    const side = { mini: miniSearcher(made), orama: await oramaSearcher(made), ours: await catalogSearcher(made, { vectors }) }
    for (const request of queries.filter(({ gold }) => gold.length === 2)) {
      requests.push(request)
      sides.set(request, side)
    }
  }
  const asked = new Map(requests.map((request) => [request.q, sides.get(request)]))
  const by =
    (side: keyof Sides): Searcher =>
    async (request, count) =>
      (await asked.get(request)?.[side]?.(request, count)) ?? []
  return missed(
    'select-two-tools',
    { mini: by('mini'), orama: by('orama'), ours: by('ours') },
    { requests, rate: complete(10), budget: 27, goal: 19 },
  )
}

/** Tools that are not held out keep so many requests as traces; all others are asked. */
function split(requests: readonly LabelledRequest[], most: number): { learned: readonly BenchTrace[]; rest: readonly LabelledRequest[] } {
  const counts = new Map<string, number>()
  const totals = new Map<string, number>()
  for (const { gold } of requests) totals.set(idOf(gold), (totals.get(idOf(gold)) ?? 0) + 1)
  const learned: BenchTrace[] = []
  const rest: LabelledRequest[] = []
  for (const request of requests) {
    const id = idOf(request.gold)
    const count = counts.get(id) ?? 0
    // Some requests of each tool are left to ask.
    if (isNew(request) || count >= Math.min(most, (totals.get(id) ?? 0) * 0.7)) rest.push(request)
    else {
      counts.set(id, count + 1)
      learned.push({ text: request.q, id })
    }
  }
  return { learned, rest: rest.filter((_, at) => at % Math.ceil(rest.length / (2 * MOST)) === 0) }
}

const isNew = ({ gold }: LabelledRequest): boolean => hashOf(idOf(gold)) % HELD_OUT === 0

function idOf(gold: LabelledRequest['gold']): string {
  return gold[0]?.[0] ?? ''
}

/** The ids that were found for each request. */
type Found = readonly { readonly request: LabelledRequest; readonly ids: readonly string[] }[]

interface Rate {
  readonly depth: number
  readonly about: string
  /** From 0 to 100. */
  readonly of: (found: Found) => number
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
    of: (found) => {
      const fresh = of(found.filter(({ request }) => isNew(request)))
      const known = of(found.filter(({ request }) => !isNew(request)))
      return (2 * fresh * known) / (fresh + known || 1)
    },
  }
}

function complete(depth: number): Rate {
  const of = (found: Found): number =>
    (100 * found.filter(({ request, ids }) => request.gold.every((any) => any.some((id) => ids.includes(id)))).length) / found.length
  return { depth, of, about: `not all among the first ${depth}` }
}

/** What is compared; orama only where nothing has been learned. */
interface Sides {
  readonly mini: Searcher
  readonly orama?: Searcher | undefined
  readonly ours: Searcher
}

interface Measured {
  readonly requests: readonly LabelledRequest[]
  readonly rate: Rate
  readonly budget?: number | undefined
  readonly goal?: number | undefined
}

async function missed(name: string, { mini, orama, ours }: Sides, { requests, rate, budget, goal }: Measured): Promise<Figure> {
  const missedBy = async (searcher: Searcher): Promise<number> => {
    const found = []
    for (const request of requests) found.push({ request, ids: await searcher(request.q, rate.depth) })
    return 100 - rate.of(found)
  }
  const baseline = await missedBy(mini)
  const subject = await missedBy(ours)
  const other = orama === undefined ? '' : ` (orama ${(await missedBy(orama)).toFixed(1)} %)`
  const about = `${rate.about}, ${requests.length} requests, beside minisearch${other}`
  const quartiles = { q1: subject, median: subject, q3: subject }
  return { name, unit: '%', compares: 'difference', baseline, subject, quartiles, budget, goal, about }
}
