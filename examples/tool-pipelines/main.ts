import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { autoReview, resolve, tool, ToolPipeline } from 'toolwright'
import { calculator, fileWrite, jsonParser, webSearch } from './tools.ts'

const folder = await mkdtemp(join(tmpdir(), 'toolwright-example-'))
const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

try {
  // Three tools in a row, named after themselves. Where the shapes differ an adapter stands in between.
  const searchThenSave = ToolPipeline.builder()
    .step(webSearch)
    .adapter((result) => ({ jsonPath: 'results[0].title', json: result.text }))
    .step(jsonParser)
    .step(fileWrite(folder))
    .build()
  assert.equal(searchThenSave.name, 'web_search_then_json_parser_then_file_write')
  assert.equal(searchThenSave.description, 'Pipeline: web_search -> json_parser -> file_write')
  const saved = await searchThenSave.call({ query: 'AI trends' })
  assert.equal(saved.text, 'Written: result.txt')
  assert.equal(await readFile(join(folder, 'result.txt'), 'utf8'), 'AI trends of the year')
  print(`${searchThenSave.name}: ${saved.text}`)

  // The price example: extract a number, apply a formula.
  const extractAndCalculate = ToolPipeline.builder()
    .name('extract_and_calculate')
    .description('Extracts a numeric field from JSON and applies a formula.')
    .step(jsonParser)
    .adapter((result) => `${result.text} * 1.1`)
    .step(calculator)
    .build()
  const price = await extractAndCalculate.call({ jsonPath: 'product.price', json: '{"product":{"price":149.99}}' })
  assert.equal(price.text, '164.989')
  print(`${extractAndCalculate.name}: ${price.text}`)

  // A model calls it once, with the schema of the first step.
  const tools = await resolve([extractAndCalculate])
  const byModel = await tools.call('extract_and_calculate', '{"jsonPath":"price","json":"{\\"price\\":100}"}')
  assert.equal(byModel.text, '110')

  // Both error strategies.
  const report = tool({ name: 'report', description: 'Reports.', effect: 'read', execute: (text) => `report: ${text}` })
  const failFast = await ToolPipeline.of(calculator, report).call('not a product')
  assert.equal(failFast.ok, false)
  const resilient = ToolPipeline.builder()
    .name('resilient_pipeline')
    .description('Goes on when a step fails.')
    .step(calculator)
    .step(report)
    .errorStrategy('CONTINUE_ON_FAILURE')
    .build()
  const continued = await resilient.call('not a product')
  assert.equal(continued.text, "report: 'not a product' is not a product of two decimals.")
  print(`${resilient.name}: ${continued.text}`)

  // A person before the write, in the middle of the pipeline.
  const gated = ToolPipeline.of(
    'extract_and_save',
    'Extracts a field and saves it.',
    jsonParser,
    fileWrite(folder, { requireApproval: true }),
  )
  const input = { jsonPath: 'name', json: '{"name":"Ada"}' }
  await assert.rejects(gated.call(input), { code: 'missing_review_handler' })
  const rejected = await gated.call(input, { review: autoReview({ action: 'reject' }) })
  assert.equal(rejected.text, "Error: Step 'file_write' failed: Rejected by reviewer: Ada")
  const approved = await gated.call(input, { review: autoReview() })
  assert.equal(approved.text, 'Written: result.txt')
  print(`${gated.name}: ${rejected.text}; then ${approved.text}`)

  // Pipelines nest: fragments can be named and used again.
  const inner = ToolPipeline.of('price_with_tax', 'Adds the tax.', extractAndCalculate)
  const outer = ToolPipeline.of('priced_report', 'Reports a price with tax.', inner, report)
  const nested = await outer.call({ jsonPath: 'price', json: '{"price":10}' })
  assert.equal(nested.text, 'report: 11')
  assert.deepEqual(
    nested.steps?.map((step) => step.path),
    ['priced_report/price_with_tax', 'priced_report/report'],
  )
  print(`${outer.name}: ${nested.text}`)
} finally {
  await rm(folder, { recursive: true, force: true })
}
