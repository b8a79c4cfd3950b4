import { conjunction } from '../../schema/combine-schemas.ts'
import type { Excess } from '../../schema/excess.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { StandardIssue, StandardResult } from '../../schema/standard-schema.ts'
import { behaviourOf } from '../behaviour.ts'
import type { Contract } from '../contract.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { isToolError } from '../errors/tool-error.ts'
import { AcceptedInputs } from '../input/accepted-inputs.ts'
import type { InputPort } from '../input/input-port.ts'
import { stringInput } from '../input/string-input.ts'
import { TypedInput } from '../input/typed-input.ts'
import type { KnownPart } from '../engine/known-part.ts'

/** A part that runs beside others, with the input of the whole or with one of its own. */
export interface PartBeside extends KnownPart {
  /** Makes its input from that of the whole. */
  readonly transform?: ((input: never) => unknown) | undefined
}

/** The input of all branches without an input of their own: a text if there is none or all take a text, otherwise the conjunction of theirs. */
export function sharedInput(branches: readonly PartBeside[], needed: number, word: 'Branch' | 'Source' = 'Branch'): InputPort {
  const sharing = branches.filter(({ transform }) => transform === undefined)
  const ports = sharing.map(({ tool }) => behaviourOf(tool).input)
  if (ports.every((port) => port === stringInput)) return stringInput
  checkTexts(sharing, ports, word)
  const [only, ...more] = ports
  const isAsGiven = sharing.length === branches.length
  return only !== undefined && more.length === 0 && isAsGiven
    ? only
    : new TypedInput(new SharedContract(sharing, ports, branches.length - needed))
}

/** Judges the declared input of the whole by the branches that get it unchanged; undefined if there are not two branches, or none of those. */
export function judgeOfBranches(branches: readonly PartBeside[], needed: number): InputPort | undefined {
  const sharing = branches.filter(({ transform }) => transform === undefined)
  if (branches.length < 2 || sharing.length === 0) return undefined
  const ports = sharing.map(({ tool }) => behaviourOf(tool).input)
  return new TypedInput(new SharedContract(sharing, ports, branches.length - needed))
}

/** Validates the input for every branch. A branch that validates with a promise once is not asked here again. */
export function acceptForBranches(branches: readonly PartBeside[]): (input: unknown) => AcceptedInputs | undefined {
  const takers = branches.map(({ tool }) => ({ port: behaviourOf(tool).input, name: tool.name }))
  let neverWaits = true
  return (input) => {
    if (!neverWaits) return undefined
    const values: unknown[] = []
    try {
      for (const { port, name } of takers) {
        const value = port.accept(input, name)
        if (value instanceof Promise) {
          neverWaits = false
          value.catch(() => {})
          return undefined
        }
        values.push(value)
      }
    } catch (error) {
      if (isToolError(error)) return undefined
      throw error
    }
    return new AcceptedInputs(input, values)
  }
}

/** No input is both a text and an object. */
function checkTexts(branches: readonly PartBeside[], ports: readonly InputPort[], word: string): void {
  const text = branches[ports.indexOf(stringInput)]
  if (text === undefined) return
  const other = branches.find((_, index) => ports[index]?.schema['type'] !== 'string')
  if (other === undefined) return
  throw new ConfigurationError(
    'invalid_definition',
    `${word} '${text.label}' takes a text and ${word.toLowerCase()} '${other.label}' does not, so no input fits both. Give one an input of its own: inputs: { ${text.label}: (input) => ... }.`,
  )
}

/** Checks the rules of all branches; the join may do without some of them. The value passes unchanged: each branch applies its own defaults and transforms. */
class SharedContract implements Contract {
  readonly strips = true
  readonly #branches: readonly PartBeside[]
  readonly #ports: readonly InputPort[]
  /** So many branches may refuse the input. */
  readonly #spare: number
  #schema: JsonSchema | undefined

  constructor(branches: readonly PartBeside[], ports: readonly InputPort[], spare: number) {
    this.#branches = branches
    this.#ports = ports
    this.#spare = spare
  }

  get input(): JsonSchema {
    return (this.#schema ??= conjunction(this.#ports.map(({ schema }) => schema)))
  }

  /** If a library cannot describe the input, the parameters of the branch's tool throw the reason. */
  get exactInput(): JsonSchema {
    for (const port of this.#ports) void port.parameters
    return this.input
  }

  get output(): JsonSchema {
    return this.input
  }

  get excess(): readonly Excess[] {
    return this.#ports.flatMap((port) => port.excess ?? [])
  }

  validate(value: unknown): StandardResult<unknown> | Promise<StandardResult<unknown>> {
    const checks = this.#ports.map((port, index) => issuesOf(port, value, (this.#branches[index] as PartBeside).tool.name))
    if (checks.every(isAtOnce)) return this.#judged(value, checks)
    return Promise.all(checks).then((issues) => this.#judged(value, issues))
  }

  #judged(value: unknown, checks: readonly Issues[]): StandardResult<unknown> {
    const refusing = checks.filter((issues) => issues.length > 0)
    return refusing.length <= this.#spare ? { value } : { issues: refusing.flat() }
  }
}

type Issues = readonly StandardIssue[]

function isAtOnce(issues: Issues | Promise<Issues>): issues is Issues {
  return !(issues instanceof Promise)
}

function issuesOf(port: InputPort, value: unknown, toolName: string): Issues | Promise<Issues> {
  try {
    const accepted = port.accept(value, toolName)
    return accepted instanceof Promise ? accepted.then(none, refusal) : []
  } catch (error) {
    return refusal(error)
  }
}

function none(): Issues {
  return []
}

/** Errors other than a refused input are thrown on. */
function refusal(error: unknown): Issues {
  if (isToolError(error)) return [{ message: error.message }]
  throw error
}
