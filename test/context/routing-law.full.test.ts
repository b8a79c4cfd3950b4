import { expect, test } from 'vitest'
import { checkEncodings, checkRouting } from './routing-law.ts'

const ALL_LEVELS = ['facts', 'none', 'projection', 'signal', 'verbatim']

test('[R2] [R4] 10,000 outputs enter within their budgets, and all of them can be read back', { timeout: 3_600_000 }, async () => {
  expect([...(await checkRouting(10_000))].toSorted()).toEqual(ALL_LEVELS)
})

test('[R2] 10,000 values are written so that they can be read back', { timeout: 3_600_000 }, async () => {
  expect([...(await checkEncodings(10_000))]).toEqual(expect.arrayContaining(['json', 'table', 'toon']))
})
