import { isRecord, isSameJson, type JsonSchema } from '../../../schema/json-schema.ts'
import type { Node, OpenApiDocument } from './openapi-document.ts'
import type { SchemaConverter } from './schema-converter.ts'
import { Unfit } from './unfit.ts'

/** The schema of the answers of an operation that are a success; undefined where the document says nothing of them. */
export function operationOutput(document: OpenApiDocument, node: Node, converter: SchemaConverter): JsonSchema | undefined {
  const responses = isRecord(node['responses']) ? node['responses'] : {}
  const good = Object.keys(responses).filter((status) => /^2(\d\d|XX)$/i.test(status))
  const chosen = good.length > 0 ? good : Object.keys(responses).filter((status) => status === 'default')
  const contents = chosen.map((status) => contentOf(document.follow(responses[status])))
  if (contents.flat().length > 0 && contents.flat().every(({ type }) => type.startsWith('text/event-stream')))
    throw new Unfit('its answer is a stream of events, which has no end')
  if (contents.length === 0 || contents.flat().some(({ isOpen }) => isOpen)) return undefined
  return converter.around(() => {
    const schemas = contents.flatMap((content): JsonSchema[] =>
      content.length === 0 ? [NOTHING] : content.map(({ type, schema }) => (isJson(type) ? converter.convert(schema) : { type: 'string' })),
    )
    // A service may answer with nothing where a text is empty.
    const isText = contents.flat().some(({ type }) => !isJson(type))
    const different = (isText ? [...schemas, NOTHING] : schemas).filter(
      (each, index, all) => all.findIndex((other) => isSameJson(each, other)) === index,
    )
    return different.length === 1 ? (different[0] as JsonSchema) : { anyOf: different }
  })
}

const NOTHING: JsonSchema = { type: 'null' }

interface Content {
  readonly type: string
  readonly schema: unknown
  /** Anything may come. */
  readonly isOpen: boolean
}

function contentOf({ content }: Node): readonly Content[] {
  if (!isRecord(content)) return []
  return Object.entries(content).map(([type, media]) => {
    const schema = isRecord(media) ? media['schema'] : undefined
    return { type: type.toLowerCase(), schema, isOpen: type.includes('*') || (isJson(type) && schema === undefined) }
  })
}

/** As the tool reads answers. */
function isJson(type: string): boolean {
  return /^(?:application|text)\/(?:[\w.-]+\+)?json\b/i.test(type)
}
