import { z } from 'zod'
import { compound } from '../../src/tool/compound.ts'
import type { ToolContext } from '../../src/tool/context.ts'
import { jsonSchema } from '../../src/tool/contract.ts'
import { ledgerTool, SIMPLE_WRITE } from './leaf.ts'
import type { Program } from './program.ts'
import { type Building, DESCRIPTION, labelled, type Part, type Parts, partsIn, RENAMED, type Row, shorter } from './row.ts'
import { fine, untyped, WHOLE, yes } from './wrong-arguments.ts'

/** A compound that sleeps, and then calls. */
interface SleepProgram {
  readonly kind: 'sleep'
  readonly ms: number
  readonly inner: Program
}

/** A compound that calls its parts one after the other, and goes on where one fails. */
interface SeqProgram {
  readonly kind: 'seq'
  readonly parts: readonly Program[]
  readonly labels?: readonly string[]
}

/** A compound that calls its parts at the same time. With `first` it returns as soon as one has ended. */
interface FlowsProgram {
  readonly kind: 'flows'
  readonly parts: readonly Program[]
  readonly waitsFor: 'all' | 'first'
}

/** A compound that asks a person, and then calls. */
interface AskProgram {
  readonly kind: 'ask'
  readonly inner: Program
  /** 0 without a time-out. */
  readonly timeoutMs: number
}

/** A compound that gives its part less time than it has. */
interface DeadlineProgram {
  readonly kind: 'deadline'
  readonly inner: Program
  readonly ms: number
}

/** A compound that calls its part to its end, whatever becomes of the run. */
interface ShieldedProgram {
  readonly kind: 'shielded'
  readonly inner: Program
}

/** A compound that calls its part, and then tidies up whatever became of it. */
interface TidyProgram {
  readonly kind: 'tidy'
  readonly inner: Program
}

declare module './program.ts' {
  interface ProgramNodes {
    readonly sleep: SleepProgram
    readonly seq: SeqProgram
    readonly flows: FlowsProgram
    readonly ask: AskProgram
    readonly deadline: DeadlineProgram
    readonly shielded: ShieldedProgram
    readonly tidy: TidyProgram
  }
}

const ANSWER = jsonSchema({ type: 'string' })

