import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseSync } from 'oxc-parser'
import { root } from '../../scripts/run-program.ts'
import { subpaths } from './subpaths.ts'

/** A node of the syntax tree, read without its types: any of its fields may hold further nodes. */
type Node = Readonly<Record<string, unknown>>

/** Where a name is declared. */
interface Place {
  readonly file: string
  readonly name: string
}

interface Module {
  readonly declarations: ReadonlyMap<string, readonly Node[]>
  /** By the name that is used or exported here. */
  readonly elsewhere: ReadonlyMap<string, Place>
}

/**
 * Interfaces and classes that a public declaration speaks of, in whatever number of steps, and that no subpath exports. A program whose
 * inferred types hold one of them cannot be compiled to declarations. Aliases are written out instead, and what is only inherited from is
 * never spoken of.
 */
export function unnamedTypes(folder: string): readonly string[] {
  const modules = new Map(globSync('**/*.d.ts', { cwd: folder }).map((file) => [join(folder, file), read(join(folder, file))]))
  const resolve = (place: Place): Place | undefined => {
    const module = modules.get(place.file)
    if (module === undefined || module.declarations.has(place.name)) return module === undefined ? undefined : place
    const there = module.elsewhere.get(place.name)
    return there === undefined ? undefined : resolve(there)
  }
  const exported = subpaths().flatMap(({ source }) => {
    const file = join(folder, relative(join(root, 'src'), source).replace(/\.ts$/, '.d.ts'))
    return [...(modules.get(file)?.elsewhere.keys() ?? [])].flatMap((name) => resolve({ file, name }) ?? [])
  })
  const met = new Map(exported.map((place) => [keyOf(place), place]))
  const named = new Set(met.keys())
  for (const { file, name } of met.values()) {
    for (const spoken of typesIn(modules.get(file)?.declarations.get(name))) {
      const place = resolve({ file, name: spoken })
      if (place !== undefined) met.set(keyOf(place), met.get(keyOf(place)) ?? place)
    }
  }
  const unnamed = [...met].filter(([key, { file, name }]) => !named.has(key) && isNominal(modules.get(file)?.declarations.get(name)))
  return unnamed.map(([, { name }]) => name).toSorted()
}

function keyOf({ file, name }: Place): string {
  return `${file} ${name}`
}

function isNominal(declarations: readonly Node[] = []): boolean {
  return declarations.some(({ type }) => type === 'TSInterfaceDeclaration' || type === 'ClassDeclaration')
}

function read(file: string): Module {
  const declarations = new Map<string, Node[]>()
  const elsewhere = new Map<string, Place>()
  const { program } = parseSync(file, readFileSync(file, 'utf8'))
  const add = (node: Node): void => {
    if (node['type'] === 'VariableDeclaration') return (node['declarations'] as readonly Node[]).forEach(add)
    const name = nameOf(node['id'])
    if (name !== undefined) declarations.set(name, [...(declarations.get(name) ?? []), node])
  }
  for (const statement of program.body as unknown as readonly Node[]) {
    if (statement['type'] === 'ImportDeclaration') bind(statement, { outer: 'imported', here: 'local' })
    else if (statement['type'] === 'ExportNamedDeclaration') bind(statement, { outer: 'local', here: 'exported' })
    add((statement['declaration'] as Node | null | undefined) ?? statement)
  }
  return { declarations, elsewhere }

  function bind({ source, specifiers }: Node, { outer, here }: { readonly outer: string; readonly here: string }): void {
    const from = (source as Node | null)?.['value']
    if (typeof from !== 'string' || !from.startsWith('.')) return
    for (const specifier of specifiers as readonly Node[]) {
      const name = nameOf(specifier[here])
      const there = nameOf(specifier[outer])
      if (name !== undefined && there !== undefined)
        elsewhere.set(name, { file: join(dirname(file), from.replace(/\.[jt]s$/, '.d.ts')), name: there })
    }
  }
}

function nameOf(node: unknown): string | undefined {
  const name = (node as Node | null | undefined)?.['name']
  return typeof name === 'string' ? name : undefined
}

/** The names of types that a declaration speaks of; not those that it inherits from. */
function typesIn(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(typesIn)
  if (typeof node !== 'object' || node === null) return []
  const { type, typeName, exprName, ...rest } = node as Node
  const name = type === 'TSTypeReference' ? nameOf(typeName) : type === 'TSTypeQuery' ? nameOf(exprName) : undefined
  const inside = Object.entries(rest).flatMap(([key, each]) =>
    key === 'extends' && type === 'TSInterfaceDeclaration' ? [] : typesIn(each),
  )
  return name === undefined ? inside : [name, ...inside]
}
