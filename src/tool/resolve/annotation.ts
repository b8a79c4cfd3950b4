import type { Metadata } from '../metadata.ts'
import type { AnySchema } from '../schema/schema-types.ts'

/** What makes a method a tool. */
export interface ToolAnnotation extends Metadata {
  readonly description: string
  /** The method's name by default. */
  readonly name?: string | undefined
  /** Without one, the method takes a string. */
  readonly inputSchema?: AnySchema | undefined
  readonly outputSchema?: AnySchema | undefined
  readonly requireApproval?: boolean | undefined
}

const ANNOTATION = Symbol.for('toolwright.annotation')

type Method = (...given: never[]) => unknown

/** Written on the function itself, so that it travels with it. */
export function writeAnnotation(method: Method, annotation: string | ToolAnnotation): void {
  Object.defineProperty(method, ANNOTATION, {
    value: typeof annotation === 'string' ? { description: annotation } : annotation,
    configurable: true,
  })
}

export interface AnnotatedMethod {
  readonly key: string
  readonly annotation: ToolAnnotation
  readonly method: (input: unknown, context: unknown) => unknown
}

/** The annotated methods of an object and of the classes above it, each key once. */
export function annotatedMethods(object: object): readonly AnnotatedMethod[] {
  const found = new Map<string, AnnotatedMethod | undefined>()
  for (
    let level: object | null = object;
    level !== null && level !== Object.prototype;
    level = Object.getPrototypeOf(level) as object | null
  ) {
    for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      if (typeof value !== 'function' || found.has(key)) continue
      const annotation = (value as unknown as Record<symbol, unknown>)[ANNOTATION] as ToolAnnotation | undefined
      const method = value as (input: unknown, context: unknown) => unknown
      found.set(key, annotation === undefined ? undefined : { key, annotation, method: method.bind(object) })
    }
  }
  return [...found.values()].filter((each) => each !== undefined)
}
