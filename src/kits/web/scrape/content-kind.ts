/** The kinds of documents that can be read. */
export type ContentKind = 'html' | 'text' | 'json' | 'feed' | 'pdf'

const HEAD = 1024

/** The kind of a document by its content type, and by its beginning where that says little. Undefined if it is none of them. */
export function contentKind(contentType: string, bytes: Uint8Array): ContentKind | undefined {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const head = Buffer.from(bytes.subarray(0, HEAD))
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart()
  if (type === 'application/pdf' || head.startsWith('%PDF-')) return 'pdf'
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  if (/^application\/(?:rss|atom|rdf)\+xml$/.test(type)) return 'feed'
  if (/^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(type) || type === 'application/x-ndjson') return 'json'
  if (/[/+]xml$/.test(type)) return isFeed(head) ? 'feed' : /<html[\s>]/i.test(head) ? 'html' : 'text'
  if (type.startsWith('text/') || type === 'application/javascript') return 'text'
  return type === '' || type === 'application/octet-stream' ? kindOfBytes(head) : undefined
}

function kindOfBytes(head: string): ContentKind | undefined {
  if (/^<(?:!doctype html|html|head|body)[\s>]/i.test(head)) return 'html'
  if (isFeed(head)) return 'feed'
  // oxlint-disable-next-line no-control-regex
  return /[\u0000-\u0008\u000e-\u001a]/.test(head) ? undefined : 'text'
}

function isFeed(head: string): boolean {
  return /<(?:rss|feed|rdf:RDF)[\s>]/i.test(head)
}