export const compoundRow: Row = {
  kinds: {
    sleep: {
      weight: 6,
      waits: true,
      generate: ({ random, program }) => ({ kind: 'sleep', ms: random.pick([5, 300, 1600, 8000]), inner: program() }),
      ...partsIn('inner'),
      show: ({ ms }, [inner]) => `sleep${ms}(${inner})`,
      build: ({ ms }, parts, building) => around('sleep', parts, building, { before: (context) => context.sleep(ms) }),
    },
    seq: {
      weight: 5,
      generate: ({ some }) => ({ kind: 'seq', parts: some(1, 3) }),
      ...partsIn('parts'),
      show: ({ labels = [] }, parts) =>
        `seq(${parts.map((part, index) => `${labels[index] === undefined ? '' : `${labels[index]}: `}${part}`).join(', ')})`,
      build: ({ labels }, tools, building) => {
        const parts = labelled('q', tools, labels)
        return compound({
          name: building.name('seq'),
          description: DESCRIPTION,
          parts,
          run: async (_input, context) => {
            let last: unknown = building.text
            for (const [label, part] of Object.entries(parts)) last = await context.call(label, part, building.text)
            return last
          },
        })
      },
      *simpler(seq) {
        if (seq.labels === undefined) for (const parts of shorter(seq.parts, 1)) yield { ...seq, parts }
      },
      upgrades: {
        rename_part: (seq) => ({ ...seq, labels: [RENAMED] }),
        add_behind: (seq) => ({ ...seq, parts: [...seq.parts, SIMPLE_WRITE] }),
      },
    },
    flows: {
      weight: 4,
      generate: ({ random, some }) => ({ kind: 'flows', parts: some(2, 3), waitsFor: random.chance(0.15) ? 'first' : 'all' }),
      ...partsIn('parts'),
      show: ({ waitsFor }, parts) => `flows${waitsFor === 'first' ? '.first' : ''}(${parts.join(', ')})`,
      build: ({ waitsFor }, tools, building) => {
        const parts = labelled('f', tools)
        return compound({
          name: building.name('flows'),
          description: DESCRIPTION,
          parts,
          run: async (_input, context) => {
            const flows = Object.entries(parts).map(([label, part]) => context.call(label, part, building.text))
            // Who comes first may be another one when the run is taken up: the first one that is declared is not.
            if (waitsFor === 'first') return flows[0]
            const results = await Promise.all(flows)
            return results.find(({ ok }) => !ok) ?? building.text
          },
        })
      },
      *simpler(flows) {
        for (const parts of shorter(flows.parts, 1)) yield { ...flows, parts }
        if (flows.waitsFor === 'first') yield { ...flows, waitsFor: 'all' }
      },
      timeless: (flows) => ({ ...flows, waitsFor: 'all' }),
    },
    ask: {
      weight: 3,
      waits: true,
      generate: ({ random, program }) => ({ kind: 'ask', inner: program(), timeoutMs: random.chance(0.2) ? 5000 : 0 }),
      ...partsIn('inner'),
      show: ({ timeoutMs }, [inner]) => `ask${timeoutMs === 0 ? '' : timeoutMs}(${inner})`,
      build: ({ timeoutMs }, parts, building) => {
        const question = { question: `What of ${building.text}?`, answerSchema: ANSWER, ...(timeoutMs === 0 ? {} : { timeout: timeoutMs }) }
        return around('ask', parts, building, { before: (context) => context.ask(question) })
      },
      *simpler(ask) {
        if (ask.timeoutMs > 0) yield { ...ask, timeoutMs: 0 }
      },
    },
    deadline: {
      weight: 3,
      generate: ({ random, program }) => ({ kind: 'deadline', inner: program(), ms: random.pick([3, 8, 20, 40, 100]) }),
      ...partsIn('inner'),
      show: ({ ms }, [inner]) => `deadline${ms}(${inner})`,
      build: ({ ms }, parts, building) => around('deadline', parts, building, { deadline: ms }),
      timeless: (node) => ({ ...node, ms: 10_000_000 }),
    },
    shielded: {
      weight: 2,
      generate: ({ program }) => ({ kind: 'shielded', inner: program() }),
      ...partsIn('inner'),
      show: (_node, [inner]) => `shielded(${inner})`,
      build: (_node, parts, building) => around('shielded', parts, building, SHIELD),
    },
    tidy: {
      weight: 2,
      generate: ({ program }) => ({ kind: 'tidy', inner: program() }),
      ...partsIn('inner'),
      show: (_node, [inner]) => `tidy(${inner})`,
      build: (_node, [held], building) => {
        const tidied = ledgerTool({ ...SIMPLE_WRITE, name: `Tidies${building.at}` }, 'do', building)
        return compound({
          name: building.name('tidy'),
          description: DESCRIPTION,
          parts: { [HELD]: held, [TIDIED]: tidied },
          run: async (_input, context) => {
            try {
              return await context.call(HELD, held, building.text)
            } finally {
              await context.call(TIDIED, tidied, building.text, SHIELD)
            }
          },
        })
      },
    },
  },
  examples: {
    question: {
      make: () =>
        compound({
          name: 'asks',
          description: 'Asks.',
          parts: {},
          run: async (input, context) => `${input} ${await context.ask({ question: 'How many?', answerSchema: z.number() })}`,
        }),
      input: 'x',
      decide: () => ({ action: 'answer', value: 7 }),
    },
    sleeps_and_values: {
      make: (step) => {
        const a = step('a')
        return compound({
          name: 'sleeper',
          description: 'Sleeps, and looks at clocks and dice.',
          parts: { a },
          run: async (input, context) => {
            const begun = context.now()
            await context.sleep('2h')
            await context.sleep('1h', 'again')
            const picked = await context.decide('pick', () => context.random())
            const done = await context.call('a', a, `${input} ${context.ids()}`)
            return { begun, ended: context.now(), picked, done: done.ok, id: context.ids().length }
          },
        })
      },
      input: 'x',
    },
    repeated_labels: {
      make: (step) => {
        const a = step('a')
        return compound({
          name: 'twice',
          description: 'Calls twice, and tries again.',
          parts: { a },
          run: async (input, context) => {
            await context.call('do', a, input)
            await context.call('do', a, `${input}2`)
            return context.call('do', a, `${input}2`, { attempt: 2 })
          },
        })
      },
      input: 'x',
    },
  },
  wrong: {
    tools: [
      {
        what: 'compound',
        make: (wrong) => untyped(compound)({ ...WHOLE, parts: { a: wrong }, run: yes }),
        role: "The part 'a' of 'whole'",
      },
    ],
    names: [{ what: 'a compound', make: (name) => untyped(compound)({ ...WHOLE, name, parts: { fine }, run: yes }) }],
    others: [
      {
        what: 'the definition of a compound',
        make: () => untyped(compound)(),
        code: 'invalid_option',
        says: 'The definition of a compound must be an object',
      },
    ],
  },
}

interface Around {
  readonly before?: (context: ToolContext) => Promise<unknown>
  readonly deadline?: number
  readonly shielded?: boolean
}

const SHIELD = { shielded: true, deadline: 10_000_000 } as const

/** The labels of a compound that tidies up: of its part, and of what it does at the end. */
export const HELD = 'held'
export const TIDIED = 'tidied'

/** The label of a shielded part: paths show what the time of a part around it does not bind. */
export const SHIELDED = 'kept'

/** A compound that does something first, and then calls its part. */
function around(kind: string, [inner]: Parts, building: Building, { before, ...options }: Around): Part {
  const label = options.shielded === true ? SHIELDED : 'inner'
  return compound({
    name: building.name(kind),
    description: DESCRIPTION,
    parts: { [label]: inner },
    run: async (_input, context) => {
      await before?.(context)
      return context.call(label, inner, building.text, options)
    },
  })
}
