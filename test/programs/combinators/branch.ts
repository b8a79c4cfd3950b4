import { above, below } from '../../../src/combinators/branch/threshold.ts'
import { branch } from '../../../src/combinators/branch/branch.ts'
import { classify } from '../../../src/combinators/branch/classify.ts'
import { equals } from '../../../src/combinators/branch/equals.ts'
import { match } from '../../../src/combinators/branch/match.ts'
import { modelClassifier } from '../../../src/combinators/branch/model-classifier.ts'
import { when } from '../../../src/combinators/branch/route.ts'
import type { Program } from '../program.ts'
import { DESCRIPTION, labelled, type Part, partsIn, type Row } from '../row.ts'
import { estimated, fine, type Misspeller, untyped, WHOLE, type WrongArguments, yes } from '../wrong-arguments.ts'

/** Takes the route with this number; a number beyond the last has no route. */
interface BranchProgram {
  readonly kind: 'branch'
  readonly routes: readonly Program[]
  readonly taken: number
}

interface ClassifyProgram {
  readonly kind: 'classify'
  readonly routes: readonly Program[]
  readonly taken: number
  readonly isSure: boolean
}

declare module '../program.ts' {
  interface ProgramNodes {
    readonly branch: BranchProgram
    readonly classify: ClassifyProgram
  }
}

const always: Misspeller = (odd) => untyped(branch)({ ...WHOLE, ...odd }, [when(yes, fine)])

const wrong: WrongArguments = {
  tools: [
    { what: 'when', make: (given) => untyped(when)(yes, given), role: "The tool of the route ('yes' holds)" },
    { what: 'above', make: (given) => untyped(above)('size', 1, given), role: 'The tool of the route (size above 1)' },
    { what: 'equals', make: (given) => untyped(equals)('size', 1, given), role: 'The tool of the route (size is 1)' },
    { what: 'match', make: (given) => untyped(match)('size', { big: given }), role: `The case "big" of match('size')` },
    {
      what: 'classify',
      make: (given) => untyped(classify)(() => [], { ...WHOLE, routes: { a: { tool: given, description: 'd' } } }),
      role: "The tool of the route 'a'",
    },
  ],
  names: [{ what: 'a branch', make: (name) => untyped(branch)({ ...WHOLE, name }, [when(yes, fine)]) }],
  others: [
    {
      what: 'options of branch',
      make: () => untyped(branch)(null, []),
      code: 'invalid_option',
      says: 'The options of branch must be an object, not null.',
    },
    {
      what: 'routes',
      make: () => untyped(branch)(WHOLE, 5),
      code: 'invalid_definition',
      says: "Branch 'whole' takes a list of routes, not 5.",
    },
    {
      what: 'a route',
      make: () => untyped(branch)(WHOLE, [fine]),
      code: 'invalid_definition',
      says: "Route 1 of branch 'whole' must be made by when, equals",
    },
    {
      what: 'a route made by hand',
      make: () => untyped(branch)(WHOLE, [{ cases: [{}] }]),
      code: 'invalid_definition',
      says: "Route 1 of branch 'whole' must be made by",
    },
    {
      what: 'otherwise',
      make: () => untyped(branch)({ ...WHOLE, otherwise: 5 }, [when(yes, fine)]),
      code: 'not_a_tool',
      says: 'The tool of otherwise is not a tool',
    },
    {
      what: 'the tool of otherwise',
      make: () => untyped(branch)({ ...WHOLE, otherwise: { tool: 5 } }, [when(yes, fine)]),
      code: 'not_a_tool',
      says: "'tool' of otherwise",
    },
    {
      what: 'the input of otherwise',
      make: () => untyped(branch)({ ...WHOLE, otherwise: { tool: fine } }, [when(yes, fine)]),
      code: 'invalid_option',
      says: "'input' of otherwise",
    },
    {
      what: 'a predicate',
      make: () => untyped(when)(5, fine),
      code: 'invalid_option',
      says: 'The predicate of when must be a function, not 5.',
    },
    {
      what: 'options of a route',
      make: () => untyped(when)(yes, fine, null),
      code: 'invalid_option',
      says: "The options of the route to 'ok'",
    },
    {
      what: 'the input of a route',
      make: () => untyped(when)(yes, fine, { input: 5 }),
      code: 'invalid_option',
      says: "'input' of the route to 'ok' must be a function",
    },
    {
      what: 'cases',
      make: () => untyped(match)('size', null),
      code: 'invalid_option',
      says: "The second argument of match('size') must be an object, not null.",
    },
    {
      what: 'options of classify',
      make: () => untyped(classify)(yes, null),
      code: 'invalid_option',
      says: 'The options of classify must be an object, not null.',
    },
    {
      what: 'classified routes',
      make: () => untyped(classify)(yes, { ...WHOLE, routes: 5 }),
      code: 'invalid_option',
      says: "'routes' of 'whole' must be an object, not 5.",
    },
    {
      what: 'a classified route',
      make: () => untyped(classify)(yes, { ...WHOLE, routes: { a: 5 } }),
      code: 'invalid_option',
      says: "The fields of the route 'a' must be an object, not 5.",
    },
    {
      what: 'a route without a description',
      make: () => untyped(classify)(yes, { ...WHOLE, routes: { a: { tool: fine } } }),
      code: 'invalid_definition',
      says: "The route 'a' needs a description",
    },
    {
      what: 'options of a model classifier',
      make: () => untyped(modelClassifier)(null),
      code: 'invalid_option',
      says: 'The options of modelClassifier',
    },
  ],
  misspelt: {
    'branch(options)': always,
    'branch(options).otherwise': (odd) => always({ otherwise: { tool: fine, input: yes, ...odd } }),
    'branch(options).estimates': estimated(always),
    'classify(options)': (odd) => untyped(classify)(yes, { ...WHOLE, routes: { a: { tool: fine, description: 'A.' } }, ...odd }),
    'ClassifyOptions.estimates': estimated((odd) =>
      untyped(classify)(yes, { ...WHOLE, routes: { a: { tool: fine, description: 'A.' } }, ...odd }),
    ),
    'ClassifyOptions.routes[]': (odd) => untyped(classify)(yes, { ...WHOLE, routes: { a: { tool: fine, description: 'A.', ...odd } } }),
    'ClassifyOptions.otherwise': (odd) =>
      untyped(classify)(yes, { ...WHOLE, routes: { a: { tool: fine, description: 'A.' } }, otherwise: { tool: fine, input: yes, ...odd } }),
    'equals(options)': (odd) => untyped(equals)('kind', 'a', fine, odd),
    'modelClassifier(options)': (odd) => modelClassifier(odd),
    'when(options)': (odd) => untyped(when)(yes, fine, odd),
    'above(options)': (odd) => untyped(above)('amount', 1, fine, odd),
    'below(options)': (odd) => untyped(below)('amount', 1, fine, odd),
  },
}

