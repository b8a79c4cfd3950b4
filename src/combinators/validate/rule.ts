import { fieldStep, joinPath } from '../../schema/field-path.ts'
import { quote } from '../../schema/quote.ts'
import { adapt } from '../../tool/adapt.ts'
import { checkChoice, checkFunction } from '../../tool/check-given.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import type { FieldPath } from '../../tool/given/reference.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** How grave a fault is. `critical`: the output is not used. `warning`: it is used, and the result names the fault. */
export type RuleSeverity = 'critical' | 'warning'

/** The options of `rule`. */
export interface RuleOptions {
  /** `critical` by default. */
  readonly severity?: RuleSeverity | undefined
}

const RULE_NAMES = optionNames<RuleOptions>({ severity: true })

declare const TYPES: unique symbol

/** A rule for outputs of type `V` of a tool that takes `I`. */
export interface Rule<in V, in I = unknown> {
  /** An `OwnRule`. */
  readonly rule: object
  readonly [TYPES]?: ((value: V, input: I) => void) | undefined
}

/** A fault that a rule found. */
export interface Fault {
  readonly severity: RuleSeverity
  readonly message: string
  readonly path: string | undefined
}

/** A field that a rule reads. For `check`, positions stand for every item of a list. */
export interface FieldRead {
  readonly of: 'output' | 'input'
  readonly path: FieldPath
}

/** The output that is judged, or an item in it. */
export interface Judging {
  readonly value: unknown
  readonly input: unknown
  /** Where the value is in the output. */
  readonly at: FieldPath
  /** Whether the output schema of the tool has a field there, so that it may be absent. */
  readonly isDeclared: (path: FieldPath) => boolean
  /** A value of the output or of the input as a message may show it. A secret is only a mask. */
  readonly shown: (read: FieldRead) => string
  /** Whether a message must not show the value there, nor a value that is made from it. */
  readonly isSecret: (read: FieldRead) => boolean
}

/** A rule inside the package. */
export interface OwnRule {
  /** In words: `start before end`. */
  readonly name: string
  readonly reads: readonly FieldRead[]
  readonly readsInput: boolean
  /** It runs a function of its author: that gets data which it cannot change. */
  readonly runsCode: boolean
  /** A pure function. If it throws, the output has not passed. */
  readonly faults: (judging: Judging) => readonly Fault[]
}

export function ownRule(given: Rule<never, never>): OwnRule {
  return given.rule as OwnRule
}

export function isRule(given: unknown): given is Rule<never, never> {
  const own: unknown = (given as Partial<Rule<never>> | null | undefined)?.rule
  return typeof own === 'object' && own !== null && typeof (own as Partial<OwnRule>).faults === 'function'
}

/** `items[3].price`. */
export function pathText(path: FieldPath): string {
  return path.reduce<string>((text, step) => joinPath(text, typeof step === 'number' ? `[${step}]` : fieldStep(step)), '')
}

export function checkSeverity(severity: unknown, what: string): RuleSeverity {
  checkChoice(severity, ['critical', 'warning'], `'severity' of ${what}`)
  return (severity as RuleSeverity | undefined) ?? 'critical'
}

/** The argument of a rule of one's own: frozen copies of the output, and of the input as the tool took it. */
export interface RuleGiven<V, I> {
  readonly value: V
  readonly input: I
}

/**
 * A rule of your own: a pure, synchronous function that returns true, or what is wrong as a text. Anything else is a failure of the rule, and
 * the output has not passed.
 * @example
 * const paid = validate(latestOrder, { rules: [rule('paid', ({ value }) => value.total > 0 || 'nothing was paid')] })
 */
export function rule<V, I>(name: string, judge: (given: RuleGiven<V, I>) => true | string, options: RuleOptions = {}): Rule<V, I> {
  if (typeof name !== 'string' || name.trim() === '')
    throw new ConfigurationError('invalid_option', `The name of a rule must be a text, not ${quote(name)}.`)
  const what = `the rule '${name}'`
  checkFunction(judge, `The function of ${what}`)
  checkOptionNames(options, RULE_NAMES, `The options of ${what}`)
  const severity = checkSeverity(options.severity, what)
  const own: OwnRule = {
    name,
    reads: [],
    readsInput: true,
    runsCode: true,
    faults: ({ value, input, at }) => {
      const verdict: unknown = adapt(`The rule '${name}'`, () => judge({ value: value as V, input: input as I }))
      if (verdict === true) return []
      if (typeof verdict !== 'string' || verdict.trim() === '')
        throw new ToolError(`The rule '${name}' must return true, or what is wrong as a text, not ${quote(verdict)}.`, {
          code: 'adapter_failed',
        })
      return [{ severity, message: `${name}: ${verdict}`, path: at.length === 0 ? undefined : pathText(at) }]
    },
  }
  return { rule: own }
}
