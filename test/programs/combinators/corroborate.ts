import { corroborate } from '../../../src/combinators/corroborate/corroborate.ts'
import { byAuthority, byFreshness, byMajority } from '../../../src/combinators/corroborate/resolution.ts'
import { source } from '../../../src/combinators/corroborate/source.ts'
import { byPerson } from '../../../src/tool/seam/by-person.ts'
import type { Program } from '../program.ts'
import { DESCRIPTION, type Example, labelled, type Part, partsIn, type Row, shorter } from '../row.ts'
import { estimated, fine, untyped, WHOLE } from '../wrong-arguments.ts'

interface CorroborateProgram {
  readonly kind: 'corroborate'
  /** Each source says something else. */
  readonly disagrees: boolean
  readonly resolve: 'nothing' | 'authority' | 'arbiter'
  readonly atLeast: number
  readonly sources: readonly Program[]
}

declare module '../program.ts' {
  interface ProgramNodes {
    readonly corroborate: CorroborateProgram
  }
}

const WAYS = { nothing: undefined, authority: byAuthority(), arbiter: () => ({ said: 'x' }) }
const said = { said: {} }
const say = (text: string) => () => ({ said: text })
const both = { one: fine, two: fine }

export const corroborateRow: Row = {
  kinds: {
    corroborate: {
      weight: 4,
      generate: ({ random, some }) => ({
        kind: 'corroborate',
        disagrees: random.chance(0.5),
        resolve: random.pick(['nothing', 'authority', 'arbiter']),
        atLeast: random.pick([1, 2]),
        sources: some(2, 3),
      }),
      ...partsIn('sources'),
      show: ({ disagrees, resolve, atLeast }, sources) => `corroborate${atLeast}${disagrees ? `:${resolve}` : ''}(${sources.join(', ')})`,
      build: ({ disagrees, resolve, atLeast }, parts, { name, text }) =>
        untyped(corroborate)(
          labelled(
            'c',
            parts.map((part, index) => source(part, { output: say(disagrees ? `${text}${index}` : text) })),
          ),
          { name: name('corroborate'), description: DESCRIPTION, fields: said, resolve: WAYS[resolve], atLeast },
        ) as Part,
      *simpler(node) {
        for (const sources of shorter(node.sources, 2)) yield { ...node, sources }
        if (node.disagrees) yield { ...node, disagrees: false }
        if (node.resolve !== 'nothing') yield { ...node, resolve: 'nothing' }
        if (node.atLeast !== 1) yield { ...node, atLeast: 1 }
      },
    },
  },
  examples: Object.fromEntries(
    Object.entries({
      agrees: undefined,
      resolves: byAuthority('two'),
      asks_arbiter: () => ({ said: 'by rule' }),
      asks_person: byPerson(),
      fails: byMajority(),
    }).map(([name, resolve]) => {
      const give = ({ value }: { readonly value: string }) => ({ said: name === 'agrees' ? 'it' : value })
      const example: Example = {
        make: (step) => {
          const one = source(step('a', { effect: 'read', ms: 20 }), { output: give })
          const two = source(step('b', { effect: 'read', ms: 10 }), { output: give })
          return untyped(corroborate)({ one, two }, { name: 'said', description: 'Says it twice.', fields: said, resolve }) as Part
        },
        input: 'x',
        decide: () => ({ action: 'answer', value: { said: 'by hand' } }),
      }
      return [`corroborate_${name}`, example]
    }),
  ),
  wrong: {
    tools: [
      { what: 'source', make: (wrong) => untyped(source)(wrong, {}), role: 'The first argument of source' },
      {
        what: 'corroborate',
        make: (wrong) => untyped(corroborate)({ one: fine, two: wrong }, { ...WHOLE, fields: said }),
        role: "Source 'two' of corroborate 'whole'",
      },
    ],
    names: [{ what: 'a corroborated tool', make: (name) => untyped(corroborate)(both, { ...WHOLE, name, fields: said }) }],
    others: [
      {
        what: 'sources',
        make: () => untyped(corroborate)(null, { ...WHOLE, fields: said }),
        code: 'invalid_option',
        says: 'The first argument of corroborate must be an object, not null.',
      },
      {
        what: 'one source',
        make: () => untyped(corroborate)({ one: fine }, { ...WHOLE, fields: said }),
        code: 'invalid_definition',
        says: "corroborate 'whole' needs at least two sources",
      },
      {
        what: 'a source called arbiter',
        make: () => untyped(corroborate)({ one: fine, arbiter: fine }, { ...WHOLE, fields: said }),
        code: 'invalid_label',
        says: "cannot be called 'arbiter'",
      },
      {
        what: 'options of corroborate',
        make: () => untyped(corroborate)(both, null),
        code: 'invalid_option',
        says: 'The options of corroborate must be an object, not null.',
      },
      {
        what: 'no field',
        make: () => untyped(corroborate)(both, { ...WHOLE, fields: {} }),
        code: 'invalid_definition',
        says: 'needs at least one field to compare',
      },
      {
        what: 'fields',
        make: () => untyped(corroborate)(both, { ...WHOLE, fields: 5 }),
        code: 'invalid_option',
        says: "'fields' of corroborate 'whole' must be an object, not 5.",
      },
      {
        what: 'a tolerance',
        make: () => untyped(corroborate)(both, { ...WHOLE, fields: { said: { within: '1' } } }),
        code: 'invalid_option',
        says: `'within' of the field 'said' of corroborate 'whole' must be a number of at least 0, not "1".`,
      },
      {
        what: 'a share',
        make: () => untyped(corroborate)(both, { ...WHOLE, fields: { said: { alike: 2 } } }),
        code: 'invalid_option',
        says: "'alike' of the field 'said' of corroborate 'whole' must be a number from 0 to 1, not 2.",
      },
      {
        what: 'options of source',
        make: () => untyped(source)(fine, null),
        code: 'invalid_option',
        says: "The options of the source of 'ok' must be an object, not null.",
      },
      {
        what: 'the input of a source',
        make: () => untyped(source)(fine, { input: 5 }),
        code: 'invalid_option',
        says: "'input' of the source of 'ok' must be a function, not 5.",
      },
      {
        what: 'the output of a source',
        make: () => untyped(source)(fine, { output: 5 }),
        code: 'invalid_option',
        says: "'output' of the source of 'ok' must be a function, not 5.",
      },
      {
        what: 'a resolution',
        make: () => untyped(corroborate)(both, { ...WHOLE, fields: said, resolve: 'majority' }),
        code: 'invalid_option',
        says: `takes byAuthority, byFreshness, byMajority, byPerson, a tool or a function, not "majority".`,
      },
      {
        what: 'an authority',
        make: () => untyped(corroborate)(both, { ...WHOLE, fields: said, resolve: byAuthority('three') }),
        code: 'invalid_option',
        says: "byAuthority names 'three', which is no source of corroborate 'whole'. There are: one, two.",
      },
      {
        what: 'two arbiters',
        make: () => untyped(corroborate)(both, { ...WHOLE, fields: said, resolve: [fine, fine] }),
        code: 'invalid_option',
        says: 'may have one arbiter that is a tool',
      },
      {
        what: 'atLeast',
        make: () => untyped(corroborate)(both, { ...WHOLE, fields: said, atLeast: 3 }),
        code: 'invalid_option',
        says: "'atLeast' of corroborate 'whole' must be a whole number from 1 to 2, not 3.",
      },
      {
        what: 'a label',
        make: () => untyped(byAuthority)(5),
        code: 'invalid_option',
        says: 'byAuthority takes the labels of sources, not 5.',
      },
      { what: 'a time', make: () => untyped(byFreshness)(5), code: 'invalid_option', says: 'byFreshness needs the name of a field' },
    ],
    misspelt: {
      'corroborate(options)': (odd) => untyped(corroborate)({ a: fine, b: fine }, { ...WHOLE, fields: { x: {} }, ...odd }),
      'CorroborateOptions.estimates': estimated((odd) =>
        untyped(corroborate)({ a: fine, b: fine }, { ...WHOLE, fields: { x: {} }, ...odd }),
      ),
      'source(options)': (odd) => untyped(source)(fine, odd),
    },
  },
}
