import assert from 'node:assert/strict'
import { memoryJournal, tool, ToolError } from 'toolwright'
import { fakeClock } from 'toolwright/testing'
import { fastest } from './fastest.ts'
import { hedge } from './hedge.ts'
import { retry } from './retry.ts'

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

/** Answers after a while, unless it is cancelled first. */
const source = (name: string, ms: number, seen: string[]) =>
  tool({
    name,
    description: `The ${name} source.`,
    effect: 'read',
    async execute(question, { clock, signal }) {
      await new Promise<void>((resolve) => void clock.timer(ms, resolve))
      seen.push(signal.aborted ? `${name} cancelled` : `${name} answered`)
      return `${name} on ${question}`
    },
  })

// The first of two answers. Its end is recorded: whoever takes the run up comes to the same answer, and asks nobody again.
const seen: string[] = []
const clock = fakeClock()
const journal = memoryJournal()
const first = fastest(source('near', 20, seen), source('far', 80, seen))
const answer = await clock.until(first.call('the weather', { clock, journal, idempotencyKey: 'run' }))
assert.equal(answer.text, 'near on the weather')
const again = await clock.until(first.call('the weather', { clock, journal: memoryJournal(journal.entries), idempotencyKey: 'run' }))
assert.equal(again.text, answer.text)
assert.deepEqual(
  seen.filter((each) => each === 'near answered'),
  ['near answered'],
)
print(`fastest: ${answer.text}`)

// Three attempts, with waits that grow.
let calls = 0
const flaky = tool({
  name: 'flaky',
  description: 'Works the third time.',
  effect: 'read',
  execute: (text) => {
    if (++calls < 3) throw new ToolError('Busy.', { class: 'transient' })
    return `${text} after ${calls} calls`
  },
})
const patient = await clock.until(retry(flaky, 3).call('an answer', { clock, random: () => 0 }))
assert.equal(patient.text, 'an answer after 3 calls')
print(`retry: ${patient.text}`)

// A second call only when the first is slow.
const slow: string[] = []
const hedged = await clock.until(hedge(source('slow', 300, slow), '50ms').call('the news', { clock }))
assert.equal(hedged.text, 'slow on the news')
print(`hedge: ${hedged.text}, ${hedged.steps?.map(({ label }) => label).join(' and ')}`)
