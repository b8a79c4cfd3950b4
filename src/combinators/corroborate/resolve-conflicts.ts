import { fieldSchema } from '../../schema/field-schema.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { describeIssues } from '../../schema/describe-issues.ts'
import { privateCopy } from '../../schema/private-copy.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { contractOf } from '../../tool/contract.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { outputSchemaOf } from '../../tool/output-schema.ts'
import { failureData, revivedDetails } from '../../tool/result/failure-details.ts'
import type { ConflictResolution, FailureDetails } from '../../tool/result/result.ts'
import { isFinal } from '../../tool/retry-rules.ts'
import type { PersonLevel } from '../../tool/seam/by-person.ts'
import { detailsOf } from '../../tool/seam/failures.ts'
import { callPart, fatalIn } from '../../tool/seam/parts.ts'
import { decideOnce } from '../../tool/seam/recorded.ts'
import type { Whole } from '../../tool/seam/whole.ts'
import {
  type Arbiter,
  type ArbiterQuestion,
  decidedValues,
  type OpenConflict,
  type PureResolution,
  type SourceAnswer,
} from './resolution.ts'
import type { SourceSecrets } from './source-secrets.ts'

export type Resolver = PureResolution | Arbiter | (PersonLevel & { readonly by: 'person' })

interface Resolving {
  readonly name: string
  readonly resolvers: readonly Resolver[]
  readonly sources: readonly { readonly tool: AgentTool; readonly output?: unknown }[]
}

interface Disputed {
  readonly input: unknown
  readonly answers: readonly SourceAnswer[]
  readonly conflicts: readonly OpenConflict[]
  readonly secrets: SourceSecrets
}

interface Resolved {
  readonly byField: ReadonlyMap<string, ConflictResolution>
  /** Why a person or an arbiter gave no answer: the failure of the whole, if a field stays open. */
  readonly refusal?: FailureDetails | undefined
}

/** The label under which an arbiter that is a tool is called. */
export const ARBITER = 'arbiter'

/** Asks the resolutions in their order for the fields that are still open. */
export async function resolveConflicts(plan: Resolving, disputed: Disputed, whole: Whole): Promise<Resolved> {
  const byField = new Map<string, ConflictResolution>()
  let refusal: FailureDetails | undefined
  for (const [index, resolver] of plan.resolvers.entries()) {
    const open = disputed.conflicts.filter(({ field }) => !byField.has(field))
    if (open.length === 0) break
    if ('resolve' in resolver) {
      for (const conflict of open) {
        const resolution = resolver.resolve(conflict)
        if (resolution !== undefined) byField.set(conflict.field, resolution)
      }
      continue
    }
    const { values = {}, failed } = await decidedBy(resolver, { plan, open, disputed, index }, whole)
    for (const { field } of open) if (values[field] !== undefined) byField.set(field, { by: resolver.by, value: values[field] })
    refusal = failed ?? refusal
    // A person, the caller or the clock has decided: nothing goes around that. Nor can anything be recorded after a failed journal.
    if (failed !== undefined && (isFinal(failed) || failed.code === 'journal_failed')) break
  }
  return { byField, refusal }
}

interface Asked {
  readonly plan: Resolving
  readonly open: readonly OpenConflict[]
  readonly disputed: Disputed
  readonly index: number
}

/** What an arbiter or a person decided, or why there is no answer. */
interface Decided {
  readonly values?: Readonly<Record<string, unknown>> | undefined
  readonly failed?: FailureDetails | undefined
}

