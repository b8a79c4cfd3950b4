import { attributesOf, decodeEntities, markupTokens } from './markup-tokens.ts'

const MAX_DEPTH = 48

interface Element {
  readonly name: string
  readonly children: Map<string, unknown[]>
  text: string
}

/** An XML text as a value: attributes and children by name, repeated children as lists; undefined if it is no XML. */
export function xmlValue(text: string): unknown {
  if (!/^\s*(?:<\?xml|<[A-Za-z][\w:.-]*[\s>/])/.test(text.slice(0, 500))) return undefined
  const root: Element = { name: '', children: new Map(), text: '' }
  const open: Element[] = [root]
  for (const token of markupTokens(text)) {
    const inside = open.at(-1) ?? root
    if (token.kind === 'text') inside.text += decodeEntities(token.text)
    else if (token.kind === 'open') {
      const element: Element = { name: token.name, children: new Map(), text: '' }
      const name = localName(token.name)
      for (const [key, value] of attributesOf(token.attributes)) if (!/^xmlns(?:$|:)/.test(key)) add(element, key, value)
      if (token.isClosed) add(inside, name, valueOf(element))
      else if (open.length > MAX_DEPTH) return undefined
      else open.push(element)
    } else {
      const element = open.length > 1 ? open.pop() : undefined
      if (element === undefined || element.name !== token.name) return undefined
      add(open.at(-1) ?? root, localName(element.name), valueOf(element))
    }
  }
  return open.length === 1 && root.children.size > 0 ? valueOf(root) : undefined
}

/** Without the prefix of its namespace. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function add({ children }: Element, name: string, value: unknown): void {
  const known = children.get(name)
  if (known === undefined) children.set(name, [value])
  else known.push(value)
}

function valueOf({ children, text }: Element): unknown {
  const own = text.trim()
  if (children.size === 0) return own
  const value = Object.create(null) as Record<string, unknown>
  for (const [name, values] of children) value[name] = values.length === 1 ? values[0] : values
  if (own !== '') value['text'] = own
  return value
}
