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
  readonly object?: SyntaxNode
  readonly id?: SyntaxNode
  readonly init?: SyntaxNode | null
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[]
}

/**
 * The texts that source code compares with, among those given: in an equality, a case, a search, a set, or a list or table of two or more of
 * them. A constant of the file stands for its text. One that begins with a colon is the mark of a record, and is found wherever it is written.
 */
export function comparedAmong(texts: ReadonlySet<string>, file: string, source: string): string[] {
  const found = new Set<string>()
  const { program } = parseSync(file, source)
  const constants = constantsIn(program)
  visitNodes(program, (node) => {
    for (const text of comparedBy(node, texts, constants)) found.add(text)
  })
  return [...found]
}

function visitNodes(node: unknown, visit: (node: SyntaxNode) => void): void {
  if (Array.isArray(node)) for (const each of node) visitNodes(each, visit)
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return
  if ('type' in node) visit(node as SyntaxNode)
  for (const each of Object.values(node)) visitNodes(each, visit)
}

/** The texts of the variables that begin with one, by name. */
function constantsIn(program: unknown): ReadonlyMap<string, string> {
  const constants = new Map<string, string>()
  visitNodes(program, ({ type, id, init }) => {
    const text = type === 'VariableDeclarator' ? textOf(init) : undefined
    if (text !== undefined && id?.name !== undefined) constants.set(id.name, text)
  })
  return constants
}

/** The text that a node is, whatever its quotes. */
function textOf(node: SyntaxNode | null | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateLiteral' && node.quasis?.length === 1) return node.quasis[0]?.value.cooked
  return undefined
}

const EQUALITIES: ReadonlySet<string | undefined> = new Set(['===', '!==', '==', '!='])
const SEARCHES: ReadonlySet<string | undefined> = new Set(['has', 'get', 'includes', 'indexOf', 'startsWith', 'endsWith'])

function comparedBy(node: SyntaxNode, texts: ReadonlySet<string>, constants: ReadonlyMap<string, string>): readonly string[] {
  const among = (nodes: readonly (SyntaxNode | null | undefined)[], nameOf: (node: SyntaxNode) => string | undefined): string[] =>
    nodes.flatMap((each) => {
      const text = each?.type === 'Identifier' ? nameOf(each) : textOf(each)
      return text !== undefined && texts.has(text) ? [text] : []
    })
  const said = (nodes: readonly (SyntaxNode | null | undefined)[]): string[] => among(nodes, ({ name = '' }) => constants.get(name))
  const severalOf = (found: readonly string[]): readonly string[] => (found.length > 1 ? found : [])
  switch (node.type) {
    case 'BinaryExpression':
      return EQUALITIES.has(node.operator) ? said([node.left, node.right]) : []
    case 'SwitchCase':
      return said([node.test])
    case 'CallExpression':
      return SEARCHES.has(node.callee?.property?.name) ? said([...(node.arguments ?? []), ...(node.callee?.object?.elements ?? [])]) : []
    case 'NewExpression':
      return node.callee?.name === 'Set' ? said(node.arguments?.[0]?.elements ?? []) : []
    case 'Literal':
      return said([node]).filter(isMark)
    case 'TemplateElement':
      return [...texts].filter((text) => isMark(text) && new RegExp(`(?<!:)${text}(?![\\w-])`).test(JSON.stringify(node.value)))
    case 'ArrayExpression':
      return severalOf(said(node.elements ?? []))
    case 'ObjectExpression':
      // A shorthand is a variable of that name, not a key of a table.
      return severalOf(
        among(
          (node.properties ?? []).flatMap((each) => (isShorthand(each) ? [] : [each.key])),
          ({ name }) => name,
        ),
      )
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
