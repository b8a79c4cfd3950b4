import { expect, test } from 'vitest'
import { checkHiddenTools } from './hidden-tools.ts'

test('a tool that a caller may not see changes nothing of what the caller gets, in 100,000 worlds', { timeout: 3_600_000 }, async () => {
  expect(await checkHiddenTools(100_000)).toBe(100_000)
})
