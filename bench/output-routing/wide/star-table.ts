import type { BenchOutput } from '../bench-output.ts'
import { all, person, question } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { absent, countBy, inside, round, tally, times } from './shared.ts'

/** A table of measurements in a report, fixed width, with notes at its foot. */
export function starTable(seed: number): BenchOutput {
  const random = randomOf(seed)
  const stars = times(800, (at) => ({
    name: `KX-${1000 + at * 7}`,
    ra: round(random.next() * 360, 4),
    dec: round(random.next() * 180 - 90, 4),
    mag: round(6 + random.next() * 8, 2),
    parallax: round(0.5 + random.next() * 20, 3),
    type: random.pick(['G2V', 'K0V', 'M3V', 'F5IV', 'A1V']),
    flag: random.chance(0.1) ? 'b' : '',
  }))
  const bright = inside(random, stars)
  bright.mag = round(-1 + random.next() * 0.8, 2)
  const near = inside(random, stars)
  near.parallax = round(400 + random.next() * 300, 3)
  const odd = inside(random, stars)
  odd.type = 'WC8'
  const asked = inside(random, stars)
  const types = countBy(stars, (star) => star.type)
  const line = (star: (typeof stars)[number]): string =>
    `${star.name.padEnd(10)}${star.ra.toFixed(4).padStart(10)}${star.dec.toFixed(4).padStart(10)}${star.mag.toFixed(2).padStart(8)}${star.parallax.toFixed(3).padStart(10)}  ${star.type.padEnd(6)}${star.flag}`
  const observer = person(random)
  const error = `0.0${random.int(11, 99)}`
  return {
    name: 'star table',
    task: 'Pick stars for the next observation.',
    text: [
      `# Catalogue KX, epoch J2016.0, observer ${observer}`,
      '# Units: deg, deg, mag, mas',
      `${'Name'.padEnd(10)}${'RA'.padStart(10)}${'DEC'.padStart(10)}${'Vmag'.padStart(8)}${'Plx'.padStart(10)}  ${'SpT'.padEnd(6)}Flag`,
      '-'.repeat(58),
      ...stars.map(line),
      '-'.repeat(58),
      'Notes:',
      'b: blended with a neighbour',
      `Mean error of the parallaxes: ${error} mas`,
    ].join('\n'),
    questions: [
      question(
        'extreme',
        'Which star is the brightest (lowest Vmag)?',
        [[bright.name], [bright.mag.toFixed(2), String(bright.mag)]],
        [{ aggregate: { min: 'Vmag' } }],
      ),
      question(
        'extreme',
        'Which star has the largest parallax?',
        [[near.name], [near.parallax.toFixed(3), String(near.parallax)]],
        [{ aggregate: { top: 'Plx' } }],
      ),
      question(
        'needle',
        'Is there an unusual spectral type?',
        [[odd.name], ['WC8']],
        [{ query: 'WC8' }, { aggregate: { groupBy: 'SpT', count: true } }],
      ),
      question('needle', `Where is ${asked.name}?`, [[asked.name], [asked.ra.toFixed(4), String(asked.ra)]], [{ query: asked.name }]),
      question(
        'group',
        'How many stars have the type M3V?',
        [tally('M3V', types['M3V'] ?? 0)],
        [{ aggregate: { where: { SpT: 'M3V' }, count: true } }, { query: 'M3V' }],
      ),
      question(
        'total',
        'How many stars are there?',
        [[...tally('rows', stars.length), `${stars.length} stars`]],
        [{ aggregate: { count: true } }],
      ),
      question('needle', 'What does the flag b mean?', all('blended with a neighbour'), [{ query: 'b:' }, { query: 'Notes' }]),
      question('needle', 'What is the mean error of the parallaxes?', all(error), [{ query: 'Mean error' }]),
      question('needle', 'Who observed?', all(observer), [{ query: 'observer' }]),
      question('needle', 'What is the unit of the parallax?', all('Units: deg, deg, mag, mas'), [{ query: 'Units' }]),
      question(
        'total',
        'How many stars are blended (flag b)?',
        [tally('b', stars.filter((star) => star.flag === 'b').length)],
        [{ aggregate: { where: { Flag: 'b' }, count: true } }],
      ),
      {
        ...question(
          'absence',
          'Is there a star of the type O9V?',
          [],
          [{ query: 'O9V' }, { aggregate: { where: { SpT: 'O9V' }, count: true } }],
        ),
        ...absent(types),
      },
    ],
  }
}
