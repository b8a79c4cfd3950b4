import { type AgentTool, isTool } from './agent-tool.ts'
import type { Call } from './engine/call.ts'
import type { Contract } from './contract.ts'
import type { DeciderRule } from './deciders.ts'
import { ConfigurationError } from './errors/configuration-error.ts'
import { ToolError } from './errors/tool-error.ts'
import type { AcceptedInputs } from './input/accepted-inputs.ts'
import type { InputPort } from './input/input-port.ts'
import { leafPlan, type PlanAsks, type PlanNode } from './plan-node.ts'
import { overridesOf } from './overrides.ts'
import { failureMessage } from './result/failure-details.ts'
import { ReturnedFailure, success } from './result/returned.ts'
import type { OnTimeout, Risk } from './review.ts'
import type { Service } from './service.ts'

/** Whether and how a person is asked before a call. */
export interface ApprovalRule {
  /** When it is needed, in words and code; undefined if always. */
  readonly condition?: string | undefined
  readonly asks: PlanAsks
  /** Judges the validated input. */
  readonly needed: (input: unknown) => boolean
  readonly why?: string | ((input: unknown) => string) | undefined
  readonly risk?: Risk | undefined
  readonly timeoutMs?: number | undefined
  readonly onTimeout?: OnTimeout | undefined
  readonly approvals?: DeciderRule | undefined
}

/** What a tool answers about itself, so that the door never checks the kind of a tool. */
export interface Behaviour {
  readonly plan: PlanNode
  /** One step in a journal: calls inside it are not recorded. The door reads it at every call; it follows from the order of the plan. */
  readonly leaf: boolean
  /** The combinator's name, if its events belong to the call of the tool inside. */
  readonly layer: string | undefined
  readonly input: InputPort
  /** The input is passed unchanged to a part, which validates it; it is validated here only for a policy or an approval. */
  readonly forwardsInput: boolean
  /**
   * It forwards its input to several parts, and none of them may begin before it is known that enough of them take it. Keeps the values
   * that the parts make of the input. Undefined if they do not all take it, or not at once: then its own validation judges it.
   */
  readonly acceptForParts?: ((input: unknown) => AcceptedInputs | undefined) | undefined
  /** It forwards its input later than at its start, or judges it: then it takes a copy that nobody else can change. */
  readonly keepsInput?: boolean | undefined
  /** Its first part gets its input, and nothing else uses the input from then on: that part needs no copy of its own. */
  readonly passesOn?: boolean | undefined
  readonly output: Contract | undefined
  /** The schema of an output that a part has checked already. */
  readonly describesOutput?: Contract | undefined
  readonly approval: ApprovalRule | undefined
  readonly services: Readonly<Record<string, Service<unknown>>> | undefined
  readonly deadlineMs: number | undefined
  /** It has its own scope, so that parts that still run at its end can be cancelled. */
  readonly ownScope?: boolean | undefined
  /** The tools that a compound may call; undefined for a leaf, which may call any. */
  readonly parts: Pick<ReadonlySet<unknown>, 'has'> | undefined
  readonly run: (input: unknown, call: Call) => unknown
  /**
   * A leaf that needs only a valid input: no approval, service, permission or copy. The door has a short way for it. Set when the tool is built;
   * without it a call takes the long way.
   */
  readonly isPlain?: boolean | undefined
  /** A plain leaf that is a part in the scope of its caller: it names no deadline. */
  readonly isBare?: boolean | undefined
  /** A layer that passes its input on, and asks nobody. The door has a short way for it too. */
  readonly isPlainLayer?: boolean | undefined
}

/** The behaviour that the factory of a tool gives. */
export type GivenBehaviour = Omit<Behaviour, 'leaf' | 'isPlain' | 'isBare' | 'isPlainLayer'>

