import { fallback } from '../../../src/combinators/fallback/fallback.ts'
import { byPerson } from '../../../src/tool/seam/by-person.ts'
import { level } from '../../../src/combinators/fallback/level.ts'
import type { Program } from '../program.ts'
import { DESCRIPTION, type Part, partsIn, type Row, shorter } from '../row.ts'
import { estimated, fine, untyped, WHOLE } from '../wrong-arguments.ts'

interface FallbackProgram {
  readonly kind: 'fallback'
  /** The time of every level that is a single step, in milliseconds; 0 for none of its own. */
  readonly levelMs: number
  /** Other levels have it too. The steps of one that has used up its time are not shown any more when the run is taken up. */
  readonly isForAll?: boolean
  readonly levels: readonly Program[]
}

declare module '../program.ts' {
  interface ProgramNodes {
    readonly fallback: FallbackProgram
  }
}

export const fallbackRow: Row = {
  kinds: {
    fallback: {
      weight: 6,
      generate: ({ random, contender }) => ({
        kind: 'fallback',
        levelMs: random.pick([0, 0, 8, 40]),
        levels: random.some(2, 3, contender),
      }),
      ...partsIn('levels'),
      show: ({ levelMs }, levels) => `fallback${levelMs === 0 ? '' : levelMs}(${levels.join(', ')})`,
      build: ({ levelMs, isForAll = false, levels: programs }, parts, { name }) => {
        const timeOf = (index: number) => (levelMs > 0 && (isForAll || programs[index]?.kind === 'leaf') ? { deadline: levelMs } : {})
        const levels = parts.map((part, index) => level(part, { name: `l${index}`, ...timeOf(index) }))
        return fallback({ name: name('fallback'), description: DESCRIPTION }, levels as never) as unknown as Part
      },
      *simpler(node) {
        for (const levels of shorter(node.levels, 1)) yield { ...node, levels }
        if (node.levelMs !== 0) yield { ...node, levelMs: 0 }
      },
      timeless: (node) => ({ ...node, levelMs: 0 }),
    },
  },
  examples: {
    fallback: {
      make: (step) =>
        fallback({ name: 'found', description: 'Finds it.' }, [step('a', { fails: 'no paper', effect: 'read' }), step('b'), step('c')]),
      input: 'x',
    },
    fallback_exhausted: {
      make: (step) =>
        fallback({ name: 'found', description: 'Finds it.' }, [
          step('a', { fails: 'no', effect: 'read' }),
          step('b', { fails: 'nor here', effect: 'read' }),
        ]),
      input: 'x',
    },
    fallback_stopped: {
      make: (step) => fallback({ name: 'found', description: 'Finds it.' }, [step('a', { fails: 'no paper' }), step('b')]),
      input: 'x',
    },
    fallback_person: {
      make: (step) =>
        fallback({ name: 'found', description: 'Finds it.', outputSchema: { type: 'string' } }, [
          step('a', { fails: 'no', effect: 'read' }),
          byPerson(),
        ] as never),
      input: 'x',
      decide: () => ({ action: 'answer', value: 'by hand' }),
    },
  },
  wrong: {
    tools: [
      { what: 'level', make: (wrong) => untyped(level)(wrong), role: 'The first argument of level' },
      { what: 'fallback', make: (wrong) => untyped(fallback)(WHOLE, [fine, wrong]), role: "Level 2 of fallback 'whole'" },
    ],
    names: [{ what: 'a fallback', make: (name) => untyped(fallback)({ ...WHOLE, name }, [fine]) }],
    others: [
      {
        what: 'options of fallback',
        make: () => untyped(fallback)(null, [fine]),
        code: 'invalid_option',
        says: 'The options of fallback must be an object, not null.',
      },
      {
        what: 'a misspelt option',
        make: () => untyped(fallback)({ ...WHOLE, outputSchem: {} }, [fine]),
        code: 'invalid_option',
        says: "have no 'outputSchem'",
      },
      {
        what: 'levels',
        make: () => untyped(fallback)(WHOLE, fine),
        code: 'invalid_definition',
        says: "Fallback 'whole' takes a list of levels",
      },
      { what: 'no level', make: () => untyped(fallback)(WHOLE, []), code: 'invalid_definition', says: 'needs at least one level' },
      {
        what: 'two levels of one name',
        make: () => untyped(fallback)(WHOLE, [fine, fine]),
        code: 'invalid_label',
        says: "two levels called 'ok'",
      },
      {
        what: 'a person before the end',
        make: () => untyped(fallback)(WHOLE, [byPerson({ answerSchema: {} }), fine]),
        code: 'invalid_definition',
        says: 'must be its last level',
      },
      {
        what: 'a person without a schema',
        make: () => untyped(fallback)(WHOLE, [fine, byPerson()]),
        code: 'invalid_definition',
        says: 'must say what a person may answer',
      },
      {
        what: 'a first level that reshapes',
        make: () => untyped(fallback)(WHOLE, [untyped(level)(fine, { input: () => 'x' })]),
        code: 'invalid_definition',
        says: 'needs an inputSchema',
      },
      {
        what: 'options of a level',
        make: () => untyped(level)(fine, null),
        code: 'invalid_option',
        says: "The options of the level of 'ok' must be an object, not null.",
      },
      {
        what: 'the input of a level',
        make: () => untyped(level)(fine, { input: 5 }),
        code: 'invalid_option',
        says: "'input' of the level of 'ok' must be a function, not 5.",
      },
      {
        what: 'the output of a level',
        make: () => untyped(level)(fine, { output: 5 }),
        code: 'invalid_option',
        says: "'output' of the level of 'ok' must be a function",
      },
      {
        what: 'the accuracy of a level',
        make: () => untyped(level)(fine, { estimates: { accuracy: 2 } }),
        code: 'invalid_option',
        says: "accuracy of the level of 'ok'",
      },
      {
        what: 'options of byPerson',
        make: () => untyped(byPerson)(null),
        code: 'invalid_option',
        says: 'The options of byPerson must be an object, not null.',
      },
      {
        what: 'the urgency',
        make: () => untyped(byPerson)({ urgency: 'now' }),
        code: 'invalid_option',
        says: "'urgency' of byPerson must be 'low', 'normal' or 'high'",
      },
      { what: 'why', make: () => untyped(byPerson)({ why: 5 }), code: 'invalid_option', says: "'why' of byPerson must be a text" },
    ],
    misspelt: {
      'fallback(options)': (odd) => untyped(fallback)({ ...WHOLE, ...odd }, [fine, fine]),
      'FallbackOptions.estimates': estimated((odd) =>
        untyped(fallback)({ ...WHOLE, ...odd }, [level(fine, { name: 'a' }), level(fine, { name: 'b' })]),
      ),
      'level(options)': (odd) => untyped(level)(fine, odd),
      'level(options).estimates': estimated((odd) => untyped(level)(fine, odd)),
    },
  },
}
