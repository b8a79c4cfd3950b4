import assert from 'node:assert/strict'
import { encode } from 'gpt-tokenizer'
import { type AgentTool, resolve, type ToolResolution, ToolPipeline } from 'toolwright'
import { calculator, jsonParser, webSearch } from '../tool-pipelines/tools.ts'

/** What a model says in one turn: call a tool, or answer. */
type Turn = { readonly call: string; readonly arguments: string } | { readonly answer: string }

interface Bill {
  readonly modelCalls: number
  /** What was sent to the model and what it wrote, over all its calls. */
  readonly tokens: number
  readonly answer: string
}

/** Plays a model that follows a script in an agent loop, and counts what a real one would be billed for: every turn sends everything again. */
async function playAgent(tools: ToolResolution, question: string, script: readonly ((last: string) => Turn)[]): Promise<Bill> {
  const specifications = JSON.stringify(tools.specifications)
  let transcript = `user: ${question}\n`
  let tokens = 0
  let last = ''
  for (const [index, turn] of script.entries()) {
    const sent = encode(specifications + transcript).length
    const said = turn(last)
    const written = JSON.stringify(said)
    tokens += sent + encode(written).length
    if ('answer' in said) return { modelCalls: index + 1, tokens, answer: said.answer }
    const result = await tools.call(said.call, said.arguments)
    assert.ok(result.ok, result.text)
    last = result.text
    transcript += `assistant: ${written}\ntool: ${last}\n`
  }
  throw new Error('The script ended without an answer.')
}

const QUESTION = 'What does the first product about AI trends cost with 10% tax?'
const json = (value: object): string => JSON.stringify(value)

/** Search, extract, calculate: three tools, and a model call between each. */
async function byModel(): Promise<Bill> {
  return playAgent(await resolve([webSearch, jsonParser, calculator]), QUESTION, [
    () => ({ call: 'web_search', arguments: json({ query: 'AI trends' }) }),
    (found) => ({ call: 'json_parser', arguments: json({ jsonPath: 'results[0].price', json: found }) }),
    (price) => ({ call: 'calculator', arguments: json({ input: `${price} * 1.1` }) }),
    (total) => ({ answer: `It costs ${total} with tax.` }),
  ])
}

/** The same three tools as one. */
const priceWithTax: AgentTool<{ query: string }, string> = ToolPipeline.builder()
  .name('price_with_tax')
  .description('Finds the first product for a query and gives its price with 10% tax.')
  .step(webSearch)
  .adapter((result) => ({ jsonPath: 'results[0].price', json: result.text }))
  .step(jsonParser)
  .adapter((result) => `${result.text} * 1.1`)
  .step(calculator)
  .build()

async function byPipeline(): Promise<Bill> {
  return playAgent(await resolve([priceWithTax]), QUESTION, [
    () => ({ call: 'price_with_tax', arguments: json({ query: 'AI trends' }) }),
    (total) => ({ answer: `It costs ${total} with tax.` }),
  ])
}

/** Both ways, with what they cost in model calls and tokens. */
export async function compare(): Promise<{ readonly byModel: Bill; readonly byPipeline: Bill }> {
  return { byModel: await byModel(), byPipeline: await byPipeline() }
}
