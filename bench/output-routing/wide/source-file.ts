import type { BenchOutput } from '../bench-output.ts'
import { all, nothing, question } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { coined, filler, inside, tally, times } from './shared.ts'

/** A source file as a tool reads it. */
export function sourceFile(seed: number): BenchOutput {
  const random = randomOf(seed)
  const classes = times(34, () => {
    const name = coined(random, 3)
    return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  })
  const lines = [
    '"""Prices, discounts and taxes of the shop."""',
    'import decimal',
    'import logging',
    '',
    `MAX_LINES = ${random.int(1100, 4900)}`,
    `DEFAULT_CURRENCY = "${random.pick(['CHF', 'SEK', 'PLN'])}"`,
    '',
  ]
  const max = lines[4]?.split(' = ')[1] ?? ''
  const currency = lines[5]?.split('"')[1] ?? ''
  const methods: { owner: string; name: string; line: number; factor: string }[] = []
  for (const owner of classes) {
    lines.push('', `class ${owner}(${random.pick(['Rule', 'Rule', 'Step'])}):`, `    """${filler(random, 12)}"""`, '')
    for (const name of times(random.int(5, 9), () => `apply_${coined(random, 2)}`)) {
      const factor = `0.${random.int(100, 999)}`
      lines.push(`    def ${name}(self, order, *, strict=False):`, `        """${filler(random, 12)}"""`)
      methods.push({ owner, name, line: lines.length - 1, factor })
      for (const _ of times(random.int(2, 9), () => 0))
        lines.push(
          `        ${random.pick(['total', 'rate', 'lines', 'rest'])} = ${random.pick(['self.round', 'self.check', 'min', 'max'])}(order.${coined(random, 2)}, ${random.int(2, 40)})`,
        )
      lines.push(`        return total * decimal.Decimal("${factor}")`, '')
    }
  }
  const error = `${classes[4]}Exhausted`
  const place = methods[Math.floor(methods.length / 2)]
  if (place === undefined) throw new Error('There are no methods.')
  const limit = random.int(510, 980)
  lines.splice(place.line + 1, 0, `        if order.weight > ${limit}:`, `            raise ${error}("parcel is too heavy for the drone")`)
  const asked = inside(random, methods.slice(0, Math.floor(methods.length / 2)))
  const hack = `HACK: the tax office rounds down since ${random.int(2011, 2024)}`
  lines.splice(lines.length - 40, 0, `        # ${hack}`)
  lines.push('', 'if __name__ == "__main__":', '    logging.basicConfig(level="DEBUG")')
  return {
    name: 'source file',
    task: 'Explain what this module does before we change it.',
    text: lines.join('\n'),
    questions: [
      question('needle', 'What is MAX_LINES?', all(max), [{ query: 'MAX_LINES' }]),
      question('needle', 'What is the default currency?', all(currency), [{ query: 'DEFAULT_CURRENCY' }]),
      question(
        'total',
        'How many classes does the module have?',
        [[...tally('class', classes.length), `${classes.length} classes`]],
        [{ query: 'class ' }],
      ),
      question(
        'total',
        'How many methods does it define?',
        [[...tally('def', methods.length), `${methods.length} functions`, `${methods.length} methods`]],
        [{ query: 'def ' }],
      ),
      question('needle', 'Which error is raised when a parcel is too heavy?', all(error), [{ query: 'too heavy' }, { query: 'raise' }]),
      question('needle', 'From which weight on?', all(`weight > ${limit}`), [{ query: 'weight' }]),
      question(
        'needle',
        'Which class has the method ' + asked.name + '?',
        [[`class ${asked.owner}`, `${asked.owner}.${asked.name}`, asked.owner], [asked.name]],
        [{ query: asked.name }],
      ),
      question('needle', `What factor does ${asked.name} return?`, all(asked.factor), [
        { query: asked.name },
        { range: [asked.line, asked.line + 12] },
      ]),
      question('needle', 'Is there a hack, and why?', all(hack), [{ query: 'HACK' }]),
      question('needle', 'What is the name of the last class?', all(classes.at(-1) ?? ''), [{ query: 'class ' }]),
      question('absence', 'Is there anything about coupons?', [nothing], [{ query: 'coupon' }]),
      question('needle', 'Which packages are imported?', all('import decimal', 'import logging'), [{ query: 'import' }]),
    ],
  }
}