export const branchRow: Row = {
  kinds: {
    branch: {
      weight: 3,
      generate: ({ random, some }) => {
        const routes = some(1, 2)
        return { kind: 'branch', routes, taken: random.chance(0.1) ? routes.length : random.below(routes.length) }
      },
      ...partsIn('routes'),
      show: ({ taken }, routes) => `branch#${taken}(${routes.join(', ')})`,
      build: ({ taken }, parts, { name }) => {
        const routes = parts.map((route, index) => when(() => index === taken, route, { name: `r${index}` }))
        return branch({ name: name('branch'), description: DESCRIPTION }, routes) as unknown as Part
      },
    },
    classify: {
      weight: 2,
      generate: ({ random, some }) => {
        const routes = some(1, 2)
        return { kind: 'classify', routes, taken: random.below(routes.length), isSure: !random.chance(0.1) }
      },
      ...partsIn('routes'),
      show: ({ taken, isSure }, routes) => `classify#${taken}${isSure ? '' : '?'}(${routes.join(', ')})`,
      build: ({ taken, isSure }, parts, { name }) => {
        const described = parts.map((tool) => ({ tool, description: DESCRIPTION }))
        const ranking = [{ route: `c${taken}`, confidence: isSure ? 0.9 : 0.3 }]
        const options = { name: name('classify'), description: DESCRIPTION, routes: labelled('c', described) }
        return classify(() => Promise.resolve(ranking), options) as unknown as Part
      },
      *simpler(node) {
        if (!node.isSure) yield { ...node, isSure: true }
      },
    },
  },
  examples: {
    branch: {
      make: (step) =>
        branch({ name: 'routed', description: 'By length.' }, [
          when((given: string) => given.length > 3, step('a')),
          when(() => true, step('b')),
        ]),
      input: 'x',
    },
    branch_without_route: {
      make: (step) => branch({ name: 'routed', description: 'By length.' }, [when((given: string) => given.length > 3, step('a'))]),
      input: 'x',
    },
    classify: {
      make: (step) =>
        classify(() => [{ route: 'b', confidence: 0.9 }], {
          name: 'classified',
          description: 'By a classifier.',
          routes: { a: { tool: step('a'), description: 'A' }, b: { tool: step('b'), description: 'B' } },
        }),
      input: 'x',
    },
  },
  wrong,
}
