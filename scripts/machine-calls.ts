import { parseSync } from 'oxc-parser'

/** As much of a node of the syntax tree as is asked for here. */
interface SyntaxNode {
  readonly type: string
  readonly name?: string
  readonly callee?: SyntaxNode
  readonly object?: SyntaxNode
  readonly property?: SyntaxNode
  readonly imported?: SyntaxNode
  readonly source?: { readonly value?: unknown }
  readonly arguments?: readonly unknown[]
  readonly init?: SyntaxNode | null
}

const FUNCTIONS: ReadonlySet<string | undefined> = new Set(['setTimeout', 'setInterval', 'setImmediate'])
const METHODS: ReadonlySet<string> = new Set([
  'Date.now',
  'performance.now',
  'Math.random',
  'crypto.randomUUID',
  'crypto.getRandomValues',
  'AbortSignal.timeout',
])
/** What is reached through these, or taken from them, is the machine's. */
const HOLDERS: ReadonlySet<string | undefined> = new Set(['Date', 'performance', 'Math', 'crypto', 'AbortSignal'])
const IMPORTS: ReadonlySet<string | undefined> = new Set(['randomUUID', 'randomBytes', 'randomInt', 'systemClock'])
const MODULES: ReadonlySet<unknown> = new Set(['node:timers', 'node:timers/promises', 'node:perf_hooks'])

/** The places where source code takes time, timers or random numbers from the machine, and not from what it is given. */
export function machineCalls(file: string, source: string): string[] {
  const found = new Set<string>()
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit)
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return
    const call = 'type' in node ? machineCall(node as SyntaxNode) : undefined
    if (call !== undefined) found.add(call)
    Object.values(node).forEach(visit)
  }
  visit(parseSync(file, source).program)
  return [...found]
}

function machineCall(node: SyntaxNode): string | undefined {
  const { type, callee, imported, source } = node
  if (type === 'CallExpression' && callee?.type === 'Identifier' && FUNCTIONS.has(callee.name)) return callee.name
  if (type === 'MemberExpression') return ofMember(node)
  if (type === 'VariableDeclarator') return ofAlias(node)
  if (type === 'NewExpression' && callee?.name === 'Date' && node.arguments?.length === 0) return 'new Date()'
  if (type === 'ImportSpecifier' && IMPORTS.has(imported?.name)) return imported?.name
  return type === 'ImportDeclaration' && MODULES.has(source?.value) ? String(source?.value) : undefined
}

/** A method by its name, or anything of the machine through the global object. */
function ofMember({ object, property }: SyntaxNode): string | undefined {
  const name = property?.name
  if (object?.name === 'globalThis') return FUNCTIONS.has(name) || HOLDERS.has(name) ? `globalThis.${name}` : undefined
  const method = `${object?.name}.${name}`
  return METHODS.has(method) ? method : undefined
}

/** Another name for a timer, or for what holds the time. */
function ofAlias({ init }: SyntaxNode): string | undefined {
  const name = init?.type === 'Identifier' ? init.name : undefined
  return FUNCTIONS.has(name) || HOLDERS.has(name) || name === 'globalThis' ? name : undefined
}
