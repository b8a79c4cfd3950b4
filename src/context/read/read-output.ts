import type { AgentTool } from '../../tool/agent-tool.ts'
import { jsonSchema } from '../../tool/contract.ts'
import { tool } from '../../tool/tool.ts'
import type { ToolContext } from '../../tool/context.ts'
import { failure } from '../../tool/result/returned.ts'
import type { CountTokens } from '../tokens.ts'
import type { Aggregate } from './aggregate.ts'
import type { OutputReader, ReadQuery } from './output-reader.ts'

/** The arguments of `read_output`: a pointer, and one way to read. */
export interface ReadOutputInput {
  readonly pointer: string
  readonly query?: string | undefined
  readonly path?: string | undefined
  readonly page?: number | undefined
  readonly at?: number | undefined
  readonly range?: readonly [number, number] | undefined
  readonly aggregate?: Aggregate | undefined
}

/** Who calls a tool. */
export type CallerOfTool = Pick<ToolContext, 'principal' | 'session'>

export interface ReadOutputOptions {
  readonly reader: (pointer: string, caller: CallerOfTool) => Promise<OutputReader | undefined>
  readonly count: CountTokens
  /** What one answer may take now. */
  readonly maxTokens: () => number
}

const PAGE_TOKENS = 1000
const ANSWER_TOKENS = 2000
const FEWEST_TOKENS = 20
const WAYS = ['query', 'path', 'page', 'at', 'range', 'aggregate'] as const

const SCHEMA = {
  type: 'object',
  properties: {
    pointer: { type: 'string', description: 'The pointer of the output, as its block says it.' },
    query: { type: 'string', description: 'Words to look for. Tells how often they come, then shows the records or lines.' },
    path: { type: 'string', description: 'A JMESPath expression over the output, such as orders[?total > `100`].id.' },
    page: { type: 'integer', minimum: 1, description: 'A page of the text, from 1.' },
    at: { type: 'integer', minimum: 0, description: 'A place in the text, as a page before said it.' },
    range: {
      type: 'array',
      items: { type: 'integer', minimum: 1 },
      minItems: 2,
      maxItems: 2,
      description: 'Lines of a text, or records of data: [first, last].',
    },
    aggregate: {
      type: 'object',
      description: 'Counts and adds over all rows of a table: { "sum": "total", "where": { "status": "open" }, "groupBy": "country" }.',
      properties: {
        table: { type: 'string' },
        where: { type: 'object', description: 'Columns with a value, or with { gt, gte, lt, lte, not, in, contains }.' },
        groupBy: { type: 'string' },
        count: { type: 'boolean' },
        sum: { type: 'string' },
        avg: { type: 'string' },
        min: { type: 'string' },
        max: { type: 'string' },
        top: { type: 'string', description: 'The most frequent values of a column.' },
        distinct: { type: 'string' },
      },
      additionalProperties: false,
    },
  },
  required: ['pointer'],
  additionalProperties: false,
} as const

/** Makes the tool `read_output` of a conversation, which reads back what did not fit into its context. */
export function readOutput({ reader, count, maxTokens }: ReadOutputOptions): AgentTool<ReadOutputInput, string> {
  return tool({
    name: 'read_output',
    description:
      'Reads a stored output of another tool by its pointer. Give one of: query (search), path (JMESPath), aggregate (count, sum, groups), range (lines), page or at.',
    inputSchema: jsonSchema<ReadOutputInput>(SCHEMA),
    effect: 'read',
    idempotent: true,
    async execute({ pointer, ...given }, caller) {
      const ways = WAYS.filter((way) => given[way] !== undefined)
      if (ways.length !== 1)
        return failure(`Give exactly one of ${WAYS.join(', ')}${ways.length === 0 ? '' : `, not ${ways.join(' and ')}`}.`, {
          code: 'invalid_request',
        })
      const budget = Math.min(ANSWER_TOKENS, maxTokens())
      if (budget < FEWEST_TOKENS) return failure('There is no room in the context for an answer.', { code: 'budget_exceeded' })
      const output = await reader(pointer, caller)
      if (output === undefined)
        return failure(
          `There is no stored output '${pointer.slice(0, 40)}' in this conversation. It may have expired: call the tool again.`,
          { code: 'not_found' },
        )
      const { page } = given
      if (page !== undefined) return pageText(output, page, { count, budget })
      const { text, next } = await output.read(queryOf(given), { maxTokens: budget - NEXT_TOKENS, count })
      return next === undefined ? text : `${text}\n[read on with at: ${next}]`
    },
  })
}

/** For the line that says where to read on. */
const NEXT_TOKENS = 15

function queryOf({ query, path, at = 0, range, aggregate }: Omit<ReadOutputInput, 'pointer' | 'page'>): ReadQuery {
  if (query !== undefined) return { query }
  if (path !== undefined) return { path }
  if (range !== undefined) return { range }
  return aggregate === undefined ? { at } : { aggregate }
}

async function pageText(
  output: OutputReader,
  page: number,
  { count, budget }: { readonly count: CountTokens; readonly budget: number },
): Promise<string> {
  const at = output.startOfPage(page, PAGE_TOKENS, count)
  if (at === undefined) return `There are ${output.pages(PAGE_TOKENS, count)} pages.`
  const { text, next } = await output.read({ at }, { maxTokens: Math.min(PAGE_TOKENS, budget - NEXT_TOKENS), count })
  if (next === undefined) return text
  return `${text}\n[read on with ${output.startOfPage(page + 1, PAGE_TOKENS, count) === next ? `page: ${page + 1}` : `at: ${next}`}]`
}
