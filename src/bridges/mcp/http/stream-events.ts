import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'

interface StoredEvent {
  readonly stream: string
  /** Rises with every event of the session. */
  readonly number: number
  readonly text: string
}

interface SessionEvents {
  /** The oldest first. */
  readonly events: Set<StoredEvent>
  bytes: number
  count: number
}

/** A client comes back with the last event that it saw, so that few are missing. */
const MOST_OF_A_SESSION = 128

/**
 * Keeps what was sent last on the streams of sessions, so that a client that lost its connection gets the rest. When the place is used up, the
 * oldest go: a report of progress may be missing then, the result comes last.
 */
export class StreamEvents {
  readonly #maxBytes: number
  readonly #maxOfSession: number
  #bytes = 0
  /** All events of all sessions, the oldest first. */
  readonly #kept = new Map<StoredEvent, SessionEvents>()

  /** The last event of a session is kept whatever its size, as long as all fit: it may be a result. */
  constructor(maxBytes: number, maxOfSession = Infinity) {
    this.#maxBytes = maxBytes
    this.#maxOfSession = maxOfSession
  }

  /** The events of one session: it finds its own only. */
  forSession(): EventStore & { readonly forget: () => void } {
    const session: SessionEvents = { events: new Set(), bytes: 0, count: 0 }
    return {
      storeEvent: (stream, message) => Promise.resolve(this.#store(session, stream, message)),
      getStreamIdForEventId: (id) => Promise.resolve(keptStream(session, id)?.stream),
      replayEventsAfter: (id, { send }) => replay(session, id, send),
      forget: () => {
        for (const event of session.events) this.#drop(event)
      },
    }
  }

  #store(session: SessionEvents, stream: string, message: JSONRPCMessage): string {
    const event: StoredEvent = { stream, number: session.count++, text: JSON.stringify(message) }
    session.events.add(event)
    this.#kept.set(event, session)
    this.#bytes += sizeOf(event)
    session.bytes += sizeOf(event)
    for (const oldest of session.events) {
      if (oldest === event || (session.events.size <= MOST_OF_A_SESSION && session.bytes <= this.#maxOfSession)) break
      this.#drop(oldest)
    }
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.#drop(oldest)
    }
    return `${stream}_${event.number}`
  }

  #drop(event: StoredEvent): void {
    const session = this.#kept.get(event)
    if (session === undefined) return
    this.#kept.delete(event)
    session.events.delete(event)
    this.#bytes -= sizeOf(event)
    session.bytes -= sizeOf(event)
  }
}

/** The stream of an event and the number of the event; undefined where nothing of the stream is kept. */
function keptStream({ events }: SessionEvents, id: string): Pick<StoredEvent, 'stream' | 'number'> | undefined {
  const { stream, number } = /^(?<stream>.+)_(?<number>\d{1,15})$/.exec(id)?.groups ?? {}
  for (const event of events) if (event.stream === stream) return { stream: event.stream, number: Number(number) }
  return undefined
}

/** The first event of a stream has no message: it only gives the client an id to come back with. */
async function replay(
  session: SessionEvents,
  after: string,
  send: Parameters<EventStore['replayEventsAfter']>[1]['send'],
): Promise<string> {
  const last = keptStream(session, after)
  if (last === undefined) throw new RangeError('The event is not known.')
  for (const { stream, number, text } of [...session.events])
    if (stream === last.stream && number > last.number && text !== '{}')
      await send(`${stream}_${number}`, JSON.parse(text) as JSONRPCMessage)
  return last.stream
}

/** An event is more than its text, though few bytes. */
function sizeOf({ stream, text }: StoredEvent): number {
  return 200 + stream.length + text.length
}
