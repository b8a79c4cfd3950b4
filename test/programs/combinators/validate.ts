import { fallback } from '../../../src/combinators/fallback/fallback.ts'
import { among } from '../../../src/combinators/validate/among.ts'
import { counted, within } from '../../../src/combinators/validate/bounds.ts'
import { each } from '../../../src/combinators/validate/each.ts'
import { ordered } from '../../../src/combinators/validate/ordered.ts'
import { rule } from '../../../src/combinators/validate/rule.ts'
import { sums } from '../../../src/combinators/validate/sums.ts'
import { validate } from '../../../src/combinators/validate/validate.ts'
import type { Program } from '../program.ts'
import { partsIn, type Row } from '../row.ts'
import { fine, untyped, yes } from '../wrong-arguments.ts'

interface ValidateProgram {
  readonly kind: 'validate'
  readonly inner: Program
  readonly finds: 'nothing' | 'warning' | 'critical'
}

declare module '../program.ts' {
  interface ProgramNodes {
    readonly validate: ValidateProgram
  }
}

const wrong = (severity: 'warning' | 'critical') => rule<unknown, unknown>('never', () => 'it is wrong', { severity })

export const validateRow: Row = {
  kinds: {
    validate: {
      weight: 4,
      generate: ({ random, program }) => ({
        kind: 'validate',
        inner: program(),
        finds: random.pick(['nothing', 'nothing', 'warning', 'critical']),
      }),
      ...partsIn('inner'),
      show: ({ finds }, [inner]) => `validate:${finds}(${inner})`,
      build: ({ finds }, [inner]) => validate(inner, { rules: [finds === 'nothing' ? rule('always', () => true) : wrong(finds)] }),
      *simpler(node) {
        if (node.finds !== 'nothing') yield { ...node, finds: 'nothing' }
      },
    },
  },
  examples: {
    validate: { make: (step) => validate(step('a'), { rules: [rule('said', ({ value }) => value === 'x>a' || 'it is odd')] }), input: 'x' },
    validate_warns: { make: (step) => validate(step('a'), { rules: [wrong('warning')] }), input: 'x' },
    validate_refuses: { make: (step) => validate(step('a'), { rules: [wrong('critical')] }), input: 'x' },
    validate_falls_back: {
      make: (step) =>
        fallback({ name: 'found', description: 'Finds it.' }, [
          validate(step('a', { effect: 'read' }), { rules: [wrong('critical')] }),
          step('b'),
        ]),
      input: 'x',
    },
  },
  wrong: {
    tools: [
      {
        what: 'validate',
        make: (odd) => untyped(validate)(odd, { rules: [rule('x', yes as never)] }),
        role: 'The first argument of validate',
      },
    ],
    others: [
      {
        what: 'options of validate',
        make: () => untyped(validate)(fine, null),
        code: 'invalid_option',
        says: "The options of validate for 'ok' must be an object, not null.",
      },
      {
        what: 'rules',
        make: () => untyped(validate)(fine, { rules: [] }),
        code: 'invalid_option',
        says: "'rules' of validate for 'ok' must be a list of rules, not [].",
      },
      {
        what: 'a rule made by hand',
        make: () => untyped(validate)(fine, { rules: [yes] }),
        code: 'invalid_option',
        says: "Rule 1 of validate for 'ok' must be made by ordered",
      },
      {
        what: 'retryable',
        make: () => untyped(validate)(fine, { rules: [wrong('warning')], retryable: 1 }),
        code: 'invalid_option',
        says: "'retryable' of validate for 'ok' must be true or false, not 1.",
      },
      { what: 'a field', make: () => untyped(ordered)('a', 5), code: 'invalid_option', says: 'must be a name, not 5' },
      { what: 'no bound', make: () => untyped(within)('a', {}), code: 'invalid_option', says: "within('a') needs a bound" },
      { what: 'no bounds at all', make: () => untyped(counted)('a'), code: 'invalid_option', says: "counted('a') needs a bound" },
      {
        what: 'a bound',
        make: () => untyped(within)('a', { min: '1' }),
        code: 'invalid_option',
        says: `'min' of within('a') must be a number, not "1".`,
      },
      {
        what: 'bounds that cross',
        make: () => untyped(counted)('a', { min: 3, max: 1 }),
        code: 'invalid_option',
        says: "'min' of counted('a') is 3, above 'max', which is 1.",
      },
      {
        what: 'a severity',
        make: () => untyped(within)('a', { min: 1, severity: 'high' }),
        code: 'invalid_option',
        says: `'severity' of within('a') must be 'critical' or 'warning', not "high".`,
      },
      { what: 'a list', make: () => untyped(among)('a', 'b'), code: 'invalid_option', says: "The list of among('a') must be from.input" },
      { what: 'by', make: () => untyped(among)('a', [], { by: 5 }), code: 'invalid_option', says: "'by' of among('a')" },
      { what: 'parts of a sum', make: () => untyped(sums)('a', []), code: 'invalid_option', says: "sums('a') needs the fields" },
      {
        what: 'a tolerance',
        make: () => untyped(sums)('a', ['b'], { tolerance: -1 }),
        code: 'invalid_option',
        says: "'tolerance' of sums('a') must be a number of at least 0, not -1.",
      },
      { what: 'the field of a sum', make: () => untyped(sums)('a', 'b', { by: 5 }), code: 'invalid_option', says: "'by' of sums('a')" },
      { what: 'rules of each', make: () => untyped(each)('a', []), code: 'invalid_option', says: "each('a') needs a list of rules" },
      { what: 'the field of each', make: () => untyped(each)(5, [wrong('warning')]), code: 'invalid_option', says: 'The field of each' },
      { what: 'the name of a rule', make: () => untyped(rule)('', yes), code: 'invalid_option', says: 'The name of a rule must be a text' },
      {
        what: 'the function of a rule',
        make: () => untyped(rule)('a', 5),
        code: 'invalid_option',
        says: "The function of the rule 'a' must be a function, not 5.",
      },
    ],
    misspelt: {
      'validate(options)': (odd) => untyped(validate)(fine, { rules: [rule('any', () => true)], ...odd }),
      'among(options)': (odd) => untyped(among)('a', ['b'], odd),
      'counted(options)': (odd) => untyped(counted)('a', { min: 1, ...odd }),
      'within(options)': (odd) => untyped(within)('a', { min: 1, ...odd }),
      'ordered(options)': (odd) => untyped(ordered)('a', 'b', odd),
      'sums(options)': (odd) => untyped(sums)('a', ['b'], odd),
      'rule(options)': (odd) => rule('any', () => true, odd),
    },
  },
}
