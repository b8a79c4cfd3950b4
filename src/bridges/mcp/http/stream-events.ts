import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'

interface StoredEvent {
  readonly id: string
  readonly stream: string
  readonly text: string
}

interface SessionEvents {
  /** In the order in which they were sent. */
  readonly events: Map<string, StoredEvent>
  count: number
}

/** Keeps what was sent on the streams of sessions, so that a client that lost its connection gets the rest. When the place is used up, the oldest go. */
export class StreamEvents {
  readonly #maxBytes: number
  #bytes = 0
  /** All events of all sessions, the oldest first. */
  readonly #kept = new Map<StoredEvent, SessionEvents>()

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The events of one session: it finds its own only. */
  forSession(): EventStore & { readonly forget: () => void } {
    const session: SessionEvents = { events: new Map(), count: 0 }
    return {
      storeEvent: (stream, message) => Promise.resolve(this.#store(session, stream, message)),
      getStreamIdForEventId: (id) => Promise.resolve(session.events.get(id)?.stream),
      replayEventsAfter: (id, { send }) => replay(session, id, send),
      forget: () => {
        for (const event of session.events.values()) this.#drop(event)
      },
    }
  }

  #store(session: SessionEvents, stream: string, message: JSONRPCMessage): string {
    const event: StoredEvent = { id: `${stream}_${session.count++}`, stream, text: JSON.stringify(message) }
    session.events.set(event.id, event)
    this.#kept.set(event, session)
    this.#bytes += sizeOf(event)
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.#drop(oldest)
    }
    return event.id
  }

  #drop(event: StoredEvent): void {
    const session = this.#kept.get(event)
    if (session === undefined) return
    this.#kept.delete(event)
    session.events.delete(event.id)
    this.#bytes -= sizeOf(event)
  }
}

/** The first event of a stream has no message: it only gives the client an id to come back with. */
async function replay(
  session: SessionEvents,
  after: string,
  send: Parameters<EventStore['replayEventsAfter']>[1]['send'],
): Promise<string> {
  const last = session.events.get(after)
  if (last === undefined) throw new RangeError('The event is not known.')
  let isAfter = false
  for (const { id, stream, text } of [...session.events.values()]) {
    if (isAfter && stream === last.stream && text !== '{}') await send(id, JSON.parse(text) as JSONRPCMessage)
    isAfter ||= id === after
  }
  return last.stream
}

/** An event is more than its text, though few bytes. */
function sizeOf({ id, text }: StoredEvent): number {
  return 200 + id.length + text.length
}