/** Every field is named, in one order: behaviours of one shape are read faster than copies of what each factory gives. */
export function behaviourFrom(given: GivenBehaviour, permissions: readonly string[]): Behaviour {
  const { plan, layer, input, forwardsInput, approval, services } = given
  const leaf = plan.order === 'leaf'
  const isPlain = leaf && isPlainLeaf(given) && permissions.length === 0
  const all: { readonly [K in keyof Required<Behaviour>]: Behaviour[K] } = {
    plan,
    leaf,
    layer,
    input,
    forwardsInput,
    acceptForParts: given.acceptForParts,
    keepsInput: given.keepsInput,
    passesOn: given.passesOn,
    output: given.output,
    describesOutput: given.describesOutput,
    approval,
    services,
    deadlineMs: given.deadlineMs,
    ownScope: given.ownScope,
    parts: given.parts,
    run: given.run,
    isPlain,
    isBare: isPlain && given.deadlineMs === undefined && given.ownScope !== true,
    isPlainLayer: layer !== undefined && forwardsInput && approval === undefined && services === undefined,
  }
  return all
}

/** Whether the short way through the door is open to a leaf without permissions. */
function isPlainLeaf({ layer, input, forwardsInput, approval, services }: GivenBehaviour): boolean {
  if (layer !== undefined || forwardsInput || !input.isPrivate) return false
  return approval === undefined && services === undefined
}

/** Nobody else can read it: a static method could be reached from every tool. */
let privateBehaviour!: (tool: object) => Behaviour | undefined

/**
 * A tool of this copy of the package. Its behaviour is private, so that an author's function cannot be called without the door. It is a field
 * and no entry of a WeakMap: a behaviour refers to its tool, and such an entry stays in memory until a full garbage collection.
 */
export abstract class Behaving {
  readonly #behaviour: Behaviour

  constructor(behaviour: Behaviour) {
    this.#behaviour = behaviour
  }

  static {
    privateBehaviour = (tool) => (#behaviour in tool ? tool.#behaviour : undefined)
  }
}

/** Behaviours of tools of other copies. */
const adopted = new WeakMap<object, Behaviour>()

/** Checks every tool before it is used. `role` names its place: `Step 2 of the pipeline`. */
export function behaviourOf(tool: AgentTool, role?: string): Behaviour {
  if (!isTool(tool)) throw notATool(tool, role)
  return privateBehaviour(tool) ?? adopted.get(tool) ?? adopt(tool)
}

function adopt(tool: AgentTool): Behaviour {
  const behaviour = behaviourOfOtherCopy(tool)
  adopted.set(tool, behaviour)
  return behaviour
}

/** A tool made by another copy of this package: called through its own door, with the options that both copies share. */
function behaviourOfOtherCopy(tool: AgentTool): Behaviour {
  const foreign: GivenBehaviour = {
    plan: leafPlan({ figures: () => tool.estimates }),
    layer: undefined,
    input: {
      parameters: tool.specification.parameters,
      schema: tool.specification.parameters,
      parsed: tool.specification.parameters,
      isPrivate: false,
      // Read by the other copy, which knows the shape.
      unwrap: (given) => given,
      accept: (input) => input,
    },
    forwardsInput: true,
    output: undefined,
    approval: undefined,
    services: undefined,
    deadlineMs: undefined,
    parts: undefined,
    run: async (input, call) => {
      const { on: _on, journal: _journal, deadline: _deadline, clock: _clock, overrides, ...shared } = call.root.options
      const result = await tool.call(input as never, {
        ...shared,
        overrides: overridesOf(tool, overrides),
        deadline: call.remainingMs,
        signal: call.signal,
      })
      return result.ok ? success(result.value, result) : new ReturnedFailure(new ToolError(failureMessage(result.error), result.error))
    },
  }
  return behaviourFrom(foreign, tool.permissions)
}

export function notATool(value: unknown, role: string | undefined): ConfigurationError {
  const found = describeValue(value)
  const wrong = role === undefined ? `Not a tool: ${found}` : `${role} is not a tool: it is ${found}`
  return new ConfigurationError('not_a_tool', `${wrong}. Make one with tool({ ... }), or pass it through resolve.`)
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  return typeof value === 'object' ? `an object of type '${value.constructor?.name ?? 'Object'}'` : `a ${typeof value}`
}
