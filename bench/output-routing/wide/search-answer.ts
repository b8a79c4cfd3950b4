import type { BenchOutput } from '../bench-output.ts'
import { all, highest, person, question } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { absent, coined, countBy, day, filler, inside, mostOf, round, skewed, tally, times } from './shared.ts'

const START = Date.UTC(2026, 2, 3, 6)

/** An answer of a search engine: hits with scores and highlights, buckets, a scroll id. */
export function searchAnswer(seed: number): BenchOutput {
  const random = randomOf(seed)
  const sources = ['wiki', 'tickets', 'mail', 'drive']
  const hits = times(120, (at) => ({
    _index: `kb-${2023 + (at % 4)}`,
    _id: random.hex(12),
    _score: round(18 - at * 0.11 - random.next() * 0.05, 3),
    _source: {
      title: `${random.pick(['How to', 'Notes on', 'Review of', 'Plan for'])} ${coined(random, 3)} ${random.pick(['migration', 'backup', 'billing', 'onboarding'])}`,
      author: person(random),
      source: random.pick(sources),
      updated: day(START - random.int(1, 900) * 86_400_000),
      words: skewed(random, 80, 4000),
      body: times(5, () => filler(random, 18)).join(' '),
    },
    highlight: { body: [filler(random, 12).replace(/ (\w+)\./, ' <em>$1</em>.')] },
  }))
  const planted = inside(random, hits)
  const port = random.int(21_000, 64_000)
  planted._source.body = `${filler(random)} The failover listener answers on port ${port} only inside the vault network. ${filler(random)}`
  const rare = inside(random, hits)
  const retention = random.int(401, 990)
  rare._source.body = `${filler(random)} Legal asked us to keep cashier recordings for ${retention} days. ${filler(random)}`
  const asked = inside(random, hits)
  const longest = inside(random, hits)
  longest._source.words = random.int(22_000, 38_000)
  const newest = highest(hits, (hit) => Date.parse(hit._source.updated) + hit._score)
  const bySource = countBy(hits, (hit) => hit._source.source)
  const scroll = random.hex(40)
  const authors = countBy(hits, (hit) => hit._source.author)
  const [author, most] = mostOf(authors)
  const buckets = sources.map((key) => ({ key, doc_count: random.int(1100, 9000) }))
  const best = buckets.toSorted((a, b) => b.doc_count - a.doc_count)[0]
  return {
    name: 'search answer',
    task: 'Find out how backups and migrations are done here.',
    value: {
      took: 87,
      timed_out: false,
      _shards: {
        total: 24,
        successful: 23,
        skipped: 0,
        failed: 1,
        failures: [{ shard: 17, node: 'n-4', reason: { type: 'circuit_breaking_exception', reason: 'Data too large' } }],
      },
      _scroll_id: scroll,
      hits: { total: { value: 18_422, relation: 'eq' }, max_score: hits[0]?._score, hits },
      aggregations: { by_source: { buckets } },
    },
    questions: [
      question('needle', 'On which port does the failover listener answer?', all(String(port)), [{ query: 'failover listener port' }]),
      question('needle', 'How long must cashier recordings be kept?', all(String(retention)), [{ query: 'cashier recordings' }]),
      question('needle', `Who wrote the document ${asked._id}?`, [[asked._source.author], [asked._id]], [{ query: asked._id }]),
      question(
        'extreme',
        'Which document is the longest, in words?',
        [[longest._id, longest._source.title], [String(longest._source.words)]],
        [{ aggregate: { top: '_source.words' } }],
      ),
      question('extreme', 'When was the most recently updated hit updated?', all(newest._source.updated), [
        { aggregate: { max: '_source.updated' } },
      ]),
      question(
        'group',
        'How many of these hits come from tickets?',
        [tally('tickets', bySource['tickets'] ?? 0)],
        [{ aggregate: { where: { '_source.source': 'tickets' }, count: true } }],
      ),
      question('needle', 'Which scroll id continues this search?', all(scroll), [{ path: '_scroll_id' }, { query: '_scroll_id' }]),
      question('total', 'How many documents match in all?', [['18422', '18,422']], [{ path: 'hits.total' }]),
      question(
        'needle',
        'Did a shard fail, and why?',
        [['circuit_breaking_exception', 'Data too large']],
        [{ path: '_shards' }, { query: 'failures' }],
      ),
      question(
        'group',
        'Which source has the most documents in the buckets?',
        [[best?.key ?? ''], [String(best?.doc_count)]],
        [{ path: 'aggregations' }],
      ),
      question(
        'group',
        'Which author appears most often among the hits?',
        [tally(author, most)],
        [{ aggregate: { groupBy: '_source.author', count: true } }],
      ),
      {
        ...question(
          'absence',
          'Is any hit from the source chat?',
          [],
          [{ aggregate: { where: { '_source.source': 'chat' }, count: true } }],
        ),
        ...absent(bySource),
      },
    ],
  }
}