async function decidedBy(resolver: Exclude<Resolver, PureResolution>, asked: Asked, whole: Whole): Promise<Decided> {
  const { open, disputed, index } = asked
  if (resolver.by === 'person') return decidedIn(() => askPerson(resolver, asked, whole))
  const question = questionOf(open, disputed)
  const { tool, decide } = resolver
  if (tool === undefined) {
    // A failure is recorded too: a resumed run must not get an answer where the run has asked somebody else.
    const told = await decideOnce(whole, `.arbiter.${index}`, async () => {
      const { values, failed } = await decidedIn(async () => fittingValues(await decide?.(question), 'The arbiter', asked))
      return failed === undefined ? { values: values ?? {} } : { failed: failureData(failed) }
    })
    if (told.failed !== undefined) return { failed: revivedDetails(told.failed) }
    disputed.secrets.hideDecided(told.values)
    return told
  }
  const result = await callPart(whole, { label: ARBITER, tool, input: question, isUnique: true })
  if (!result.ok) return { failed: result.error }
  return decidedIn(async () => fittingValues(result.value, `The arbiter '${tool.name}'`, asked))
}

async function decidedIn(decide: () => Promise<Readonly<Record<string, unknown>>>): Promise<Decided> {
  try {
    return { values: await decide() }
  } catch (thrown) {
    if (fatalIn(thrown) !== undefined) throw thrown
    return { failed: detailsOf(thrown) }
  }
}

/** Nobody to ask is no answer. */
async function askPerson(person: PersonLevel, asked: Asked, whole: Whole): Promise<Readonly<Record<string, unknown>>> {
  const fields = answerSchemaOf(asked)
  const answerSchema = person.schema ?? { ...fields, required: Object.keys(fields.properties) }
  const answer: unknown = await whole.ask({ question: ticket(person, asked), answerSchema, timeout: person.timeout })
  return fittingValues(answer, 'The person', asked)
}

/** The decided values of the open fields. A value that does not fit its field is a failure of the one who decided. */
async function fittingValues(given: unknown, who: string, asked: Asked): Promise<Readonly<Record<string, unknown>>> {
  const all = decidedValues(privateCopy(given), who)
  const { open, disputed } = asked
  const values = Object.fromEntries(open.flatMap(({ field }) => (all[field] === undefined ? [] : [[field, all[field]]])))
  disputed.secrets.hideDecided(values)
  const { issues } = await contractOf(answerSchemaOf(asked), 'The schema of the fields').validate(values)
  if (issues === undefined) return values
  throw new ToolError(`${who} gave values that do not fit the fields: ${describeIssues(issues, values)}`, { code: 'adapter_failed' })
}

/** A copy: an arbiter that changes it does not change the answers. */
function questionOf(open: readonly OpenConflict[], { input, answers }: Disputed): ArbiterQuestion {
  return privateCopy({
    input,
    conflicts: open.map(({ field, answers: heard }) => ({ field, values: valuesOf(field, heard) })),
    answers: Object.fromEntries(answers.map(({ label, value }) => [label, value])),
  })
}

function valuesOf(field: string, answers: readonly SourceAnswer[]): Record<string, unknown> {
  return Object.fromEntries(answers.map(({ label, value }) => [label, value[field]]))
}

function ticket({ why, urgency }: PersonLevel, { plan, open, disputed: { secrets } }: Asked): string {
  const said = why === undefined ? '' : `${why} `
  const fields = open.map(
    ({ field, answers }) => `${field} (${answers.map(({ label, value }) => `${label}: ${secrets.shown(field, value[field])}`).join(', ')})`,
  )
  return `${said}The sources of '${plan.name}' disagree (urgency: ${urgency}): ${fields.join('; ')}. Which values are right?`
}

/** The open fields, each as the first source that is not reshaped describes it. */
function answerSchemaOf({ plan: { sources }, open }: Asked): FieldsSchema {
  const schemas = sources
    .map(({ tool, output: reshape }) => (reshape === undefined ? outputSchemaOf(tool) : undefined))
    .filter((each) => each !== undefined)
  const properties = open.map(({ field }) => {
    const [found] = schemas.map((schema) => fieldSchema(schema, [field])).filter((each) => typeof each === 'object')
    return [field, found?.schema ?? {}] as const
  })
  return { type: 'object', properties: Object.fromEntries(properties) }
}

interface FieldsSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>
}
