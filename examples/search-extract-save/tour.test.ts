import { autoReview } from 'toolwright'
import { expect, test } from 'vitest'
import { runProgram } from '../../scripts/run-program.ts'
import { nextSteps } from './next-steps.ts'
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

test('every command that is printed at the end works where the reader stands', async () => {
  const commands = [...nextSteps.matchAll(/npm (run -s toolwright -- .+)$/gm)].map(([, words = '']) => words)
  expect(commands).toHaveLength(2)
  for (const words of commands) {
    const flags = [...words.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word)
    const { code, stdout, stderr } = await runProgram('npm', flags)
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(words.includes('call') ? /^164\.989$/m : /calculator/)
  }
}, 60_000)
