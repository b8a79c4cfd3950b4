import fc from 'fast-check'
import { type ToolContext, ToolError } from 'toolwright'

/** Secrets with signs that JSON, addresses and shells write in another way. The marks at their ends stand nowhere else. */
export const awkwardSecrets = fc
  .string({ unit: fc.constantFrom('"', '\\', ' ', 'é', '&', '%', '+', '/', '=', '<', '漢', 'q', 'Z', '7'), minLength: 6, maxLength: 16 })
  .map((text) => `Qx7${text}Wv9`)

export const FORMS: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => secret,
  'in JSON': (secret) => JSON.stringify({ a: secret }),
  'in JSON inside JSON': (secret) => JSON.stringify({ a: JSON.stringify([secret]) }),
  'in an address': (secret) => `https://x.example/?a=${encodeURIComponent(secret)}`,
  'in a form': (secret) => new URLSearchParams({ a: secret }).toString(),
  'in base64': (secret) => Buffer.from(secret).toString('base64'),
  'in base64 after a name': (secret) => Buffer.from(`ada:${secret}`).toString('base64'),
  'in base64 for addresses': (secret) => Buffer.from(secret).toString('base64url'),
  'in hexadecimal': (secret) => Buffer.from(secret).toString('hex'),
  'in large hexadecimal': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  'in the base64 of JSON': (secret) => Buffer.from(JSON.stringify({ key: secret })).toString('base64'),
  'in an address inside an address': (secret) =>
    `https://x.example/?to=${encodeURIComponent(`https://y.example/?a=${encodeURIComponent(secret)}`)}`,
}

/** A part of the written secret that proves that it was written. */
export function traceOf(form: string, written: string): string {
  if (form === 'in large hexadecimal') return written.slice(6, 26)
  if (form === 'in the base64 of JSON') return written.slice(16, 28)
  if (form.startsWith('in base64')) return written.replace(/=+$/, '').slice(-16, -4)
  return form === 'in hexadecimal' ? written.slice(6, 26) : 'Qx7'
}

type Context = Pick<ToolContext, 'progress' | 'metric'>

class Note {
  readonly note: string

  constructor(note: string) {
    this.note = note
  }
}

/** Where the tool lets the secret out. Lines that it writes to its log by itself are its own. */
export const LEAKS: Readonly<Record<string, (text: string, context: Context) => unknown>> = {
  'its text': (text) => `It is ${text} .`,
  'a field': (text) => ({ note: text, list: [{ deep: text }] }),
  'the name of a field': (text) => ({ [text]: 1 }),
  progress: (text, { progress }) => (progress(text), 'done'),
  'an error': (text) => {
    throw new Error(`It failed: ${text}`)
  },
  'the cause of an error': (text) => {
    throw new Error('It failed.', { cause: new Error(text, { cause: { note: text } }) })
  },
  'the name of an error': (text) => {
    throw Object.assign(new Error('It failed.'), { name: text, code: text })
  },
  'a hint': (text) => {
    throw new ToolError('It failed.', { code: 'failed', hint: `Try ${text}`, outcome: 'failed' })
  },
  'a thrown text': (text) => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- Tools throw anything.
    throw text
  },
  'a map': (text) => new Map([[text, { note: text }]]),
  'a set': (text) => ({ all: new Set([text, [text]]) }),
  headers: (text) => ({ headers: new Headers([['x-note', encodeURI(text)]]), list: [new Headers({ 'x-other': encodeURI(text) })] }),
  'a form': (text) => ({ form: new URLSearchParams({ note: text }) }),
  'an address as an object': (text) => ({
    url: new URL(`https://x.example/a?note=${encodeURIComponent(text)}#${encodeURIComponent(text)}`),
  }),
  'an object that writes itself': (text) => ({ own: { toJSON: () => ({ note: text }) } }),
  'an instance of a class': (text) => new Note(text),
  'a getter': (text) => ({
    get note() {
      return text
    },
  }),
  'a cause with headers': (text) => {
    throw new Error('It failed.', {
      cause: Object.assign(new Error('inner'), { headers: new Headers({ 'x-a': encodeURI(text) }), body: text }),
    })
  },
  'a metric': (text, { metric }) => (metric(text, 1, { note: text }), 'done'),
  'a link in a text': (text) => `See https://x.example/?note=${encodeURIComponent(text)} and ${text}`,
  'an error as a value': (text) => ({ failure: new AggregateError([new Error(text)], text) }),
}

/** The leaks that write the text in another way themselves. */
const WRITES_ANEW: ReadonlySet<string> = new Set(['headers', 'an address as an object', 'a link in a text', 'a cause with headers'])
const WRITTEN_TWICE: ReadonlySet<string> = new Set(['in JSON inside JSON', 'in the base64 of JSON', 'in an address inside an address'])

/** A secret that was encoded three times is not found. */
export function isEncodedTooOften({ form, leak }: { readonly form: string; readonly leak: string }): boolean {
  return WRITES_ANEW.has(leak) && WRITTEN_TWICE.has(form)
}
