import { expect, test } from 'vitest'
import { checkHiddenTools } from './hidden-tools.ts'

test('a tool that a caller may not see changes nothing of what the caller gets, in any way [S3] [S4]', { timeout: 60_000 }, async () => {
  expect(await checkHiddenTools(500)).toBe(500)
})
