import { checkOptions } from '../tool/check-given.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import type { ToolResult } from '../tool/result/result.ts'
import type { ErrorClass } from '../tool/errors/error-codes.ts'

/** Where an output goes. Every output is also observed in the log, masked. */
export type Destination = 'context' | 'memory' | 'next tool' | 'discard'

/** How much of an output enters a context, from all of it to one word. */
export type CompressionLevel = 'verbatim' | 'projection' | 'summary' | 'facts' | 'signal'

/** How bad it is to lose something: it weighs losses against tokens. */
export type Criticality = 'low' | 'normal' | 'high'

/** What one output, or the outputs of a rule, are to become. */
export interface RoutingChoice {
  readonly to?: readonly Destination[] | undefined
  readonly level?: CompressionLevel | undefined
  readonly criticality?: Criticality | undefined
  /** The fields that a projection keeps: `orders.id` goes through lists. */
  readonly fields?: readonly string[] | undefined
  /** The same as a JMESPath expression. */
  readonly path?: string | undefined
  /** Tokens for one output at most. */
  readonly maxTokens?: number | undefined
}

/** A rule as data. All conditions of `when` must hold; of several rules, later ones add to and replace what earlier ones chose. */
export interface RoutingRule extends RoutingChoice {
  readonly when: {
    /** Names of tools. */
    readonly tool?: string | readonly string[] | undefined
    readonly tag?: string | undefined
    /** Characters of the text, at least. */
    readonly minSize?: number | undefined
    readonly ok?: boolean | undefined
    readonly errorClass?: ErrorClass | readonly ErrorClass[] | undefined
  }
}

export const CHOICE_NAMES: Readonly<Record<keyof RoutingChoice, true>> = {
  to: true,
  level: true,
  criticality: true,
  fields: true,
  path: true,
  maxTokens: true,
}
const RULE_NAMES = optionNames<RoutingRule>({ ...CHOICE_NAMES, when: true })
const WHEN_NAMES = optionNames<RoutingRule['when']>({ tool: true, tag: true, minSize: true, ok: true, errorClass: true })

/** A rule that says something that nobody reads would silently not apply. */
export function checkRules(rules: readonly RoutingRule[]): void {
  for (const rule of rules) {
    checkOptionNames(rule, RULE_NAMES, 'The fields of a rule of outputRouter')
    checkOptions(rule.when, "'when' of a rule of outputRouter")
    checkOptionNames(rule.when, WHEN_NAMES, "The conditions in 'when' of a rule of outputRouter")
  }
}

export interface RoutedOutput {
  readonly result: ToolResult<unknown>
  readonly tags: readonly string[]
}

/** What the rules choose for an output. */
export function chosenBy(rules: readonly RoutingRule[], output: RoutedOutput): RoutingChoice {
  const fitting = rules.filter(({ when }) => applies(when, output)).map(({ when: _when, ...choice }) => choice)
  return Object.assign({}, ...fitting) as RoutingChoice
}

function applies({ tool, tag, minSize, ok, errorClass }: RoutingRule['when'], { result, tags }: RoutedOutput): boolean {
  const [name = ''] = result.provenance.tool.split('@')
  return (
    (tool === undefined || (typeof tool === 'string' ? tool === name : tool.includes(name))) &&
    (tag === undefined || tags.includes(tag)) &&
    (minSize === undefined || result.text.length >= minSize) &&
    (ok === undefined || result.ok === ok) &&
    (errorClass === undefined ||
      (!result.ok && (typeof errorClass === 'string' ? errorClass === result.error.class : errorClass.includes(result.error.class))))
  )
}
