import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { labelledSet } from '../../scripts/select/selection-data.ts'
import type { Catalog } from '../../src/select/catalog.ts'
import { builtPackage } from '../built-package.ts'
import type { Benchmark, Figure } from '../figure.ts'
import { importCosts, textOf } from '../import-time.ts'
import { quantileOf, quartilesOf } from '../quartiles.ts'
import { type BenchTool, benchTools, dataFolder, manyTools, shuffled } from './bench-tools.ts'
import { benchCatalog, miniSearcher, oramaSearcher } from './searchers.ts'

/** The larger one first: its memory is measured before there is any other. */
const SIZES = { '10k': { size: 10_000, mostUs: 500, tracedUs: 500 }, '1k': { size: 1000, mostUs: 100, tracedUs: 200 } }
const TRACES = 10_000
/** Each request is timed so often, and its fastest time counts: other programs of the machine are not measured. */
const TIMES = 7
const REQUESTS = 400

/** What selecting costs. The catalogs hold as many traces as are kept, up to 10,000. */
export const selectSpeed: Benchmark = {
  name: 'select-speed',
  run: async ({ starts }) => {
    const folder = dataFolder()
    const { queries } = labelledSet(folder, 'metatool')
    const requests = shuffled(queries).map(({ q }) => q)
    const all = benchTools(manyTools(folder))
    const figures: Figure[] = []
    for (const [name, { size, mostUs, tracedUs }] of Object.entries(SIZES)) {
      const tools = all.slice(0, size)
      const { catalog, ms, bytes } = await built(tools)
      const mini = miniSearcher(tools)
      const plain = await timed((text) => catalog.select(text, { k: 5 }), requests)
      await catalog.learn(
        requests
          .slice(0, TRACES)
          .map((text, at) => ({ text, tool: (tools[(at * 7) % tools.length] as BenchTool).tool.name, served: true })),
      )
      await catalog.refit()
      const traced = await timed((text) => catalog.select(text, { k: 5 }), requests)
      const peer = await timed((text) => mini(text, 5), requests.slice(0, 100))
      const orama = await oramaSearcher(tools)
      const other = await timed((text) => orama(text, 5), requests.slice(0, 50))
      figures.push(
        figureOf(`select-${name}`, {
          unit: 'us',
          baseline: peer.p50,
          subject: plain.p50,
          budget: mostUs,
          about: `p50, beside minisearch (orama ${Math.round(other.p50)} us)`,
        }),
        figureOf(`select-${name}-p99`, { unit: 'us', baseline: peer.p99, subject: plain.p99, budget: 2000, about: 'p99' }),
        figureOf(`select-${name}-traces`, {
          unit: 'us',
          baseline: plain.p50,
          subject: traced.p50,
          budget: tracedUs,
          goal: mostUs,
          about: `p50 with ${catalog.traces().length} traces, beside none`,
        }),
        figureOf(`select-${name}-traces-p99`, {
          unit: 'us',
          baseline: plain.p99,
          subject: traced.p99,
          budget: 2000,
          about: 'p99 with traces',
        }),
      )
      if (name === '1k') continue
      const changed = await changes(catalog, tools)
      figures.push(
        figureOf('select-index', { unit: 'ms', baseline: 0, subject: ms, budget: 1000, about: `processor time to index ${size} tools` }),
        figureOf('select-memory', {
          unit: 'bytes',
          baseline: 0,
          subject: bytes,
          budget: 40_000_000,
          about: `the index of ${size} tools, word vectors included`,
        }),
        figureOf('select-change', { unit: 'us', baseline: 0, subject: changed, budget: 1000, about: 'a tool removed and added again' }),
      )
    }
    const subpath = pathToFileURL(join(await builtPackage(), 'select/index.js')).href
    const costs = await importCosts(subpath, starts)
    const { modules, bytes } = await textOf(subpath)
    figures.push(
      { ...costs, name: 'select-import', budget: 60, about: `the built subpath, ${modules} modules, beside an empty program` },
      figureOf('select-import-bytes', {
        unit: 'bytes',
        baseline: 0,
        subject: bytes,
        budget: 770_000,
        about: 'the text of these modules',
      }),
    )
    return figures
  },
}

/** Memory is counted without the tools, which are there before. */
async function built(tools: readonly BenchTool[]): Promise<{ catalog: Catalog; ms: number; bytes: number }> {
  const before = usedBytes()
  const start = process.cpuUsage()
  const catalog = await benchCatalog(tools)
  const { user, system } = process.cpuUsage(start)
  return { catalog, ms: (user + system) / 1000, bytes: usedBytes() - before }
}

function usedBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function changes(catalog: Catalog, tools: readonly BenchTool[]): Promise<number> {
  const costs: number[] = []
  for (let at = 0; at < 200; at++) {
    const { tool, listed } = tools[at * 31] as BenchTool
    const start = performance.now()
    catalog.remove(tool.name)
    await catalog.add([tool], { server: listed.server })
    costs.push((performance.now() - start) * 1000)
  }
  return quantileOf(costs, 0.5)
}

interface Times {
  readonly p50: number
  readonly p99: number
}

/** In microseconds. */
async function timed(search: (text: string) => Promise<unknown>, requests: readonly string[]): Promise<Times> {
  const fastest = requests.slice(0, REQUESTS).map(() => Infinity)
  for (let round = 0; round < TIMES; round++) {
    for (const [at, text] of requests.slice(0, REQUESTS).entries()) {
      const start = performance.now()
      await search(text)
      fastest[at] = Math.min(fastest[at] ?? Infinity, (performance.now() - start) * 1000)
    }
  }
  return { p50: quantileOf(fastest, 0.5), p99: quantileOf(fastest, 0.99) }
}

function figureOf(name: string, rest: Pick<Figure, 'unit' | 'baseline' | 'subject' | 'budget' | 'goal' | 'about'>): Figure {
  return { name, compares: 'difference', quartiles: quartilesOf([rest.subject]), ...rest }
}
