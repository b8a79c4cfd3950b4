import { join } from 'node:path'
import { API, type Checker, SignatureKind, type Symbol as Name, SymbolFlags, type Type } from 'typescript/unstable/sync'
import { root } from '../../scripts/run-program.ts'
import { subpaths } from '../package/subpaths.ts'

/** A place of the public interface for an object of named options: `gate(options)`, `GateOptions.approvals`. */
export type OptionPlaces = ReadonlyMap<string, readonly string[]>

/** Types of the public interface that hold no options, by name. */
export interface OtherTypes {
  /** Objects that the package makes: their methods are looked at. */
  readonly made: ReadonlySet<string>
  /** Objects that a program makes, or data that it receives: they may have more members than the package reads. */
  readonly given: ReadonlySet<string>
}

/** Every place for options in the declarations of all subpaths, with the names that it declares. */
export function optionPlaces(others: OtherTypes): OptionPlaces {
  const api = new API({ cwd: root })
  try {
    const config = join(root, 'tsconfig.json')
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (project === undefined) throw new Error(`The compiler does not open ${config}.`)
    const survey = new Survey(project.checker, others)
    for (const { source } of subpaths()) {
      const file = project.program.getSourceFile(source)
      const module = file === undefined ? undefined : project.checker.getSymbolAtLocation(file)
      if (module === undefined) throw new Error(`${source} is not part of the program.`)
      for (const name of project.checker.getExportsOfModule(module)) survey.visitExport(name)
    }
    return survey.places
  } finally {
    api.close()
  }
}

class Survey {
  readonly places = new Map<string, readonly string[]>()
  readonly #checker: Checker
  readonly #others: OtherTypes
  readonly #visited = new Set<string>()

  constructor(checker: Checker, others: OtherTypes) {
    this.#checker = checker
    this.#others = others
  }

  visitExport(exported: Name): void {
    const name = (exported.flags & SymbolFlags.Alias) === 0 ? exported : this.#checker.getAliasedSymbol(exported)
    const isType = (name.flags & (SymbolFlags.Interface | SymbolFlags.TypeAlias)) !== 0
    if (isType) this.#visitMembers(this.#checker.getDeclaredTypeOfSymbol(name), exported.name)
    if ((name.flags & SymbolFlags.Value) === 0) return
    const type = this.#checker.getTypeOfSymbol(name)
    if (type === undefined) return
    this.#visitFunctions(type, exported.name)
    this.#visitMembers(type, exported.name)
  }

  /** The parameters of all its signatures, and of the methods of what it returns. */
  #visitFunctions(type: Type, called: string): void {
    for (const each of this.#alternatives(type)) {
      for (const kind of [SignatureKind.Call, SignatureKind.Construct])
        for (const signature of this.#checker.getSignaturesOfType(each, kind)) {
          for (const parameter of signature.getParameters()) this.#place(`${called}(${nameOfParameter(parameter)})`, parameter)
          const returned = this.#checker.getReturnTypeOfSignature(signature)
          if (returned !== undefined) this.#visitReturned(returned, called)
        }
    }
  }

  #visitReturned(type: Type, called: string): void {
    for (const each of this.#alternatives(type)) {
      const name = this.#nameOf(each)
      if (this.#isList(each) || name === 'Promise') {
        const key = `${called} ${each.id}`
        if (this.#visited.has(key) || !each.isTypeReference()) continue
        this.#visited.add(key)
        for (const inside of this.#checker.getTypeArguments(each)) this.#visitReturned(inside, called)
      } else if (this.#isCallable(each)) {
        const key = `() ${name ?? each.id}`
        if (this.#visited.has(key)) continue
        this.#visited.add(key)
        this.#visitFunctions(each, `${called}()`)
      } else if (isObject(each)) this.#visitMembers(each, name ?? called)
    }
  }

  #visitMembers(type: Type, owner: string): void {
    if (this.#visited.has(owner) || this.#others.given.has(owner)) return
    this.#visited.add(owner)
    for (const member of this.#checker.getPropertiesOfType(type)) {
      const held = this.#isOwn(member) ? this.#checker.getTypeOfSymbol(member) : undefined
      if (held === undefined) continue
      // The functions of options are the program's.
      if (this.#others.made.has(owner)) this.#visitFunctions(held, `${owner}.${member.name}`)
    }
  }

  #place(place: string, holder: Name): void {
    const type = this.#checker.getTypeOfSymbol(holder)
    if (type !== undefined) this.#placeType(place, type)
  }

  #placeType(place: string, type: Type): void {
    // A list of lists holds data.
    if (place.endsWith('[][]')) return
    for (const each of this.#alternatives(type)) {
      if (!isObject(each) || this.#isCallable(each)) continue
      if (this.#isList(each)) {
        if (each.isTypeReference()) for (const inside of this.#checker.getTypeArguments(each)) this.#placeType(`${place}[]`, inside)
        continue
      }
      for (const { valueType } of this.#checker.getIndexInfosOfType(each)) this.#placeType(`${place}[]`, valueType)
      const name = this.#nameOf(each)
      const members = this.#checker.getPropertiesOfType(each).filter((member) => this.#isOwn(member))
      if (members.length === 0 || members.some((member) => member.name.startsWith('__@'))) continue
      if (name !== undefined && (this.#others.made.has(name) || this.#others.given.has(name))) continue
      const known = this.places.get(place) ?? []
      this.places.set(place, [...new Set([...known, ...members.map((member) => member.name)])])
      for (const member of members) {
        const inside = `${name ?? place}.${member.name}`
        if (!this.#visited.has(`in ${inside}`)) {
          this.#visited.add(`in ${inside}`)
          this.#place(inside, member)
        }
      }
    }
  }

  /** The members of a union. A type parameter stands for its bound. */
  #alternatives(type: Type): readonly Type[] {
    if (type.isUnionType()) return type.getTypes().flatMap((each) => this.#alternatives(each))
    const bound = type.isTypeParameter() ? this.#checker.getBaseConstraintOfType(type) : undefined
    return bound === undefined || bound.isTypeParameter() ? [type] : this.#alternatives(bound)
  }

  #nameOf(type: Type): string | undefined {
    const name = type.getAliasSymbol()?.name ?? type.getSymbol()?.name
    return name === undefined || GENERAL.has(name) ? undefined : name
  }

  #isList(type: Type): boolean {
    return this.#checker.isArrayLikeType(type)
  }

  #isCallable(type: Type): boolean {
    return this.#checker.getSignaturesOfType(type, SignatureKind.Call).length > 0
  }

  #isOwn(name: Name): boolean {
    return name.declarations.some(({ path }) => path.includes('/src/') && !path.includes('/node_modules/'))
  }
}

/** Names that tell nothing of the type. */
const GENERAL: ReadonlySet<string> = new Set(['__type', '__object', 'Omit', 'Pick', 'Partial', 'Readonly'])

function isObject(type: Type): boolean {
  return type.isObjectType() || type.isIntersectionType()
}

/** A parameter that is taken apart has no name of its own. */
function nameOfParameter({ name }: Name): string {
  return name.startsWith('__') ? 'options' : name
}
