import { type CallOptions, type Logger, map, tool } from 'toolwright'
import { z } from 'zod'
import type { DoorContest } from './door-contests.ts'

let characters = 0

/** Reads each line, as every logger does. */
const log: Logger = {
  trace: () => {},
  debug: () => {},
  info: (_fields, message) => void (characters += message.length),
  warn: () => {},
  error: () => {},
  isLevelEnabled: (level) => level !== 'trace' && level !== 'debug',
}

const logged: CallOptions = { log }
const withProvider: CallOptions = { log, secrets: { get: () => 'sk-live-4711-abcdef' } }

const description = 'Finds an account.'
const account = { user: 'ada', isOpen: true, note: 'The account is open, and nothing is owed.' }

const open = tool({
  ...{ name: 'open', description, effect: 'read' },
  inputSchema: z.object({ user: z.string(), colour: z.string() }),
  execute: () => account,
})
const secret = tool({
  ...{ name: 'secret', description, effect: 'read' },
  inputSchema: z.object({ user: z.string(), password: z.string() }),
  execute: () => account,
})
const openLater = tool({
  ...{ name: 'open_later', description, effect: 'read' },
  inputSchema: z.object({ user: z.string() }),
  execute: async () => account,
})
const withKey = tool({
  ...{ name: 'with_key', description, effect: 'read' },
  inputSchema: z.object({ user: z.string() }),
  execute: async (_input, context) => ({ ...account, length: (await context.secret('KEY')).length }),
})

const openOnes = Array.from({ length: 1000 }, (_, index) => ({ user: `user ${index}`, colour: `opensesame-${index}` }))
const secretOnes = Array.from({ length: 1000 }, (_, index) => ({ user: `user ${index}`, password: `opensesame-${index}` }))
const mapOfOpen = map(open)
const mapOfSecret = map(secret)

/** What masking adds to a call that a logger hears. */
export const maskContests: readonly DoorContest[] = [
  {
    name: 'mask-field',
    about: 'a call with a logger, with a secret field beside a plain one',
    budget: 2,
    baseline: () => open.call({ user: 'ada', colour: 'opensesame-1' }, logged),
    subject: () => secret.call({ user: 'ada', password: 'opensesame-1' }, logged),
  },
  {
    name: 'mask-provider',
    about: 'a call with a logger that reads a secret, beside one that reads none',
    budget: 2,
    baseline: () => openLater.call({ user: 'ada' }, logged),
    subject: () => withKey.call({ user: 'ada' }, withProvider),
  },
  {
    name: 'mask-map',
    about: 'a map of 1,000 with a logger, each item with a secret beside none',
    budget: 2,
    baseline: () => mapOfOpen.call(openOnes, logged),
    subject: () => mapOfSecret.call(secretOnes, logged),
  },
]
