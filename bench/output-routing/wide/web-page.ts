import type { BenchOutput } from '../bench-output.ts'
import { all, person, question } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { absent, coined, countBy, day, filler, inside, tally, times } from './shared.ts'

const START = Date.UTC(2026, 3, 7, 9)

/** A page of a web site with navigation, a table of offers and small print. */
export function webPage(seed: number): BenchOutput {
  const random = randomOf(seed)
  const courses = times(310, (at) => ({
    code: `K${100 + at}`,
    title: `${random.pick(['Basics of', 'Advanced', 'Practical'])} ${coined(random, 3)}`,
    teacher: person(random),
    city: random.pick(['Basel', 'Chur', 'Thun', 'Zug']),
    fee: random.int(90, 480),
    free: random.int(0, 20),
    starts: day(START + random.int(5, 200) * 86_400_000),
  }))
  const dear = inside(random, courses)
  dear.fee = random.int(2100, 3900)
  const full = inside(random, courses)
  full.title = `Night ${coined(random, 3)} walk`
  const asked = inside(random, courses)
  const cities = countBy(courses, (each) => each.city)
  const phone = `+41 61 ${random.int(200, 999)} ${random.int(10, 99)} ${random.int(10, 99)}`
  const discount = random.int(11, 39)
  const deadline = `${random.int(2, 28)} November`
  const first = courses.toSorted((a, b) => a.starts.localeCompare(b.starts))[0] ?? dear
  const card = (each: (typeof courses)[number]): string =>
    `<tr class="row" data-id="${random.hex(6)}"><td><a href="/course/${each.code.toLowerCase()}?ref=list">${each.code}</a></td><td>${each.title}</td><td>${each.teacher}</td><td>${each.city}</td><td class="num">${each.fee}</td><td class="num">${each.free}</td><td>${each.starts}</td></tr>`
  const text = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Courses | Evening School</title><meta name="description" content="All courses"><style>${times(40, () => `.${coined(random, 2)}{margin:${random.int(1, 9)}px}`).join('')}</style><script>window.__state=${JSON.stringify({ build: random.hex(8), flags: times(30, () => coined(random, 2)) })}</script></head><body><nav><ul>${times(24, () => `<li><a href="/${coined(random, 2)}">${coined(random, 2)}</a></li>`).join('')}</ul></nav><main><h1>Courses of the spring term</h1><p>${filler(random, 30)}</p><h2>Prices</h2><p>Members get ${discount} % off if they register before ${deadline}. ${filler(random)}</p><table id="courses"><thead><tr><th>Code</th><th>Course</th><th>Teacher</th><th>City</th><th>Fee (CHF)</th><th>Places left</th><th>Starts</th></tr></thead><tbody>${courses.map(card).join('\n')}</tbody></table><h2>Cancellation</h2><p>${filler(random, 20)} Refunds are paid within ${discount + 20} days. ${filler(random, 20)}</p><h2>Contact</h2><p>Call us at <b>${phone}</b> &amp; ask for ${courses[4]?.teacher}.</p></main><footer><p>&copy; 2026 Evening School, page 1 of 7. <a rel="next" href="/courses?page=2&amp;key=${random.hex(10)}">Next</a></p></footer></body></html>`
  const next = /page=2&amp;key=(\w+)/.exec(text)?.[1] ?? ''
  return {
    name: 'web page',
    task: 'Find a course that fits my week.',
    text,
    questions: [
      question(
        'extreme',
        'Which course is the most expensive?',
        [[dear.code, dear.title], [String(dear.fee)]],
        [{ aggregate: { top: 'Fee (CHF)' } }, { aggregate: { top: 'fee' } }],
      ),
      question('needle', 'Which course takes place at night?', all(full.title), [{ query: 'Night' }]),
      question('needle', `Who teaches ${asked.code}?`, [[asked.code], [asked.teacher]], [{ query: asked.code }]),
      question(
        'group',
        'How many courses are in Chur?',
        [tally('Chur', cities['Chur'] ?? 0)],
        [{ aggregate: { where: { City: 'Chur' }, count: true } }],
      ),
      question('needle', 'What is the phone number of the school?', all(phone), [
        { query: 'Call us' },
        { query: 'contact' },
        { query: 'phone' },
      ]),
      question('needle', 'How much off do members get?', [[`${discount} %`]], [{ query: 'Members' }]),
      question('needle', 'Until when must members register?', all(deadline), [{ query: 'register before' }]),
      question('needle', 'Within how many days are refunds paid?', [[`${discount + 20} days`]], [{ query: 'Refunds' }]),
      question(
        'extreme',
        'Which course starts first, and when?',
        [[first.code, first.title], [first.starts]],
        [{ aggregate: { min: 'Starts' } }],
      ),
      question(
        'total',
        'How many courses are listed?',
        [[...tally('rows', courses.length), `${courses.length} courses`]],
        [{ aggregate: { count: true } }],
      ),
      question('needle', 'What is the link to the next page?', [[next]], [{ query: 'Next' }, { query: 'page=2' }]),
      {
        ...question(
          'absence',
          'Are there courses in Bern?',
          [],
          [{ aggregate: { where: { City: 'Bern' }, count: true } }, { query: 'Bern' }],
        ),
        ...absent(cities),
      },
    ],
  }
}
