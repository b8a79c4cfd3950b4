import { describe, expect, test } from 'vitest'
import type { AgentTool } from '../tool/agent-tool.ts'
import { tool } from '../tool/tool.ts'
import { Ranking } from './ranking.ts'
import { toolText } from './tool-text.ts'
import { TraceIndex } from './traces.ts'

function make(name: string, description: string): AgentTool {
  return tool({ name, description, effect: 'read', execute: () => name }) as AgentTool
}

/** Tools in the order of their places, without vectors: only words count. */
function ranked(...tools: readonly (readonly [tool: AgentTool, server?: string])[]): {
  readonly scores: (request: string, weigh?: (term: string) => number) => number[]
  /** How well each tool fits the part of a request that it fits best. */
  readonly clauses: (request: string) => number[]
} {
  const ranking = new Ranking()
  for (const [place, [each, server]] of tools.entries()) ranking.set(place, toolText(each, { server }), undefined)
  const allowed = new Uint8Array(tools.length).fill(1)
  const scores = (request: string, weigh?: (term: string) => number): number[] => [
    ...ranking.rank(request, allowed, { vectors: undefined, weigh }).score.subarray(0, tools.length),
  ]
  const clauses = (request: string): number[] => [
    ...ranking.rank(request, allowed, { vectors: undefined }).clause.subarray(0, tools.length),
  ]
  return { scores, clauses }
}

describe('Ranking', () => {
  test('a tool counts more beside a tool of its server that fits, and never more than that one', () => {
    const { scores } = ranked(
      [make('find_parcel', 'Finds a parcel.'), 'post'],
      [make('track', 'Tracks.'), 'post'],
      [make('watch', 'Watches.'), 'zoo'],
      [make('feed', 'Feeds.'), 'zoo'],
    )
    const [parcel = 0, sibling = 0, stranger = 0] = scores('find my parcel')
    expect(sibling).toBeGreaterThan(stranger)
    expect(parcel).toBeGreaterThan(sibling)
  })

  test('the tools of a server count more for each other where a request has several wishes', () => {
    const { scores } = ranked(
      [make('find_parcel', 'Finds a parcel.'), 'post'],
      [make('track', 'Tracks.'), 'post'],
      [make('sing', 'Sings a song.'), 'choir'],
    )
    const shareOf = ([parcel = 0, sibling = 0]: number[]): number => sibling / parcel
    const several = shareOf(scores('find my lost parcel and then sing me a song'))
    expect(several).toBeGreaterThan(1.2 * shareOf(scores('find my lost parcel')))
    expect(several).toBeLessThan(1)
  })

  test('the best tool of a part of a request comes before tools that fit many words a little, behind the best of the whole', () => {
    const { scores } = ranked(
      [make('order_report', 'Writes a report about the orders of a customer for the month.')],
      [make('rain', 'Rain.')],
      [make('customer_orders_of_month', 'Counts the orders of the customer for a month.')],
    )
    const [report = 0, rain = 0, month = 0] = scores(
      'write the report about orders of the customer for this month, and then tell if rain comes today',
    )
    expect(report).toBeGreaterThan(rain)
    expect(rain).toBeGreaterThan(month)
  })

  test('a wish of common words is a wish: the best tool for it fits it as well as the best tool for a wish of rare words fits that one', () => {
    const { clauses } = ranked(
      [make('multiply_matrix', 'Multiplies the numbers of a matrix.')],
      [make('read_customer', 'Reads the data of a customer.')],
      ...Array.from({ length: 30 }, (_, at) => [make(`read_${at}`, `Reads the data of a customer, part ${at}.`)] as const),
    )
    const [multiply = 0, customer = 0] = clauses('multiply the numbers of the matrix and then read data of the customer')
    expect(customer).toBeCloseTo(multiply)
  })

  test('a word that many requests have tells little, as the requests say', () => {
    const traces = new TraceIndex()
    const asked = (text: string, at: number): void => traces.add({ text, tool: `tool_${at % 7}`, served: true, at }, undefined)
    for (let at = 0; at < 60; at++) asked(`recommend thing${at} number${at}`, at)
    const weigh = traces.weigh()
    expect(weigh('recommend')).toBeLessThan(0.3)
    expect(weigh('wine')).toBe(1)
    const { scores } = ranked([make('recommend', 'Recommends.')], [make('wine', 'Wines.')])
    const [before = 0, wine = 0] = scores('recommend a wine')
    expect(before).toBeCloseTo(wine)
    const [after = 0, first = 0] = scores('recommend a wine', weigh)
    expect(after).toBeLessThan(first / 2)
    // Few requests say little.
    const few = new TraceIndex()
    few.add({ text: 'recommend a book', tool: 'tool_1', served: true, at: 0 }, undefined)
    expect(few.weigh()('recommend')).toBeGreaterThan(0.8)
  })
})
