import { map } from '../../../src/combinators/map/map.ts'
import { pipe } from '../../../src/combinators/pipe/pipe.ts'
import { ToolPipeline } from '../../../src/combinators/pipe/tool-pipeline.ts'
import type { AgentTool } from '../../../src/tool/agent-tool.ts'
import type { Program } from '../program.ts'
import { DESCRIPTION, partsIn, type Row } from '../row.ts'
import { estimated, fine, untyped } from '../wrong-arguments.ts'

interface MapProgram {
  readonly kind: 'map'
  readonly item: Program
  readonly count: number
  readonly concurrency: number
  readonly collects: boolean
}

declare module '../program.ts' {
  interface ProgramNodes {
    readonly map: MapProgram
  }
}

export const mapRow: Row = {
  kinds: {
    map: {
      weight: 10,
      generate: ({ random, contender }) => ({
        kind: 'map',
        item: contender(),
        count: 2 + random.below(2),
        concurrency: random.pick([1, 2, 8]),
        collects: random.chance(0.3),
      }),
      ...partsIn('item'),
      show: ({ count, concurrency, collects }, [item]) => `map${collects ? '.collect' : ''}x${count}/${concurrency}(${item})`,
      build: ({ count, concurrency, collects }, [item], { name, text, begin }) => {
        const options = { name: name('map'), concurrency }
        const items: AgentTool<readonly string[], unknown> = collects
          ? map(item, { ...options, onFailure: 'collect' })
          : map(item, { ...options, onFailure: 'fail' })
        return ToolPipeline.builder()
          .name(name('mapped'))
          .description(DESCRIPTION)
          .step(begin)
          .adapter((): readonly string[] => Array.from({ length: count }, () => text))
          .step(items)
          .build()
      },
      *simpler(node) {
        if (node.count > 2) yield { ...node, count: 2 }
        if (node.concurrency !== 8) yield { ...node, concurrency: 8 }
        if (node.collects) yield { ...node, collects: false }
      },
    },
  },
  examples: {
    map: { make: (step) => map(pipe(step('a'), step('b')), { concurrency: 2 }), input: ['x', 'y', 'z'] },
    map_fails: { make: (step) => map(step('a', { fails: 'no y', when: 'y' }), { concurrency: 1 }), input: ['x', 'y', 'z'] },
    map_collects: { make: (step) => map(step('a', { fails: 'no y', when: 'y' }), { onFailure: 'collect' }), input: ['x', 'y', 'z'] },
  },
  wrong: {
    tools: [{ what: 'map', make: (wrong) => untyped(map)(wrong), role: 'The first argument of map' }],
    names: [{ what: 'a map', make: (name) => untyped(map)(fine, { name }) }],
    others: [
      {
        what: 'options of map',
        make: () => untyped(map)(fine, null),
        code: 'invalid_option',
        says: "The options of map for 'ok' must be an object, not null.",
      },
    ],
    misspelt: {
      'map(options)': (odd) => map(fine, odd),
      'map(options).estimates': estimated((odd) => map(fine, odd)),
    },
  },
}
