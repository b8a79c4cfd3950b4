import { attributesOf, decodeEntities, markupTokens } from './markup-tokens.ts'

const MAX_DEPTH = 48

interface Element {
  readonly name: string
  /** The names of the elements that it is in, and its own. */
  readonly path: string
  readonly children: Map<string, (Element | string)[]>
  text: string
}

/** An XML text as a value: attributes and children by name, repeated children as lists; undefined if it is no XML. */
export function xmlValue(text: string): unknown {
  if (!/^\s*(?:<\?xml|<[A-Za-z][\w:.-]*[\s>/])/.test(text.slice(0, 500))) return undefined
  const root: Element = { name: '', path: '', children: new Map(), text: '' }
  const lists = new Set<string>()
  const open: Element[] = [root]
  for (const token of markupTokens(text)) {
    const inside = open.at(-1) ?? root
    if (token.kind === 'text') inside.text += decodeEntities(token.text)
    else if (token.kind === 'open') {
      const name = localName(token.name)
      const path = `${inside.path}/${name}`
      const element: Element = { name: token.name, path, children: new Map(), text: '' }
      if (inside.children.has(name)) lists.add(path)
      for (const [key, value] of attributesOf(token.attributes)) if (!/^xmlns(?:$|:)/.test(key)) add(element, key, value)
      if (token.isClosed) add(inside, name, element)
      else if (open.length > MAX_DEPTH) return undefined
      else open.push(element)
    } else {
      const element = open.length > 1 ? open.pop() : undefined
      if (element === undefined || element.name !== token.name) return undefined
      add(open.at(-1) ?? root, localName(element.name), element)
    }
  }
  return open.length === 1 && root.children.size > 0 ? valueOf(root, lists) : undefined
}

/** Without the prefix of its namespace. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function add({ children }: Element, name: string, value: Element | string): void {
  const known = children.get(name)
  if (known === undefined) children.set(name, [value])
  else known.push(value)
}

/** What comes more than once in one place is a list in all of them. */
function valueOf({ path, children, text }: Element, lists: ReadonlySet<string>): unknown {
  const own = text.trim()
  if (children.size === 0) return own
  const value = Object.create(null) as Record<string, unknown>
  for (const [name, all] of children) {
    const values = all.map((each) => (typeof each === 'string' ? each : valueOf(each, lists)))
    value[name] = values.length === 1 && !lists.has(`${path}/${name}`) ? values[0] : values
  }
  if (own !== '') value['text'] = own
  return value
}
