import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { explain } from 'toolwright'
import { nightly } from './nightly.ts'

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const folder = await mkdtemp(join(tmpdir(), 'nightly-etl-'))
try {
  await writeFile(join(folder, 'orders-monday.csv'), 'id,currency,amount\nA-1,EUR,20\nA-2,USD,50\nA-3,CHF,10\n')
  await writeFile(join(folder, 'orders-tuesday.csv'), 'id,currency,amount\nB-1,XAU,1\n')
  await writeFile(join(folder, 'rates.json'), '{"EUR":1,"USD":0.92,"CHF":1.04}')

  print(explain(nightly).toString().split('\n')[0] ?? '')
  const monday = await nightly.call({ variables: { folder, day: 'monday', out: folder } })
  assert.ok(monday.ok)
  assert.deepEqual(monday.value.totals, { orders: 3, euros: 76.4 })
  assert.equal(await readFile(join(folder, 'report-monday.txt'), 'utf8'), 'monday: 3 orders, 76.4 EUR')
  print(monday.text)
  print(`steps: ${monday.steps?.map(({ label }) => label).join(', ')}`)

  const tuesday = await nightly.call({ variables: { folder, day: 'tuesday', out: folder } })
  assert.equal(tuesday.ok, false)
  print(tuesday.text)
  print(`steps: ${tuesday.steps?.map(({ label, result }) => `${label} ${result.ok ? 'ok' : 'failed'}`).join(', ')}`)
} finally {
  await rm(folder, { recursive: true, force: true })
}
