import { quote } from '../../schema/quote.ts'
import type { AnySchema } from '../../schema/schema-types.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { METADATA_NAMES, type Metadata } from '../metadata.ts'
import { checkOptionNames, optionNames } from '../option-names.ts'

type MethodsOf<T> = { [K in keyof T & string as T[K] extends (...given: never[]) => unknown ? K : never]?: string | ToolAnnotation }

/**
 * Marks methods of an object, or of a class by its prototype, as tools. It needs no compiler; `@Tool` is the same as a decorator.
 * @example
 * const math = annotate(new MathTools(), { calculate: 'Calculates a mathematical expression.' })
 * const { call } = await resolve([math])
 */
export function annotate<T extends object>(target: T, annotations: MethodsOf<T>): T {
  if ((typeof target !== 'object' || target === null) && typeof target !== 'function')
    throw new ConfigurationError('invalid_definition', `annotate takes an object with methods, not ${quote(target)}.`)
  for (const [key, annotation] of Object.entries(annotations) as [string, string | ToolAnnotation][]) {
    const method: unknown = (target as Record<string, unknown>)[key]
    if (typeof method !== 'function') {
      throw new ConfigurationError('invalid_definition', `annotate: '${key}' is not a method of '${target.constructor?.name ?? 'Object'}'.`)
    }
    annotateKey(target, key, annotation)
  }
  return target
}

/**
 * The standard decorator: marks a method as a tool, named after the method unless the annotation names it.
 * @example
 * class MathTools {
 *   \@Tool('Calculates a mathematical expression.')
 *   calculate(expression: string) { return evaluate(expression) }
 * }
 */
export function Tool(
  annotation: string | ToolAnnotation,
): (method: (...given: never[]) => unknown, context: ClassMethodDecoratorContext) => void {
  return (method) => annotateMethod(method, annotation)
}

/** The options that make a method a tool. */
export interface ToolAnnotation extends Metadata {
  readonly description: string
  /** The method's name by default. */
  readonly name?: string | undefined
  /** Without one, the method takes a string. */
  readonly inputSchema?: AnySchema | undefined
  readonly outputSchema?: AnySchema | undefined
  readonly requireApproval?: boolean | undefined
}

type Method = (...given: never[]) => unknown
type Annotations = Readonly<Record<string, ToolAnnotation>>

/** On a function (by the decorator) or, by key, on the object or prototype that was annotated. */
const ANNOTATION = Symbol.for('toolwright.annotation')
const ANNOTATIONS = Symbol.for('toolwright.annotations')

const NAMES = optionNames<ToolAnnotation>({
  ...METADATA_NAMES,
  description: true,
  name: true,
  inputSchema: true,
  outputSchema: true,
  requireApproval: true,
})

function annotateMethod(method: Method, annotation: string | ToolAnnotation): void {
  mark(method, ANNOTATION, { value: inFull(annotation), what: `the method '${method.name}'` })
}

function annotateKey(target: object, key: string, annotation: string | ToolAnnotation): void {
  const value = { ...annotationsOn(target), [key]: inFull(annotation) }
  mark(target, ANNOTATIONS, { value, what: `an object of type '${target.constructor?.name ?? 'Object'}'` })
}

interface Mark {
  readonly value: unknown
  /** The marked object, in words. */
  readonly what: string
}

function mark(target: object, key: symbol, { value, what }: Mark): void {
  if (Reflect.defineProperty(target, key, { value, configurable: true })) return
  throw new ConfigurationError(
    'invalid_definition',
    `The annotation cannot be kept on ${what}, which is frozen or cannot be extended. Annotate before freezing, or annotate the prototype of the class.`,
  )
}

export interface AnnotatedMethod {
  readonly key: string
  readonly annotation: ToolAnnotation
  readonly method: (input: unknown, context: unknown) => unknown
}

/** The annotated methods of an object and of the classes above it. A method that overrides is a tool only if it is marked itself. */
export function annotatedMethods(object: object): readonly AnnotatedMethod[] {
  const found = new Map<string, AnnotatedMethod | undefined>()
  for (
    let level: object | null = object;
    level !== null && level !== Object.prototype;
    level = Object.getPrototypeOf(level) as object | null
  ) {
    const own = Object.entries(Object.getOwnPropertyDescriptors(level)).filter(([, { value }]) => typeof value === 'function')
    const keyed = annotationsOn(level)
    for (const key of new Set([...own.map(([name]) => name), ...Object.keys(keyed)])) {
      if (found.has(key)) continue
      const method = (object as Record<string, unknown>)[key] as AnnotatedMethod['method'] & { readonly [ANNOTATION]?: ToolAnnotation }
      const annotation = Object.hasOwn(keyed, key) ? keyed[key] : method[ANNOTATION]
      found.set(key, annotation === undefined ? undefined : { key, annotation, method: method.bind(object) })
    }
  }
  return [...found.values()].filter((each) => each !== undefined)
}

function annotationsOn(target: object): Annotations {
  return Object.hasOwn(target, ANNOTATIONS) ? ((target as Record<symbol, unknown>)[ANNOTATIONS] as Annotations) : {}
}

function inFull(annotation: string | ToolAnnotation): ToolAnnotation {
  if (typeof annotation === 'string') return { description: annotation }
  checkOptionNames(annotation, NAMES, 'The fields of an annotation')
  return annotation
}
