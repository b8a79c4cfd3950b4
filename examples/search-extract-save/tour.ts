import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { autoReview, check, explain, type Listener, type ReviewHandler } from 'toolwright'
import { calculator, fileWrite, jsonParser } from 'toolwright/kits/basic'
import { createTrace } from 'toolwright/telemetry'
import { webSearch } from './catalogue.ts'
import { type Bill, billFor, lastToolText } from './model-loop.ts'
import { mistaken, savePrice } from './plan.ts'

export interface Guide {
  readonly print: (text: string) => void
  readonly review: ReviewHandler
}

const QUESTION = 'Save the price of the best mechanical keyboard, with 10% tax, to price.txt.'

/** The first tour: a plan is drawn, checked, explained and run, and compared with a model that does every step itself. Checks what it shows. */
export async function guideTour({ print, review }: Guide): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'toolwright-tour-'))
  try {
    await tour(folder, { print, review })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function tour(folder: string, { print, review }: Guide): Promise<void> {
  const heading = (text: string): void => print(`\n── ${text} ${'─'.repeat(Math.max(0, 74 - text.length))}\n`)
  const plan = savePrice(folder)

  heading('Four tools as one: the plan, as Mermaid draws it')
  print(explain(plan).mermaid)

  heading('A plan that compiles, and what check says before anything runs')
  const findings = check(mistaken)
  const serious = findings.filter(({ severity }) => severity !== 'note')
  for (const { severity, message, hint } of serious) print(`${severity}: ${message}\n   ${hint}`)
  assert.deepEqual([...new Set(findings.filter(({ severity }) => severity === 'error').map(({ code }) => code))].toSorted(), [
    'edge_does_not_fit',
    'irreversible_before_fallible',
  ])

  heading('Time, cost and reliability, step by step')
  print(explain(plan).text)

  heading('One call: search, extract, calculate, and a person before the file is written')
  const trace = createTrace()
  const result = await plan.call({ query: 'mechanical keyboard' }, { review, on: [live(print), trace], deadline: '5m' })
  print(`\n${trace.draw()}`)
  print(`\nThe model reads: ${result.text}`)
  if (!result.ok) {
    print('Nothing was written. Start again and approve to see the rest.')
    return
  }
  assert.equal(await readFile(join(folder, 'price.txt'), 'utf8'), '164.989\n')

  heading('The same job by a model that calls every tool itself')
  compare(print, await byModel(folder), await byPlan(folder))
}

/** Tells of every step as it happens. */
function live(print: Guide['print']): Listener {
  return (event) => {
    const isStep = event.call.parent !== undefined && event.call.layer === undefined
    if (event.type === 'call.started' && isStep) print(`▸ ${event.call.path}`)
    if (event.type === 'call.progressed') print(`  ${event.message ?? ''}`)
    if (event.type === 'review.requested') print(`? ${event.request.why}`)
    if (event.type === 'call.finished' && isStep) print(`${event.outcome === 'success' ? '✓' : '✗'} ${event.call.path}`)
  }
}

const approving = autoReview()

function byModel(folder: string): Promise<Bill> {
  const call = (name: string, args: object) => ({ toolCalls: [{ name, arguments: args }] })
  return billFor({
    tools: [webSearch, jsonParser(), calculator(), fileWrite({ root: folder, requireApproval: true })],
    question: QUESTION,
    review: approving,
    script: [
      call('web_search', { query: 'mechanical keyboard' }),
      ({ body }) => call('json_parser', { jsonPath: 'results[0].price', json: lastToolText(body.messages) }),
      ({ body }) => call('calculator', { input: `${lastToolText(body.messages)} * 1.1` }),
      ({ body }) => call('file_write', { path: 'price.txt', content: `${lastToolText(body.messages)}\n`, mode: 'overwrite' }),
      { text: 'Saved 164.989 to price.txt.' },
    ],
  })
}

function byPlan(folder: string): Promise<Bill> {
  return billFor({
    tools: [savePrice(folder)],
    question: QUESTION,
    review: approving,
    script: [{ toolCalls: [{ name: 'save_price', arguments: { query: 'mechanical keyboard' } }] }, { text: 'Saved 164.989 to price.txt.' }],
  })
}

function compare(print: Guide['print'], model: Bill, plan: Bill): void {
  assert.deepEqual([model.modelCalls, plan.modelCalls], [5, 2])
  assert.equal(model.answer, plan.answer)
  assert.ok(plan.tokens < model.tokens / 2)
  const row = (name: string, { modelCalls, tokens }: Bill): string =>
    `${name.padEnd(30)}${String(modelCalls).padStart(11)}${String(tokens).padStart(9)}`
  print(`${''.padEnd(30)}model calls   tokens`)
  print(row('four tools and a model', model))
  print(row('one tool', plan))
  print(
    `${((1 - plan.tokens / model.tokens) * 100).toFixed(0)}% fewer tokens. The model is a script that is served over HTTP; the loop is that of the AI SDK.`,
  )
}
