import { autoReview } from 'toolwright'
import { expect, test } from 'vitest'
import { guideTour } from './tour.ts'

test('the tour draws, checks, explains and runs the plan, and counts what a model in between would cost', async () => {
  const lines: string[] = []
  await guideTour({ print: (text) => lines.push(text), review: autoReview() })
  const text = lines.join('\n')
  for (const shown of ['flowchart', 'cannot be undone', 'web_search', '164.989', 'model calls']) expect(text).toContain(shown)
})

test('a tour whose file is rejected writes nothing, and says so', async () => {
  const lines: string[] = []
  await guideTour({ print: (text) => lines.push(text), review: autoReview({ action: 'reject' }) })
  expect(lines.join('\n')).toContain('Nothing was written.')
})
