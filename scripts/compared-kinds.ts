import { parseSync } from 'oxc-parser'

/** As much of a node of the syntax tree as is asked for here. */
interface SyntaxNode {
  readonly type: string
  readonly value?: unknown
  readonly name?: string
  readonly operator?: string
  readonly left?: SyntaxNode
  readonly right?: SyntaxNode
  readonly test?: SyntaxNode | null
  readonly callee?: SyntaxNode
  readonly property?: SyntaxNode
  readonly arguments?: readonly SyntaxNode[]
  readonly elements?: readonly (SyntaxNode | null)[]
  readonly properties?: readonly SyntaxNode[]
  readonly key?: SyntaxNode
}

/**
 * The texts that source code compares with, among those given: in an equality, a case, a search, or a list or table of two or more of them.
 * One that begins with a colon is the mark of a record, and is found wherever it is written.
 */
export function comparedAmong(texts: ReadonlySet<string>, file: string, source: string): string[] {
  const found = new Set<string>()
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit)
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return
    if ('type' in node) for (const text of comparedBy(node as SyntaxNode, texts)) found.add(text)
    Object.values(node).forEach(visit)
  }
  visit(parseSync(file, source).program)
  return [...found]
}

const EQUALITIES: ReadonlySet<string | undefined> = new Set(['===', '!==', '==', '!='])
const SEARCHES: ReadonlySet<string | undefined> = new Set(['has', 'get', 'includes', 'indexOf', 'startsWith', 'endsWith'])

function comparedBy(node: SyntaxNode, texts: ReadonlySet<string>): readonly string[] {
  const among = (nodes: readonly (SyntaxNode | null | undefined)[]): string[] =>
    nodes.flatMap((each) => {
      const text = each?.type === 'Literal' ? each.value : each?.type === 'Identifier' ? each.name : undefined
      return typeof text === 'string' && texts.has(text) ? [text] : []
    })
  const literals = (nodes: readonly (SyntaxNode | null | undefined)[]): string[] => among(nodes.filter((each) => each?.type === 'Literal'))
  const severalOf = (found: readonly string[]): readonly string[] => (found.length > 1 ? found : [])
  switch (node.type) {
    case 'BinaryExpression':
      return EQUALITIES.has(node.operator) ? literals([node.left, node.right]) : []
    case 'SwitchCase':
      return literals([node.test])
    case 'CallExpression':
      return SEARCHES.has(node.callee?.property?.name) ? literals(node.arguments ?? []) : []
    case 'Literal':
      return literals([node]).filter(isMark)
    case 'TemplateElement':
      return [...texts].filter((text) => isMark(text) && new RegExp(`(?<!:)${text}(?![\\w-])`).test(JSON.stringify(node.value)))
    case 'ArrayExpression':
      return severalOf(literals(node.elements ?? []))
    case 'ObjectExpression':
      // A shorthand is a variable of that name, not a key of a table.
      return severalOf(among((node.properties ?? []).flatMap((each) => (isShorthand(each) ? [] : [each.key]))))
    default:
      return []
  }
}

function isMark(text: string): boolean {
  return text.startsWith(':')
}

function isShorthand(property: SyntaxNode): boolean {
  return 'shorthand' in property && property.shorthand === true
}
