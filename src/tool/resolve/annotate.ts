import { quote } from '../../schema/quote.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { annotateKey, annotateMethod, type ToolAnnotation } from './annotation.ts'

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
