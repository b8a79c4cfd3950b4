import { describe, expect, test } from 'vitest'
import { checkEncodings, checkRouting } from '../../test/context/routing-law.ts'

describe('the router', () => {
  test('[R2] [R4] admits no more than the budget, and every character of a stored output can be read back', async () => {
    expect([...(await checkRouting(400))].toSorted()).toEqual(expect.arrayContaining(['facts', 'none', 'signal', 'verbatim']))
  })

  test('[R2] writes values so that they can be read back', async () => {
    expect([...(await checkEncodings(400))]).toEqual(expect.arrayContaining(['json', 'table', 'toon']))
  })
})
