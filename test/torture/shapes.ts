import { gate } from '../../src/combinators/gate/gate.ts'
import { loop } from '../../src/combinators/loop/loop.ts'
import { map } from '../../src/combinators/map/map.ts'
import { first, quorum } from '../../src/combinators/parallel/join.ts'
import { parallel } from '../../src/combinators/parallel/parallel.ts'
import { ToolPipeline } from '../../src/combinators/pipe/tool-pipeline.ts'
import { compound } from '../../src/tool/compound.ts'
import { type EffectInput, type Leaves, leavesOf, next } from './leaves.ts'
import type { LedgerClient } from './ledger-client.ts'
import { compensated, deepGate, GATED, nestedSaga } from './saga-shapes.ts'
import { type Expectation, type Shape, shapeInput, type ShapeInput } from './shape.ts'

/** Every form of run that is tortured. */
export function shapesOf(client: LedgerClient): readonly Shape[] {
  const leaves = leavesOf(client)
  const branches = { a: compensated(leaves, 'a'), b: compensated(leaves, 'b'), c: compensated(leaves, 'c') }
  return [
    row(leaves),
    sideBySide(leaves),
    firstOfReads(leaves),
    firstOfSagas(leaves, branches),
    quorumOfSagas(leaves, branches),
    nestedSaga(leaves),
    gated(leaves),
    deepGate(leaves),
    turns(leaves),
    items(leaves),
    sleeper(leaves),
  ]
}

type Branches = Readonly<Record<'a' | 'b' | 'c', ReturnType<typeof compensated>>>

function row({ begin, doIt, look }: Leaves): Shape {
  const tool = ToolPipeline.builder()
    .name('pipeline')
    .description('Three effects in a row.')
    .step(begin)
    .adapter(next('a'))
    .step(doIt)
    .adapter(next('b'))
    .step(doIt)
    .adapter(next('between'))
    .step(look)
    .adapter(next('c'))
    .step(doIt)
    .build()
  return {
    name: 'pipeline',
    tool,
    failures: [{ at: 'b', modes: ['refused'] }],
    expected: ({ failAt }) => (failAt === 'b' ? ended('failed', ['a']) : ended('completed', ['a', 'b', 'c'])),
  }
}

function sideBySide({ doIt, look }: Leaves): Shape {
  const tool = parallel(
    { a: doIt, b: doIt, c: doIt, d: look },
    { name: 'parallel_all', inputSchema: shapeInput, inputs: { a: as('a'), b: as('b'), c: as('c'), d: as('d') } },
  )
  return {
    name: 'parallel_all',
    tool,
    failures: [{ at: 'b', modes: ['refused'] }],
    expected: ({ failAt }) => (failAt === 'b' ? ended('failed', ['a', 'c']) : ended('completed', ['a', 'b', 'c'])),
  }
}

function firstOfReads({ doIt, look }: Leaves): Shape {
  const fastest = parallel(
    { a: look, b: look, c: look },
    { name: 'fastest_look', inputSchema: shapeInput, join: first(), inputs: { a: as('a'), b: as('b'), c: as('c') } },
  )
  const tool = ToolPipeline.builder()
    .name('first_of_reads')
    .description('Looks in three places, and acts on the first answer.')
    .step(fastest)
    .adapter(next('after'))
    .step(doIt)
    .build()
  return { name: 'first_of_reads', tool, expected: () => ended('completed', ['after']) }
}

function firstOfSagas({ doIt }: Leaves, branches: Branches): Shape {
  const tool = ToolPipeline.builder()
    .name('first_of_sagas')
    .description('Does one of three things.')
    .step(parallel(branches, { name: 'fastest_saga', join: first() }))
    .adapter(({ value: { plan, effect } }) => ({ plan, effect: `won.${effect}` }))
    .step(doIt)
    .build()
  return raceOf('first_of_sagas', tool, 1)
}

function quorumOfSagas({ doIt }: Leaves, branches: Branches): Shape {
  const tool = ToolPipeline.builder()
    .name('quorum_of_sagas')
    .description('Does two of three things.')
    .step(parallel(branches, { name: 'majority', join: quorum({ count: 2 }) }))
    .adapter(({ value }) => {
      const won = Object.values(value).filter((each) => each !== undefined)
      const [{ plan } = none()] = won
      return { plan, effect: `won.${won.map(({ effect }) => effect).join('.')}` }
    })
    .step(doIt)
    .build()
  return raceOf('quorum_of_sagas', tool, 2)
}

const RACERS = ['a', 'b', 'c']

function raceOf(name: string, tool: Shape['tool'], needed: number): Shape {
  return { name, tool, expected: () => ({ branches: RACERS, needed, last: 'won' }) }
}

function none(): never {
  throw new Error('Nobody won.')
}

function gated({ begin, doIt, look }: Leaves): Shape {
  const tool = ToolPipeline.builder()
    .name('gated')
    .description('Acts, asks, and acts again.')
    .step(begin)
    .adapter(next('before'))
    .step(doIt)
    .adapter(next('gated'))
    .step(gate(doIt, GATED))
    .adapter(next('between'))
    .step(look)
    .adapter(next('after'))
    .step(doIt)
    .build()
  const expected = ({ decision }: ShapeInput): Expectation => {
    if (decision === 'reject') return ended('failed', ['before'])
    return ended('completed', ['before', decision === 'edit' ? 'gated.edited' : 'gated', 'after'])
  }
  return { name: 'gated', tool, isGated: true, expected }
}

function turns({ begin, doIt }: Leaves): Shape {
  const again = loop(doIt, {
    name: 'turns',
    until: ({ plan }, count) => count >= plan.count,
    maxTurns: 10,
    next: ({ plan }, _input, count) => ({ plan, effect: `turn.${count + 1}` }),
  })
  const tool = ToolPipeline.builder()
    .name('loop')
    .description('Acts several times.')
    .step(begin)
    .adapter(next('turn.1'))
    .step(again)
    .build()
  return { name: 'loop', tool, expected: ({ count }) => ended('completed', numbered('turn', count)) }
}

function items({ begin, doIt }: Leaves): Shape {
  const tool = ToolPipeline.builder()
    .name('map')
    .description('Acts for each of several things.')
    .step(begin)
    .adapter(({ value: { plan } }) => numbered('item', plan.count).map((effect) => ({ plan, effect })))
    .step(map(doIt, { name: 'items', concurrency: 2 }))
    .build()
  return { name: 'map', tool, expected: ({ count }) => ended('completed', numbered('item', count)) }
}

/** Long enough for the run to be put away. */
const SLEEP_MS = 1600

function sleeper({ doIt }: Leaves): Shape {
  const tool = compound({
    name: 'sleep',
    description: 'Acts, sleeps and acts again.',
    inputSchema: shapeInput,
    parts: { doIt },
    run: async (plan, context) => {
      await context.call('before', doIt, { plan, effect: 'before' })
      await context.sleep(SLEEP_MS)
      return context.call('after', doIt, { plan, effect: 'after' })
    },
  })
  return { name: 'sleep', tool, expected: () => ended('completed', ['before', 'after']) }
}

function as(effect: string): (plan: ShapeInput) => EffectInput {
  return (plan) => ({ plan, effect })
}

function ended(status: Expectation['status'], done: readonly string[]): Expectation {
  return { status, done, undone: [] }
}

function numbered(name: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${name}.${index + 1}`)
}
