import type { Class, ClassElement, Declaration, Statement, VariableDeclarator } from 'oxc-parser'

/** A source file as the reader of the reference sees it. */
export interface SourceText {
  readonly text: string
  /** The JSDoc comment that ends just before a place, with its marks. */
  readonly commentBefore: (place: number) => string | undefined
}

export type ApiKind = 'class' | 'constant' | 'function' | 'interface' | 'type'

/** A value that is longer than this is not part of a signature. */
const LONGEST_VALUE = 400

/** What kind of thing a declaration makes. */
export function kindOf(declaration: Declaration): ApiKind {
  if (declaration.type === 'FunctionDeclaration' || declaration.type === 'TSDeclareFunction') return 'function'
  if (declaration.type === 'ClassDeclaration') return 'class'
  if (declaration.type === 'TSInterfaceDeclaration') return 'interface'
  return declaration.type === 'TSTypeAliasDeclaration' ? 'type' : 'constant'
}

/** A declaration as a user needs it: without bodies, private members and long values. */
export function signatureOf(declaration: Declaration, name: string, source: SourceText): string {
  if (declaration.type === 'FunctionDeclaration' && declaration.body !== null)
    return source.text.slice(declaration.start, declaration.body.start).trimEnd()
  if (declaration.type === 'ClassDeclaration') return classSignature(declaration, source)
  if (declaration.type !== 'VariableDeclaration') return source.text.slice(declaration.start, declaration.end)
  const declarator = declaration.declarations.find(({ id }) => id.type === 'Identifier' && id.name === name)
  return declarator === undefined ? '' : `${declaration.kind} ${constantSignature(declarator, source.text)}`
}

/** The declarations of a statement, exported or not. */
export function declarationOf(statement: Statement): Declaration | undefined {
  if (statement.type === 'ExportNamedDeclaration') return statement.declaration ?? undefined
  return 'declare' in statement || statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration'
    ? (statement as Declaration)
    : undefined
}

/** Whether a declaration makes this name. */
export function makes(declaration: Declaration, name: string): boolean {
  if (declaration.type === 'VariableDeclaration')
    return declaration.declarations.some(({ id }) => id.type === 'Identifier' && id.name === name)
  return 'id' in declaration && declaration.id?.type === 'Identifier' && declaration.id.name === name
}

function constantSignature({ id, init }: VariableDeclarator, text: string): string {
  const name = text.slice(id.start, id.end)
  if (init === null || ('typeAnnotation' in id && id.typeAnnotation !== null)) return name
  if (init.type === 'ArrowFunctionExpression') return `${name} = ${text.slice(init.start, init.body.start).trimEnd()} ...`
  const value = text.slice(init.start, init.end)
  return value.length <= LONGEST_VALUE ? `${name} = ${value}` : `${name} = ${value.slice(0, value.indexOf('\n'))} ...`
}

function classSignature(declaration: Class, source: SourceText): string {
  const head = source.text.slice(declaration.start, declaration.body.start).trimEnd()
  const members = declaration.body.body.flatMap((member) => {
    const signature = memberSignature(member, source.text)
    if (signature === undefined) return []
    const comment = source.commentBefore(member.start)
    return [...(comment === undefined ? [] : [`  ${comment}`]), `  ${signature}`]
  })
  return members.length === 0 ? `${head} {}` : [`${head} {`, ...members, '}'].join('\n')
}

function memberSignature(member: ClassElement, text: string): string | undefined {
  if (member.type === 'StaticBlock' || member.type === 'TSIndexSignature') return undefined
  if (member.key.type === 'PrivateIdentifier' || member.accessibility === 'private' || member.accessibility === 'protected')
    return undefined
  if (member.type === 'MethodDefinition' || member.type === 'TSAbstractMethodDefinition') {
    const { body } = member.value
    return text.slice(member.start, body === null ? member.end : body.start).trimEnd()
  }
  if (member.value === null) return text.slice(member.start, member.end)
  const annotated = 'typeAnnotation' in member && member.typeAnnotation ? member.typeAnnotation.end : undefined
  return text.slice(member.start, annotated ?? member.end)
}
