import { expect, test } from 'vitest'
import { compound } from './compound.ts'
import { LabelCounts } from './path.ts'
import { tool } from './tool.ts'

const echo = tool({ name: 'echo', description: 'Echoes.', effect: 'read', execute: (text) => text })

test('a label that was refused once is refused again', () => {
  const labels = new LabelCounts()
  for (const label of ['a/b', '\uD83D', 7 as never]) {
    expect(() => labels.next(label)).toThrow('The label')
    expect(() => labels.next(label)).toThrow('The label')
  }
})

test('a step cannot have the label of a note, which a changed program need not reach', async () => {
  const whole = compound({
    name: 'whole',
    description: 'Calls.',
    parts: { echo },
    run: (input, context) => context.call('.pay', echo, input),
  })
  await expect(whole.call('x')).rejects.toMatchObject({ code: 'invalid_label' })
})
