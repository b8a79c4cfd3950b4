import { fieldSchema } from '../../schema/field-schema.ts'
import { frozen } from '../../schema/frozen.ts'
import { privateCopy } from '../../schema/private-copy.ts'
import { excerpt } from '../../schema/quote.ts'
import { acceptApart } from '../../tool/accepted-input.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import type { FieldPath } from '../../tool/given/reference.ts'
import { outputSchemaOf } from '../../tool/output-schema.ts'
import type { ResultIssue } from '../../tool/result/result.ts'
import type { SettledResult, SettledSuccess } from '../../tool/result/settled.ts'
import { detailsOf, maskedDetails } from '../../tool/seam/failures.ts'
import { fatalIn } from '../../tool/seam/parts.ts'
import { type KnownPart, Sequence } from '../../tool/seam/sequence.ts'
import { hideSecretsIn, maskedText, type Whole } from '../../tool/seam/whole.ts'
import { messageValues } from './message-values.ts'
import type { Fault, OwnRule } from './rule.ts'

export const LABEL = 'judged'

export interface ValidatePlan {
  readonly tool: AgentTool
  readonly part: KnownPart
  readonly rules: readonly OwnRule[]
  /** A rule reads the input. */
  readonly readsInput: boolean
  /** A rule runs a function of its author. */
  readonly runsCode: boolean
  readonly retryable: boolean
}

export function runValidate(plan: ValidatePlan, input: unknown, whole: Whole): unknown {
  return new ValidateRun(plan, input, whole).begin()
}

/** Rules are pure, so nothing is recorded: a resumed run judges the recorded output again. */
class ValidateRun extends Sequence {
  readonly #plan: ValidatePlan
  readonly #given: unknown

  constructor(plan: ValidatePlan, given: unknown, whole: Whole) {
    super(whole)
    this.#plan = plan
    this.#given = given
  }

  begin(): unknown {
    return this.startWith(this.#plan.part, this.#given)
  }

  partEnded(result: SettledResult): void {
    const { tool, readsInput } = this.#plan
    if (!result.ok) {
      this.end(result)
      return
    }
    try {
      const input = readsInput ? acceptApart(behaviourOf(tool).input, this.#given, tool.name) : undefined
      if (input instanceof Promise) void this.#judgeLater(result, input)
      else this.end(this.#judged(result, input))
    } catch (error) {
      this.fail(error)
    }
  }

  async #judgeLater(result: SettledSuccess, accepted: Promise<unknown>): Promise<void> {
    try {
      this.end(this.#judged(result, await accepted))
    } catch (error) {
      this.fail(error)
    }
  }

  #judged(given: SettledSuccess, input: unknown): SettledResult {
    const { whole } = this
    const { tool, rules, runsCode } = this.#plan
    let result = given
    let faults: readonly Fault[]
    try {
      // A getter could answer the rules in one way, and the caller in another.
      if (behaviourOf(tool).output?.isPrivate !== true) result = given.holding(privateCopy(given.value))
      const seen = runsCode ? frozen(privateCopy({ value: result.value, input })) : { value: result.value, input }
      const messages = messageValues(tool, seen, whole)
      const isDeclared = (path: FieldPath): boolean => isDeclaredIn(tool, path)
      faults = rules.flatMap((each) => each.faults({ ...seen, ...messages, at: [], isDeclared }))
    } catch (thrown) {
      if (fatalIn(thrown) !== undefined) throw thrown
      hideSecretsIn(whole, result.value, outputSchemaOf(tool))
      return refused(tool, result, maskedDetails(whole, detailsOf(thrown)))
    }
    return faults.length === 0 ? result : this.#withFaults(result, faults)
  }

  #withFaults(result: SettledSuccess, faults: readonly Fault[]): SettledResult {
    const { whole } = this
    const { tool, retryable } = this.#plan
    hideSecretsIn(whole, result.value, outputSchemaOf(tool))
    const found = faults.map(({ severity, message, path }): ResultIssue => ({ severity, message: maskedText(whole, message), path }))
    const critical = found.filter(({ severity }) => severity === 'critical')
    const issues = [...(result.issues ?? []), ...found]
    whole.metric('tool_validation', found.length, { verdict: critical.length > 0 ? 'failure' : 'warning' })
    if (critical.length === 0) return result.amended({ issues, validation: { ...result.validation, verdict: graver(result) } })
    const error = new ToolError(`Tool '${tool.name}' gave an output that is not plausible: ${listed(critical)}.`, {
      code: 'implausible_output',
      retryable,
    })
    return refused(tool, result.amended({ issues, validation: { ...result.validation, verdict: 'failure' } }), detailsOf(error))
  }
}

/** A conflict inside that was resolved stays one. */
function graver({ validation }: SettledSuccess): 'warning' | 'conditional' {
  return validation?.verdict === 'conditional' ? 'conditional' : 'warning'
}

/** The tool has run: an effect has happened. */
function refused({ effect }: AgentTool, result: SettledSuccess, error: ReturnType<typeof detailsOf>): SettledResult {
  return result.refused({ ...error, outcome: effect === 'read' ? 'failed' : 'unknown' })
}

const MAX_LISTED = 10
const LONGEST_MESSAGE = 200

function listed(faults: readonly ResultIssue[]): string {
  const more = faults.length - MAX_LISTED
  const shown = faults.slice(0, MAX_LISTED).map(({ message }) => excerpt(message, LONGEST_MESSAGE))
  return `${shown.join('; ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Described only when a field is absent. A schema that no library can describe declares nothing. */
function isDeclaredIn(tool: AgentTool, path: FieldPath): boolean {
  const schema = outputSchemaOf(tool)
  return schema !== undefined && typeof fieldSchema(schema, path) === 'object'
}
