import type { BenchOutput } from '../bench-output.ts'
import { all, question } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { absent, coined, countBy, inside, lowest, mostOf, round, tally, times } from './shared.ts'

/** Places on a map with their properties. */
export function mapFeatures(seed: number): BenchOutput {
  const random = randomOf(seed)
  const features = times(260, (at) => ({
    type: 'Feature',
    id: `way/${880_000 + at * 11}`,
    geometry: random.chance(0.7)
      ? { type: 'Point', coordinates: [round(8 + random.next(), 5), round(47 + random.next(), 5)] }
      : { type: 'LineString', coordinates: times(random.int(3, 9), () => [round(8 + random.next(), 5), round(47 + random.next(), 5)]) },
    properties: {
      name: `${coined(random, 2)} ${random.pick(['pass', 'lake', 'hut', 'spring'])}`,
      kind: random.pick(['hut', 'viewpoint', 'trail', 'spring']),
      ele: random.int(400, 2600),
      access: random.pick(['yes', 'yes', 'private']),
      capacity: random.chance(0.3) ? random.int(4, 60) : (undefined as number | undefined),
      phone: undefined as string | undefined,
    },
  }))
  const high = inside(random, features)
  high.properties.ele = random.int(4010, 4600)
  const large = inside(random, features)
  large.properties.capacity = random.int(190, 400)
  const reached = inside(random, features)
  reached.properties.phone = `+41 81 ${random.int(100, 999)} ${random.int(10, 99)}`
  const shut = inside(random, features)
  shut.properties.access = 'military'
  const asked = inside(random, features)
  const kinds = countBy(features, (each) => each.properties.kind)
  const [kind, most] = mostOf(kinds)
  const shapes = countBy(features, (each) => each.geometry.type)
  const stamp = `2026-07-${random.int(10, 28)}T04:00:00Z`
  return {
    name: 'map features',
    task: 'Plan a hike of three days.',
    value: { type: 'FeatureCollection', generator: 'export 0.9', timestamp: stamp, bbox: [8, 47, 9, 48], features },
    questions: [
      question(
        'extreme',
        'Which place is the highest?',
        [[high.properties.name, high.id], [String(high.properties.ele)]],
        [{ aggregate: { top: 'properties.ele' } }],
      ),
      question(
        'extreme',
        'Which place has the largest capacity?',
        [[large.properties.name, large.id], [String(large.properties.capacity)]],
        [{ aggregate: { top: 'properties.capacity' } }],
      ),
      question(
        'needle',
        'Which place has a phone, and what is the number?',
        [[reached.properties.name, reached.id], [reached.properties.phone]],
        [{ query: 'phone' }],
      ),
      question('needle', 'Is a place used by the military?', [[shut.properties.name, shut.id], ['military']], [{ query: 'military' }]),
      question(
        'needle',
        `What are the coordinates of ${asked.id}?`,
        [[asked.id], [String(asked.geometry.coordinates.flat()[0])]],
        [{ query: asked.id }],
      ),
      question(
        'group',
        'Of which kind are most places?',
        [tally(kind, most)],
        [{ aggregate: { groupBy: 'properties.kind', count: true } }],
      ),
      question(
        'group',
        'How many features are lines?',
        [tally('LineString', shapes['LineString'] ?? 0)],
        [{ aggregate: { where: { 'geometry.type': 'LineString' }, count: true } }, { query: 'LineString' }],
      ),
      question(
        'total',
        'How many features are there?',
        [[...tally('rows', features.length), ...tally('features', features.length)]],
        [{ path: 'length(features)' }],
      ),
      question('needle', 'When was the export made?', all(stamp), [{ path: 'timestamp' }]),
      question(
        'group',
        'How many places are private?',
        [tally('private', countBy(features, (each) => each.properties.access)['private'] ?? 0)],
        [{ aggregate: { where: { 'properties.access': 'private' }, count: true } }],
      ),
      {
        ...question(
          'absence',
          'Is there a campsite?',
          [],
          [{ query: 'campsite' }, { aggregate: { where: { 'properties.kind': 'campsite' }, count: true } }],
        ),
        ...absent(kinds),
      },
      question(
        'extreme',
        'Which is the lowest elevation?',
        [
          [
            `min ${lowest(features, (each) => each.properties.ele).properties.ele}`,
            `"ele":${lowest(features, (each) => each.properties.ele).properties.ele}`,
            `ele ${lowest(features, (each) => each.properties.ele).properties.ele}`,
          ],
        ],
        [{ aggregate: { min: 'properties.ele' } }],
      ),
    ],
  }
}
