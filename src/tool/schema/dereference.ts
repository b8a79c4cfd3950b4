import { isRecord, type JsonSchema } from './json-schema.ts'

/** What a local reference (`#`, `#/$defs/node`) points at; undefined where it cannot be followed. */
export function dereference(reference: unknown, root: JsonSchema): JsonSchema | undefined {
  if (typeof reference !== 'string' || !/^#(\/|$)/.test(reference)) return undefined
  let node: unknown = root
  for (const part of reference.split('/').slice(1)) {
    const key = unescapePointer(decoded(part))
    if (Array.isArray(node)) node = node[Number(key)]
    else node = isRecord(node) && Object.hasOwn(node, key) ? node[key] : undefined
  }
  return isRecord(node) ? node : undefined
}

/** A segment of a JSON pointer as the key that it stands for. */
export function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
