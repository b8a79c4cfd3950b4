import { expect, test } from 'vitest'
import { ContextLedger } from './ledger.ts'

test('[R4] what remains is the window without system, history, memory, reserve and outputs', () => {
  const ledger = new ContextLedger(8000)
  ledger.set('system', 'prompt', 500)
  ledger.set('history', 'messages', 1000)
  ledger.set('memory', 'recalled', 100)
  ledger.set('reserve', 'answer', 400)
  const withdraw = ledger.add({ kind: 'output', label: 'find_orders', tokens: 1000, level: 'facts' })
  expect(ledger.remaining).toBe(5000)
  ledger.set('history', 'messages', 2000)
  expect(ledger.remaining).toBe(4000)
  withdraw()
  expect(ledger.remaining).toBe(5000)
  expect(ledger.totals()).toEqual({ system: 500, history: 2000, memory: 100, reserve: 400 })
})

test('[R4] the ledger is a table for people', () => {
  const ledger = new ContextLedger(1000)
  ledger.set('system', 'prompt', 50)
  ledger.add({ kind: 'output', label: 'find_orders', tokens: 120, level: 'facts', whole: 90_000 })
  expect(String(ledger)).toBe(
    ['system  prompt        50', 'output  find_orders  120  facts of 90000', '        remaining    830  of 1000'].join('\n'),
  )
})
