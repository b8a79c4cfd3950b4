import { expect, test } from 'vitest'
import { pipe } from '../../combinators/pipe/pipe.ts'
import { memoryJournal } from '../journal/journal.ts'
import type { Logger } from '../ports/logger.ts'
import { tool } from '../tool.ts'

type Line = readonly [level: string, fields: object, message: string | undefined]

function writtenLines(): { readonly log: Logger; readonly lines: Line[] } {
  const lines: Line[] = []
  const writer = (level: string) => (fields: object, message: string) => void lines.push([level, fields, message])
  const log: Logger = { trace: writer('trace'), debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') }
  return { log, lines }
}

const first = tool({ name: 'first', description: 'd', effect: 'read', execute: (text) => text })

test('a line of a tool says which tool wrote it, where, and in which recorded run [T13]', async () => {
  const { log, lines } = writtenLines()
  const wordy = tool({
    name: 'wordy',
    description: 'd',
    effect: 'read',
    execute: (text, context) => {
      context.log.warn({ left: 2 }, 'almost empty')
      return text
    },
  })
  await pipe(first, wordy).call('x', { log })
  expect(lines).toContainEqual(['warn', { tool: 'wordy', path: 'first_then_wordy/wordy', left: 2 }, 'almost empty'])
  await wordy.call('x', { log, journal: memoryJournal(), idempotencyKey: 'run-7' })
  expect(lines).toContainEqual(['warn', { tool: 'wordy', path: 'wordy', run: 'run-7', left: 2 }, 'almost empty'])
})

test('a line that nobody reads mints no id', async () => {
  const ids: string[] = []
  const wordy = tool({
    name: 'wordy',
    description: 'd',
    effect: 'read',
    execute: (text, context) => {
      context.log.info({}, 'a')
      return text
    },
  })
  await wordy.call('x', { ids: () => `id-${ids.push('')}` })
  expect(ids).toEqual([])
})

test('own fields win, an error and a bare text are kept, and a level that the logger lacks is lacking', async () => {
  const { log, lines } = writtenLines()
  const failed = new Error('no route')
  const wordy = tool({
    name: 'wordy',
    description: 'd',
    effect: 'read',
    execute: (text, context) => {
      context.log.info({ path: 'mine' }, 'a')
      context.log.error(failed, 'b')
      context.log.debug('c' as never, undefined as never)
      expect(context.log.fatal).toBeUndefined()
      return text
    },
  })
  await wordy.call('x', { log })
  expect(lines).toContainEqual(['info', { tool: 'wordy', path: 'mine' }, 'a'])
  expect(lines).toContainEqual(['error', { tool: 'wordy', path: 'wordy', err: failed }, 'b'])
  expect(lines).toContainEqual(['debug', { tool: 'wordy', path: 'wordy' }, 'c'])
})
