import { type AgentTool, tool } from 'toolwright'

/** What an office keeps, by the system that keeps it. Written for this example: no list of somebody else is copied. */
const SYSTEMS: Readonly<Record<string, readonly string[]>> = {
  shop: ['order', 'refund', 'basket', 'voucher', 'product'],
  bank: ['payment', 'invoice', 'account', 'card', 'loan'],
  mail: ['message', 'mailbox', 'newsletter', 'signature', 'draft'],
  calendar: ['meeting', 'room', 'holiday', 'reminder', 'shift'],
  code: ['repository', 'branch', 'review', 'build', 'release'],
  people: ['employee', 'salary', 'absence', 'contract', 'application'],
  travel: ['flight', 'hotel', 'visa', 'itinerary', 'mileage'],
  storage: ['file', 'folder', 'archive', 'photo', 'scan'],
  support: ['ticket', 'complaint', 'callback', 'answer', 'survey'],
  facility: ['desk', 'printer', 'key', 'elevator', 'thermostat'],
}

/** What is done with each. */
const VERBS: Readonly<Record<string, { readonly about: string; readonly effect: 'read' | 'write' }>> = {
  find: { about: 'Finds a {thing} by its number, or the newest ones if no number is given.', effect: 'read' },
  list: { about: 'Lists each {thing} of a person, newest first, in pages.', effect: 'read' },
  create: { about: 'Creates a {thing} and gives its number.', effect: 'write' },
  change: { about: 'Changes the fields of a {thing} that are given, and leaves the others.', effect: 'write' },
  cancel: { about: 'Cancels a {thing} that is not finished yet, with a reason.', effect: 'write' },
  share: { about: 'Shares a {thing} with another person, who gets a notice.', effect: 'write' },
  export: { about: 'Exports a {thing} with its history as a document.', effect: 'read' },
  comment: { about: 'Adds a comment to a {thing}, for all who can see it.', effect: 'write' },
  assign: { about: 'Says who takes care of a {thing} from now on.', effect: 'write' },
  approve: { about: 'Approves a {thing} that waits for it.', effect: 'write' },
}

/** 500 tools of ten systems, each with five parameters. */
export function officeTools(): ReadonlyMap<string, readonly AgentTool[]> {
  return new Map(
    Object.entries(SYSTEMS).map(([system, things]) => [
      system,
      things.flatMap((thing) =>
        Object.entries(VERBS).map(([verb, { about, effect }]) => officeTool({ system, thing, verb, about, effect })),
      ),
    ]),
  )
}

interface Made {
  readonly system: string
  readonly thing: string
  readonly verb: string
  readonly about: string
  readonly effect: 'read' | 'write'
}

function officeTool({ system, thing, verb, about, effect }: Made): AgentTool {
  const text = (description: string) => ({ type: 'string', description })
  return tool({
    name: `${system}_${verb}_${thing}`,
    description: `${about.replace('{thing}', thing)} Part of the ${system} system.`,
    effect,
    inputSchema: {
      type: 'object',
      properties: {
        id: text(`The number of the ${thing}, such as ${thing.slice(0, 2).toUpperCase()}-1042`),
        person: text('The mail address of the person whom it is about'),
        since: { type: 'string', format: 'date', description: 'Only what is newer than this day' },
        limit: { type: 'integer', minimum: 1, maximum: 100, description: 'At most this many; 20 by default' },
        note: text('A note for the record, in a sentence or two'),
      },
      additionalProperties: false,
    } as never,
    execute: (input) => `${verb} ${thing}: done with ${JSON.stringify(input)}`,
  }) as AgentTool
}
