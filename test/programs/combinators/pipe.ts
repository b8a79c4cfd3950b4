import { into } from '../../../src/combinators/pipe/into.ts'
import { pipe } from '../../../src/combinators/pipe/pipe.ts'
import { ToolPipeline } from '../../../src/combinators/pipe/tool-pipeline.ts'
import { SIMPLE_WRITE } from '../leaf.ts'
import type { Program } from '../program.ts'
import { DESCRIPTION, partsIn, type Row, shorter } from '../row.ts'
import type { Text } from '../step-maker.ts'
import { estimated, fine, untyped, WHOLE, yes } from '../wrong-arguments.ts'

interface PipeProgram {
  readonly kind: 'pipe'
  readonly parts: readonly Program[]
}

declare module '../program.ts' {
  interface ProgramNodes {
    readonly pipe: PipeProgram
  }
}

export const pipeRow: Row = {
  kinds: {
    pipe: {
      weight: 9,
      generate: ({ some }) => ({ kind: 'pipe', parts: some(2, 3) }),
      ...partsIn('parts'),
      show: (_pipe, parts) => `pipe(${parts.join(', ')})`,
      build: (_pipe, [head, ...rest], { name, text }) => {
        let builder = ToolPipeline.builder().name(name('pipe')).description(DESCRIPTION).step(head)
        for (const part of rest) builder = builder.adapter(() => text).step(part)
        return builder.build()
      },
      *simpler(node) {
        for (const parts of shorter(node.parts, 1)) yield { ...node, parts }
      },
      upgrades: { add_behind: (node) => ({ ...node, parts: [...node.parts, SIMPLE_WRITE] }) },
    },
  },
  examples: {
    pipe: {
      make: (step) =>
        pipe(
          step('a'),
          into(({ value }) => `<${value}>`, step('b')),
          step('c'),
        ),
      input: 'x',
    },
    pipe_same_step_twice: { make: (step) => repeated(step('a')), input: 'x' },
    pipe_fails: { make: (step) => pipe(step('a'), step('b', { fails: 'no paper' }), step('c')), input: 'x' },
    pipe_continues: {
      make: (step) =>
        ToolPipeline.builder()
          .name('continues')
          .description('Goes on after a failure.')
          .errorStrategy('CONTINUE_ON_FAILURE')
          .step(step('a', { fails: 'no paper' }))
          .step(step('b'))
          .build(),
      input: 'x',
    },
    pipe_with_p99: { make: (step) => pipe(step('a', { estimates: { p99Ms: 10, latencyMs: 5 } }), step('b')), input: 'x' },
  },
  wrong: {
    tools: [
      { what: 'pipe', make: (wrong) => untyped(pipe)(fine, wrong), role: 'Step 2 of the pipeline' },
      { what: 'the first of pipe', make: (wrong) => untyped(pipe)(wrong), role: 'Step 1 of the pipeline' },
      {
        what: 'ToolPipeline.of',
        make: (wrong) => untyped(ToolPipeline.of)('name', 'What it does.', fine, wrong),
        role: 'Step 2 of the pipeline',
      },
      { what: 'step', make: (wrong) => built('step', wrong), role: 'Step 2 of the pipeline' },
      { what: 'into', make: (wrong) => untyped(into)(() => '', wrong), role: 'The second argument of into' },
    ],
    others: [
      {
        what: 'an adapter of into',
        make: () => untyped(into)(5, fine),
        code: 'invalid_option',
        says: "The first argument of into, before 'ok', must be a function, not 5.",
      },
      { what: 'options of into', make: () => untyped(into)(yes, fine, null), code: 'invalid_option', says: 'The options of into' },
      {
        what: 'an adapter',
        make: () => built('adapter', undefined),
        code: 'invalid_option',
        says: "The adapter after 'ok' must be a function, not undefined.",
      },
      {
        what: 'options of an adapter',
        make: () => built('adapter', yes, null),
        code: 'invalid_option',
        says: "The options of the adapter after 'ok'",
      },
      {
        what: 'a name alone',
        make: () => untyped(ToolPipeline.of)('name', fine),
        code: 'invalid_definition',
        says: 'After the name "name", ToolPipeline.of takes a description',
      },
      ...['fail_fast', 'bogus', null, 5, {}].map((wrong) => ({
        what: `what a failed step does: ${JSON.stringify(wrong)}`,
        make: () => built('errorStrategy', wrong),
        code: 'invalid_option',
        says: "errorStrategy of 'ok_then_ok' must be 'FAIL_FAST' or 'CONTINUE_ON_FAILURE', not ",
      })),
      {
        what: 'how time is shared out',
        make: () => built('deadlines', 'bogus'),
        code: 'invalid_option',
        says: `deadlines of 'ok_then_ok' must be 'reserve' or 'proportional', not "bogus".`,
      },
    ],
    misspelt: {
      'into(options)': (odd) => untyped(into)(yes, fine, odd),
      'NamedPipe.named(options)': (odd) => pipe.named({ ...WHOLE, ...odd }),
      'NamedPipelineOptions.estimates': estimated((odd) => pipe.named({ ...WHOLE, ...odd })(fine)),
      'PipelineBuilder.adapter(options)': (odd) => untyped(ToolPipeline.builder().step(fine).adapter)(yes, odd),
    },
  },
}

function repeated(a: Text): Text {
  return pipe(a, a, a)
}

function built(method: 'adapter' | 'errorStrategy' | 'deadlines' | 'step', ...given: readonly unknown[]): unknown {
  const builder = ToolPipeline.builder().step(fine)
  return (untyped(builder[method])(...given) as typeof builder).step(fine).build()
}
